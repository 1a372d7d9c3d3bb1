/** Keys that are believed here, and keys to sign with. */

import { Copy } from 'lucide-react'
import type { KeyView, OwnKeyView } from '../../../../src-engine/protocol/trust.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { trustWords as words } from '../../../text/trust-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'

export function KeysTable(props: { readonly keys: readonly KeyView[]; readonly onDone: () => void }) {
  const { keys, onDone } = props
  return (
    <table className={styles['table']} data-even data-testid="trust-keys">
      <Head />
      <tbody>
        {keys.map(({ name, key }) => (
          <tr key={name} data-testid={`trusted-key-${name}`}>
            <td>
              <span className={styles['name']}>{name}</span>
            </td>
            <td>
              <code>{key}</code>
            </td>
            <td>
              <Remove name={name} onDone={onDone} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Remove({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const designer = useDesigner()
  const remove = (): void => {
    void attempt(designer, () => designer.connection.call('trust.setKey', { name, key: null })).then(onDone)
  }
  return (
    <div className={styles['actions']}>
      <Button isSmall testId={`distrust-${name}`} onClick={remove}>
        {words.remove}
      </Button>
    </div>
  )
}

export function OwnKeysTable(props: {
  readonly keys: readonly OwnKeyView[]
  readonly trusted: readonly KeyView[]
  readonly onDone: () => void
}) {
  const { keys, trusted, onDone } = props
  const designer = useDesigner()
  const believe = (name: string, key: string): void => {
    void attempt(designer, () => designer.connection.call('trust.setKey', { name, key })).then(onDone)
  }
  return (
    <table className={styles['table']} data-even data-testid="own-keys">
      <Head />
      <tbody>
        {keys.map(({ name, key, problem }) => (
          <tr key={name} data-testid={`own-key-${name}`}>
            <td>
              <span className={styles['name']}>{name}</span>
            </td>
            <td>{key === null ? problem : <code>{key}</code>}</td>
            <td>
              <div className={styles['actions']}>
                {key !== null && !trusted.some((one) => one.key === key) && (
                  <Button isSmall testId={`believe-${name}`} onClick={() => believe(name, key)}>
                    {words.believe}
                  </Button>
                )}
                {key !== null && (
                  <Button
                    isSmall
                    icon={Copy}
                    title={words.copy}
                    onClick={() => void navigator.clipboard.writeText(key)}
                  >
                    Copy
                  </Button>
                )}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Public key</th>
        <ActionsHead />
      </tr>
    </thead>
  )
}
