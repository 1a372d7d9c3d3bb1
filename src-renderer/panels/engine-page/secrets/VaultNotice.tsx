/** Why the vault can't be used, and what a person can do about it here. */

import { useState } from 'react'
import type { VaultState } from '../../../../src-engine/model/secret.ts'
import styles from '../../../secrets/Secrets.module.css'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { secretWords as words } from '../../../text/secret-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'

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
  const send = async (): Promise<void> => {
    await attempt(designer, () => designer.connection.call('secrets.unlock', { passphrase }))
    setPassphrase('')
    props.onChange()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (passphrase !== '') void send()
      }}
    >
      <input
        type="password"
        className={controls['field']}
        aria-label="Passphrase of the vault"
        autoComplete="off"
        data-testid="vault-passphrase"
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
      <Button type="submit" testId="vault-unlock" disabled={passphrase === ''}>
        {props.isNew ? words.choose : words.unlock}
      </Button>
      {props.isNew && <small>{words.passphraseHint}</small>}
    </form>
  )
}
