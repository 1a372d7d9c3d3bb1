/** The vault: which secrets it keeps, where they may go, who names them. Values are written, never read. */

import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SecretEntry } from '../../../../src-engine/model/secret.ts'
import { secretReference } from '../../../../src-engine/model/secret.ts'
import type { SecretUser } from '../../../../src-engine/protocol/secrets.ts'
import { SecretDialog } from '../../../secrets/SecretDialog.tsx'
import own from '../../../secrets/Secrets.module.css'
import { usersOf } from '../../../secrets/secret-draft.ts'
import { useDesigner } from '../../../state/context.ts'
import { kindWords, providerWords, secretWords as words } from '../../../text/secret-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { RemoveSecret } from './RemoveSecret.tsx'
import { VaultNotice } from './VaultNotice.tsx'

export function SecretsPage() {
  const designer = useDesigner()
  const { answer, error, refresh } = useLiveAnswer('secrets.list', {})
  const users = useUsers(answer?.secrets.length ?? 0)
  const [edited, setEdited] = useState<SecretEntry | 'new' | null>(null)
  const [removed, setRemoved] = useState<SecretEntry | null>(null)
  useEffect(() => {
    if (answer !== null) designer.secrets.getState().setView(answer)
  }, [designer, answer])
  if (answer === null) return <PageError error={error} />
  const { vault, secrets } = answer
  const isUsable = vault.problem === null
  return (
    <>
      <header className={styles['head']}>
        <h1>Secrets</h1>
        <p>{words.lead}</p>
        <span className={styles['spring']} />
        <Button
          icon={Plus}
          kind="primary"
          testId="secret-add"
          disabled={!isUsable}
          onClick={() => setEdited('new')}
        >
          Add secret
        </Button>
      </header>
      <VaultNotice vault={vault} onChange={refresh} />
      {secrets.length === 0 ? (
        <p className={styles['none']}>{isUsable ? words.none : null}</p>
      ) : (
        <SecretsTable secrets={secrets} users={users} onEdit={setEdited} onRemove={setRemoved} />
      )}
      {isUsable && <p className={styles['foot']}>{providerWords[vault.provider]}</p>}
      {edited !== null && (
        <SecretDialog
          secret={edited === 'new' ? null : edited}
          onSaved={refresh}
          onClose={() => setEdited(null)}
        />
      )}
      {removed !== null && (
        <RemoveSecret
          name={removed.name}
          users={usersOf(users, removed.name)}
          onRemoved={refresh}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  )
}

/** Asked for when the page opens and when secrets come or go: it reads every file of the library. */
function useUsers(count: number): readonly SecretUser[] {
  const designer = useDesigner()
  const [users, setUsers] = useState<readonly SecretUser[]>([])
  useEffect(() => {
    let isShown = true
    designer.connection
      .call('secrets.users', {})
      .then((answer) => {
        if (isShown) setUsers(answer.users)
      })
      // The page itself says when the line is down.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
    // Another number of secrets asks again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [designer, count])
  return users
}

interface TableProps {
  readonly secrets: readonly SecretEntry[]
  readonly users: readonly SecretUser[]
  readonly onEdit: (secret: SecretEntry) => void
  readonly onRemove: (secret: SecretEntry) => void
}

function SecretsTable({ secrets, users, onEdit, onRemove }: TableProps) {
  const now = useDesigner().ambient.now()
  return (
    <table className={styles['table']} data-testid="secrets-table">
      <thead>
        <tr>
          <th scope="col">Secret</th>
          <th scope="col">Kind</th>
          <th scope="col">May go to</th>
          <th scope="col">Named by</th>
          <th scope="col">Changed</th>
          <th scope="col">Last used</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {secrets.map((secret) => (
          <tr key={secret.name} data-testid={`secret-${secret.name}`}>
            <td>
              <span className={styles['name']}>{secret.name}</span>
              <code className={own['reference']}>{secretReference(secret.name)}</code>
              {secret.note !== '' && <span className={own['note']}>{secret.note}</span>}
            </td>
            <td className={styles['nowrap']}>{kindWords[secret.kind]}</td>
            <td>
              <Bound secret={secret} />
            </td>
            <td>
              {usersOf(users, secret.name).map(({ title, count }) => (
                <span key={title} className={styles['id']}>
                  {count === 1 ? title : `${title} (${count} steps)`}
                </span>
              ))}
            </td>
            <td className={styles['nowrap']}>{instantWords(secret.changedAt, now)}</td>
            <td className={styles['nowrap']}>
              {secret.lastUsedAt === null ? words.neverUsed : instantWords(secret.lastUsedAt, now)}
            </td>
            <td>
              <Actions secret={secret} onEdit={onEdit} onRemove={onRemove} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ secret, onEdit, onRemove }: Omit<TableProps, 'secrets' | 'users'> & BoundProps) {
  const { name } = secret
  return (
    <div className={styles['actions']}>
      <Button isSmall testId={`secret-edit-${name}`} onClick={() => onEdit(secret)}>
        Change
      </Button>
      <Button isSmall testId={`secret-remove-${name}`} onClick={() => onRemove(secret)}>
        Remove
      </Button>
    </div>
  )
}

interface BoundProps {
  readonly secret: SecretEntry
}

/** What it is bound to, one line for each sort of binding. */
function Bound({ secret: { hosts, kinds, nodes } }: BoundProps) {
  const list = (texts: readonly string[]): string => (texts.length === 0 ? words.nowhere : texts.join(', '))
  return (
    <>
      <span className={styles['id']}>{hosts === null ? words.anywhere : list(hosts)}</span>
      <span className={styles['id']}>
        {kinds === null ? words.anyKind : list(kinds)}
        {nodes === null ? '' : ` of ${list(nodes)}`}
      </span>
    </>
  )
}
