/** The key beside a field that may hold a secret: picks one, or moves what is written there into the vault. */

import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { secretReference } from '../../src-engine/model/secret.ts'
import { namesIn } from '../../src-engine/model/secret-uses.ts'
import { useDesigner, useSecrets } from '../state/context.ts'
import { kindWords, secretWords as words } from '../text/secret-words.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import styles from './Secrets.module.css'
import { bindingFor } from './secret-draft.ts'
import type { SecretWanted } from './secret-fit.ts'
import { choicesFor } from './secret-fit.ts'
import { useSecretWanted } from './use-secret-wanted.ts'

interface Props {
  /** The step that the field belongs to; null for a trigger. */
  readonly nodeId: NodeId | null
  /** The field's place in the step. */
  readonly path: string
  /** Whether the field holds the bare name instead of a reference. */
  readonly takesName?: boolean
  /** The field, as people know it. */
  readonly title: string
  readonly text: string
  readonly onChange: (text: string) => void
}

export function SecretPicker({ nodeId, path, takesName = false, title, text, onChange }: Props) {
  const wanted = useSecretWanted(nodeId, path)
  const [open, setOpen] = useState<'list' | 'new' | null>(null)
  const isUsed = takesName ? text !== '' : namesIn(text).length > 0
  // A plain text moves; with an expression in it nobody knows what it will be.
  const plain = takesName || text.includes('{{') ? '' : text
  const take = (name: string): void => {
    onChange(takesName ? name : secretReference(name))
    setOpen(null)
  }
  return (
    <>
      <button
        type="button"
        className={styles['picker']}
        data-used={isUsed}
        data-testid="secret-picker"
        aria-label={`${words.pick} for ${title}`}
        title={words.pick}
        onClick={() => setOpen('list')}
      >
        <KeyRound size={13} aria-hidden />
      </button>
      {open === 'list' && (
        <SecretChoices
          title={title}
          wanted={wanted}
          canMove={plain !== ''}
          onTake={take}
          onNew={() => setOpen('new')}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'new' && (
        <SecretDialog
          secret={null}
          known={{ ...(wanted === null ? {} : bindingFor(wanted.node)), value: plain }}
          onSaved={take}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

function SecretChoices(props: {
  readonly title: string
  readonly wanted: SecretWanted | null
  readonly canMove: boolean
  readonly onTake: (name: string) => void
  readonly onNew: () => void
  readonly onClose: () => void
}) {
  const designer = useDesigner()
  const view = useSecrets((state) => state.view)
  const isUsable = view !== null && view.vault.problem === null
  return (
    <Modal
      title={`A secret for “${props.title}”`}
      onClose={props.onClose}
      testId="secret-choices"
      width={440}
    >
      <div className={styles['form']}>
        <p>{words.pickHint}</p>
        <ul className={styles['choices']}>
          {choicesFor(view?.secrets ?? [], props.wanted).map(({ entry: { name, kind, note }, misfit }) => (
            <li key={name}>
              <button
                type="button"
                data-testid={`secret-choice-${name}`}
                data-misfit={misfit ?? undefined}
                onClick={() => props.onTake(name)}
              >
                {name}
                <small>{note === '' ? kindWords[kind] : note}</small>
                {misfit !== null && <small className={styles['misfit']}>{misfit}</small>}
              </button>
            </li>
          ))}
        </ul>
        <footer>
          {isUsable ? (
            <Button kind={props.canMove ? 'primary' : 'quiet'} testId="secret-new" onClick={props.onNew}>
              {props.canMove ? words.keepInVault : words.another}
            </Button>
          ) : (
            <Button
              testId="secret-open-page"
              onClick={() => designer.view.getState().setEnginePage('secrets')}
            >
              {view?.vault.problem?.message ?? words.another}
            </Button>
          )}
        </footer>
      </div>
    </Modal>
  )
}
