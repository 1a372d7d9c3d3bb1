/** Why the vault can't be used, and what a person can do about it here. */

import { useRef, useState } from 'react'
import type { VaultState } from '../../../../src-engine/model/secret.ts'
import styles from '../../../secrets/Secrets.module.css'
import { useDesigner } from '../../../state/context.ts'
import { secretWords as words } from '../../../text/secret-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { useSending } from '../../dialogs/use-sending.ts'

export function VaultNotice(props: { readonly vault: VaultState; readonly onChange: () => void }) {
  const { problem, provider, status } = props.vault
  if (problem === null) return null
  // A passphrase opens what has one, and takes the place of a key store that protects nothing.
  const isNew = problem.code === 'vault_unavailable' && status !== 'damaged'
  const takesPassphrase = provider === 'passphrase' ? status === 'locked' : isNew
  return (
    <section className={styles['notice']} data-testid="vault-notice" aria-label="The vault">
      <p>
        <strong>{problem.message}</strong> {problem.hint}
      </p>
      {takesPassphrase && <PassphraseForm isNew={isNew} onChange={props.onChange} />}
    </section>
  )
}

function PassphraseForm(props: { readonly isNew: boolean; readonly onChange: () => void }) {
  const designer = useDesigner()
  const [passphrase, setPassphrase] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const sending = useSending(async () => {
    // The button that was pressed can't keep the keys while it is off.
    field.current?.focus()
    field.current?.select()
    await designer.connection.call('secrets.unlock', { passphrase })
  }, props.onChange)
  // Beside the field: who mistyped goes on there, and once it is right nothing says that it was wrong.
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (passphrase !== '') void sending.send()
      }}
    >
      <label>
        {words.passphrase}
        <input
          ref={field}
          type="password"
          className={controls['field']}
          autoComplete="off"
          aria-invalid={sending.problem !== null}
          data-testid="vault-passphrase"
          value={passphrase}
          onChange={(event) => {
            setPassphrase(event.currentTarget.value)
            sending.forget()
          }}
        />
      </label>
      <Button type="submit" testId="vault-unlock" disabled={passphrase === '' || sending.isSent}>
        {props.isNew ? words.choose : words.unlock}
      </Button>
      {sending.problem !== null && (
        <p className={styles['problem']} role="alert">
          {sending.problem}
        </p>
      )}
      {props.isNew && sending.problem === null && <small>{words.passphraseHint}</small>}
    </form>
  )
}
