/** The vault: which secrets it keeps, where they may go, who names them. Values are written, never read. */

import { KeyRound, Plus, SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SecretEntry, VaultState } from '../../../../src-engine/model/secret.ts'
import { SecretDialog } from '../../../secrets/SecretDialog.tsx'
import { secretRows } from '../../../secrets/secret-usage.ts'
import { useSecretUsages } from '../../../secrets/use-secret-usages.ts'
import { useDesigner, useSecrets } from '../../../state/context.ts'
import { providerWords, secretWords as words } from '../../../text/secret-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { SearchField } from '../SearchField.tsx'
import { RemoveSecret } from './RemoveSecret.tsx'
import { SecretsTable } from './SecretsTable.tsx'
import { VaultNotice } from './VaultNotice.tsx'

/** What the dialog is about: one that is kept, or one that a name is known of. */
type Asked = SecretEntry | { readonly isNew: string }

export function SecretsPage() {
  const designer = useDesigner()
  const { answer, error, refresh } = useLiveAnswer('secrets.list', {})
  const names = answer?.secrets.map(({ name }) => name).join(' ') ?? ''
  const { usages, isKnown } = useSecretUsages(names)
  const { filter, isAdding } = useSecrets((state) => state)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  useEffect(() => {
    if (answer !== null) designer.secrets.getState().setView(answer)
  }, [designer, answer])
  if (answer === null) return <PageError error={error} />
  const { vault, secrets } = answer
  const isUsable = vault.problem === null
  const rows = secretRows(secrets, usages, filter)
  const shown: Asked | null = asked ?? (isAdding && isUsable ? { isNew: '' } : null)
  const close = (): void => {
    setAsked(null)
    designer.secrets.getState().setAdding(false)
  }
  return (
    <>
      <Head isUsable={isUsable} onAdd={() => setAsked({ isNew: '' })} />
      <VaultNotice vault={vault} onChange={refresh} />
      {rows.length > 0 && (
        <SecretsTable
          rows={rows}
          isKnown={isKnown}
          isUsable={isUsable}
          onEdit={setAsked}
          onCreate={(name) => setAsked({ isNew: name })}
          onRemove={setRemoved}
        />
      )}
      {rows.length === 0 && <Nothing vault={vault} isFiltered={filter !== ''} />}
      {isUsable && <p className={styles['foot']}>{providerWords[vault.provider]}</p>}
      {shown !== null && (
        <SecretDialog
          secret={'isNew' in shown ? null : shown}
          known={'isNew' in shown ? { name: shown.isNew } : {}}
          onSaved={refresh}
          onClose={close}
        />
      )}
      {removed !== null && (
        <RemoveSecret
          name={removed}
          usages={usages.filter(({ name }) => name === removed)}
          onRemoved={refresh}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  )
}

function Head({ isUsable, onAdd }: { readonly isUsable: boolean; readonly onAdd: () => void }) {
  const { filter, setFilter } = useSecrets((state) => state)
  return (
    <header className={styles['head']}>
      <h1>Secrets</h1>
      <p>{words.lead}</p>
      <span className={styles['spring']} />
      <SearchField
        label="Filter secrets"
        placeholder="Filter"
        testId="secrets-filter"
        value={filter}
        onChange={setFilter}
      />
      <Button icon={Plus} kind="primary" testId="secret-add" disabled={!isUsable} onClick={onAdd}>
        Add secret
      </Button>
    </header>
  )
}

/** What the vault is for, while nothing is in it. */
function Nothing({ vault, isFiltered }: { readonly vault: VaultState; readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState icon={SearchX} text={words.noHits} />
  if (vault.problem !== null) return null
  return <EmptyState icon={KeyRound} text={words.none} lines={words.noneHow} />
}
