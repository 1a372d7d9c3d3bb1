/** The keys of workspaces that this computer has: names and instants, never the keys. */

import { useState } from 'react'
import type { SealRing, SealView } from '../../../../src-engine/protocol/sealing.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { fill } from '../../../text/messages.ts'
import { sealUse, sealWords as words } from '../../../text/seal-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { ConfirmDialog } from '../../dialogs/ConfirmDialog.tsx'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'

interface RingsProps {
  readonly rings: readonly SealRing[]
  /** Of the workspace that the page is about. */
  readonly view: SealView
  readonly onDone: () => void
}

export function KeyRings({ rings, view, onDone }: RingsProps) {
  const [forgotten, setForgotten] = useState<string | null>(null)
  const now = useDesigner().ambient.now()
  if (rings.length === 0) return <p data-testid="seal-no-keys">{words.noKeys}</p>
  return (
    <>
      <table className={styles['table']} data-even data-testid="seal-keys">
        <thead>
          <tr>
            <th scope="col">{words.workspace}</th>
            <th scope="col">{words.key}</th>
            <th scope="col">{words.made}</th>
            <th scope="col">{words.use}</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {rings.flatMap((ring) => {
            const isHere = ring.workspace === view.workspace
            // What the store says counts; this machine may have heard of a change later.
            const told = isHere && view.key !== null ? { ...ring, current: view.key } : ring
            return told.keys.map(({ id, createdAt }) => {
              const use = sealUse(told, id)
              return (
                <tr key={`${ring.workspace} ${id}`} data-testid={`seal-key-${id}`} data-use={use}>
                  <td>
                    <code>{ring.workspace}</code>
                    {isHere && <em className={styles['first']}>{words.thisOne}</em>}
                  </td>
                  <td>
                    <code>{id}</code>
                  </td>
                  <td className={styles['nowrap']}>{instantWords(createdAt, now)}</td>
                  <td>{words.uses[use]}</td>
                  <td>
                    <div className={styles['actions']}>
                      {isHere && use === 'reads' && (
                        <Button isSmall testId={`seal-forget-${id}`} onClick={() => setForgotten(id)}>
                          {words.forget}
                        </Button>
                      )}
                    </div>
                  </td>
                </tr>
              )
            })
          })}
        </tbody>
      </table>
      {forgotten !== null && <Forget id={forgotten} onDone={onDone} onClose={() => setForgotten(null)} />}
    </>
  )
}

function Forget(props: { readonly id: string; readonly onDone: () => void; readonly onClose: () => void }) {
  const { id, onDone, onClose } = props
  const designer = useDesigner()
  const forget = async (): Promise<void> => {
    await attempt(designer, () => designer.connection.call('seal.remove', { key: id }))
    onDone()
  }
  return (
    <ConfirmDialog
      title={fill(words.forgetTitle, { key: id })}
      text={words.forgetText}
      label={words.forgetLabel}
      isDangerous
      onConfirm={forget}
      onClose={onClose}
    />
  )
}
