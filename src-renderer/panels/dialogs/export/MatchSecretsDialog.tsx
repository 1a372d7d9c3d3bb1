/** Secrets that a workflow names and the vault lacks: each becomes one of the vault's, or is added to it. */

import { useState } from 'react'
import { SecretDialog } from '../../../secrets/SecretDialog.tsx'
import { useDesigner, useDocument, useSecrets } from '../../../state/context.ts'
import type { MissingSecret } from '../../../state/match-secrets.ts'
import { matchSecrets, missingSecrets } from '../../../state/match-secrets.ts'
import { matchWords as words } from '../../../text/export-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { Modal } from '../../../ui/Modal.tsx'
import styles from '../dialogs.module.css'
import own from './Export.module.css'

export function MatchSecretsDialog() {
  const designer = useDesigner()
  const document = useDocument(({ history }) => history.document)
  const view = useSecrets((state) => state.view)
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const [added, setAdded] = useState<string | null>(null)
  const hasVault = view !== null && view.vault.problem === null
  const missing = hasVault ? missingSecrets(document, view) : []
  const close = (): void => designer.view.getState().setDialog(null)
  const choose = (from: string, to: string): void => {
    const next = new Map(chosen)
    if (to === '') next.delete(from)
    else next.set(from, to)
    setChosen(next)
  }
  const names = view?.secrets.map(({ name }) => name) ?? []
  return (
    <>
      <Modal title={words.title} onClose={close} testId="match-secrets" width={560}>
        <form
          className={styles['body']}
          onSubmit={(event) => {
            event.preventDefault()
            matchSecrets(designer, chosen)
            close()
          }}
        >
          <p>{hasVault ? (missing.length === 0 ? words.none : words.lead) : words.noVault}</p>
          {missing.length > 0 && (
            <ul className={own['list']}>
              {missing.map((secret) => (
                <Missing
                  key={secret.name}
                  secret={secret}
                  names={names}
                  chosen={chosen.get(secret.name) ?? ''}
                  onChoose={(to) => choose(secret.name, to)}
                  onAdd={() => setAdded(secret.name)}
                />
              ))}
            </ul>
          )}
          <footer>
            <Button onClick={close}>{missing.length === 0 ? words.close : 'Cancel'}</Button>
            {missing.length > 0 && (
              <Button type="submit" kind="primary" testId="match-use" disabled={chosen.size === 0}>
                {words.use}
              </Button>
            )}
          </footer>
        </form>
      </Modal>
      {added !== null && (
        <SecretDialog
          secret={null}
          known={{ name: added }}
          onSaved={() => undefined}
          onClose={() => setAdded(null)}
        />
      )}
    </>
  )
}

function Missing(props: {
  readonly secret: MissingSecret
  readonly names: readonly string[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
  readonly onAdd: () => void
}) {
  const { secret, names, chosen, onChoose, onAdd } = props
  const { name, places } = secret
  return (
    <li data-testid={`missing-${name}`}>
      <span className={own['what']}>
        <span>
          <code>{name}</code>
          <small>{places.join(', ')}</small>
        </span>
      </span>
      <span className={own['choice']}>
        <select
          className={controls['field']}
          aria-label={words.secretFor(name)}
          value={chosen}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">{words.stays}</option>
          {names.map((known) => (
            <option key={known} value={known}>
              {known}
            </option>
          ))}
        </select>
        <Button aria-label={words.addFor(name)} onClick={onAdd}>
          {words.add}
        </Button>
      </span>
    </li>
  )
}
