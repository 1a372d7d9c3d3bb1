/** Adds a secret, or changes one: its name, value, kind, note, and where it may go. */

import { Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { SecretEntry } from '../../src-engine/model/secret.ts'
import { secretKinds, secretNamePattern } from '../../src-engine/model/secret.ts'
import { SendFooter } from '../panels/dialogs/SendFooter.tsx'
import { useSending } from '../panels/dialogs/use-sending.ts'
import { useDesigner, useSecrets } from '../state/context.ts'
import { loadSecrets } from '../state/follow-secrets.ts'
import { renameSecret } from '../state/rename-secret.ts'
import { kindWords, secretWords as words } from '../text/secret-words.ts'
import controls from '../ui/controls.module.css'
import { Modal } from '../ui/Modal.tsx'
import { RenameEffects } from './RenameEffects.tsx'
import styles from './Secrets.module.css'
import type { NewSecret, SecretDraft } from './secret-draft.ts'
import { changeOf, draftOf, isTaken } from './secret-draft.ts'

const none: readonly SecretEntry[] = []

export function SecretDialog(props: {
  /** Null for a new one. */
  readonly secret: SecretEntry | null
  /** What is known of a new one. */
  readonly known?: NewSecret
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}) {
  const { secret, onSaved, onClose } = props
  const designer = useDesigner()
  const [draft, setDraft] = useState<SecretDraft>(() => draftOf(secret, props.known))
  const [isShown, setShown] = useState(false)
  const set = (part: Partial<SecretDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const name = draft.name.trim()
  const kept = useSecrets((state) => state.view?.secrets ?? none)
  const isOthers = isTaken(name, secret, kept)
  const isComplete = secretNamePattern.test(name) && !isOthers && (secret !== null || draft.value !== '')
  const sending = useSending(async () => {
    const { connection } = designer
    if (secret !== null && secret.name !== name) await renameSecret(designer, { from: secret.name, to: name })
    await connection.call('secrets.set', changeOf(draft))
    await loadSecrets(designer)
    onSaved(name)
  }, onClose)
  const text = (key: 'name' | 'note' | 'hosts' | 'kinds' | 'nodes'): ReactNode => (
    <input
      className={controls['field']}
      data-testid={`secret-${key}`}
      autoComplete="off"
      spellCheck={false}
      value={draft[key]}
      onChange={(event) => set({ [key]: event.currentTarget.value })}
    />
  )
  const Icon = isShown ? EyeOff : Eye
  return (
    <Modal
      title={secret === null ? 'Add a secret' : `Change ${secret.name}`}
      onClose={onClose}
      testId="secret-dialog"
      width={520}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete) void sending.send()
        }}
      >
        <div className={styles['pair']}>
          <Labelled title="Name" hint={words.name}>
            {text('name')}
          </Labelled>
          <KindField kind={draft.kind} onChange={(kind) => set({ kind })} />
        </div>
        {isOthers && (
          <p className={styles['problem']} role="alert" data-testid="secret-taken">
            {words.taken}
          </p>
        )}
        {secret !== null && name !== secret.name && !isOthers && <RenameEffects from={secret.name} />}
        <Labelled title="Value" hint={secret === null ? words.value : words.unchanged}>
          <textarea
            className={`${controls['field']} ${styles['value']}`}
            data-testid="secret-value"
            data-shown={isShown}
            rows={2}
            autoComplete="off"
            spellCheck={false}
            value={draft.value}
            onChange={(event) => set({ value: event.currentTarget.value })}
          />
        </Labelled>
        <button type="button" className={styles['show']} onClick={() => setShown(!isShown)}>
          <Icon size={13} aria-hidden /> {isShown ? 'Hide what I write' : 'Show what I write'}
        </button>
        <Labelled title="Note">{text('note')}</Labelled>
        <Labelled title="Hosts" hint={words.hosts}>
          {text('hosts')}
        </Labelled>
        <Labelled title="Kinds of steps" hint={words.kinds}>
          {text('kinds')}
        </Labelled>
        <Labelled title="Workflows" hint={words.nodes}>
          {text('nodes')}
        </Labelled>
        <SendFooter
          sending={sending}
          label={secret === null ? 'Add' : 'Save'}
          testId="secret-save"
          isDisabled={!isComplete}
          onClose={onClose}
        />
      </form>
    </Modal>
  )
}

function KindField(props: {
  readonly kind: SecretDraft['kind']
  readonly onChange: (kind: SecretDraft['kind']) => void
}) {
  return (
    <Labelled title="Kind">
      <select
        className={controls['field']}
        data-testid="secret-kind"
        value={props.kind}
        onChange={(event) => {
          const kind = secretKinds.find((known) => known === event.currentTarget.value)
          if (kind !== undefined) props.onChange(kind)
        }}
      >
        {secretKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindWords[kind]}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

function Labelled(props: { readonly title: string; readonly hint?: string; readonly children: ReactNode }) {
  return (
    <label>
      {props.title}
      {props.children}
      {props.hint !== undefined && <small>{props.hint}</small>}
    </label>
  )
}
