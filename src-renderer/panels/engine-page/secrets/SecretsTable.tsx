/** One line for each secret that is kept, and before them one for each that is named and missing. */

import type { SecretEntry } from '../../../../src-engine/model/secret.ts'
import { secretReference } from '../../../../src-engine/model/secret.ts'
import own from '../../../secrets/Secrets.module.css'
import type { SecretRow } from '../../../secrets/secret-usage.ts'
import { isUnused } from '../../../secrets/secret-usage.ts'
import { useDesigner } from '../../../state/context.ts'
import { kindWords, secretWords as words } from '../../../text/secret-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'
import { UsedBy } from './UsedBy.tsx'

interface Acts {
  /** False while the vault can't be opened: then nothing can be written into it. */
  readonly isUsable: boolean
  readonly onEdit: (secret: SecretEntry) => void
  readonly onCreate: (name: string) => void
  readonly onRemove: (name: string) => void
}

export function SecretsTable(
  props: Acts & {
    readonly rows: readonly SecretRow[]
    /** Whether all that may name one has been read. */
    readonly isKnown: boolean
  },
) {
  const { rows, isKnown, ...acts } = props
  return (
    <table className={styles['table']} data-testid="secrets-table">
      <thead>
        <tr>
          <th scope="col">Secret</th>
          <th scope="col">May go to</th>
          <th scope="col">Used in</th>
          <th scope="col">Value from</th>
          <th scope="col">Last used</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) =>
          row.entry === null ? (
            <MissingRow key={row.name} row={row} {...acts} />
          ) : (
            <KeptRow key={row.name} row={row} entry={row.entry} isKnown={isKnown} {...acts} />
          ),
        )}
      </tbody>
    </table>
  )
}

function MissingRow({ row, isUsable, onCreate }: Acts & { readonly row: SecretRow }) {
  const { name, usages } = row
  return (
    <tr data-testid={`secret-${name}`} data-missing>
      <td>
        <span className={styles['name']}>{name}</span>
        <span className={own['mark']} data-tone="bad">
          {words.missing}
        </span>
      </td>
      <td>–</td>
      <td>
        <UsedBy usages={usages} />
      </td>
      <td>–</td>
      <td>–</td>
      <td>
        <div className={styles['actions']}>
          <Button
            isSmall
            kind="primary"
            testId={`secret-create-${name}`}
            aria-label={`Add ${name} to the vault`}
            disabled={!isUsable}
            onClick={() => onCreate(name)}
          >
            {words.create}
          </Button>
        </div>
      </td>
    </tr>
  )
}

function KeptRow({
  row,
  entry,
  isKnown,
  ...acts
}: Acts & { readonly row: SecretRow; readonly entry: SecretEntry; readonly isKnown: boolean }) {
  const now = useDesigner().ambient.now()
  const { name } = entry
  const { changedAt, createdAt, lastUsedAt } = entry
  return (
    <tr data-testid={`secret-${name}`}>
      <td>
        <span className={styles['name']}>{name}</span>
        <code className={own['reference']}>{secretReference(name)}</code>
        <span className={own['note']}>
          {entry.note === '' ? kindWords[entry.kind] : `${kindWords[entry.kind]} · ${entry.note}`}
        </span>
      </td>
      <td>
        <Bound secret={entry} />
      </td>
      <td>
        <UsedBy usages={row.usages} />
        {isKnown && isUnused(row) && (
          <span className={own['mark']} title={words.unusedHint}>
            {words.unusedMark}
          </span>
        )}
      </td>
      <td className={styles['nowrap']}>
        {instantWords(changedAt, now)}
        {changedAt !== createdAt && (
          <span className={styles['id']}>{`added ${instantWords(createdAt, now)}`}</span>
        )}
      </td>
      <td className={styles['nowrap']}>
        {lastUsedAt === null ? words.neverUsed : instantWords(lastUsedAt, now)}
      </td>
      <td>
        <Actions entry={entry} {...acts} />
      </td>
    </tr>
  )
}

function Actions({ entry, isUsable, onEdit, onRemove }: Acts & { readonly entry: SecretEntry }) {
  const { name } = entry
  return (
    <div className={styles['actions']}>
      <Button
        isSmall
        testId={`secret-edit-${name}`}
        aria-label={`Change ${name}`}
        disabled={!isUsable}
        onClick={() => onEdit(entry)}
      >
        Change
      </Button>
      <Button
        isSmall
        testId={`secret-remove-${name}`}
        aria-label={`Remove ${name}`}
        onClick={() => onRemove(name)}
      >
        Remove
      </Button>
    </div>
  )
}

/** What it is bound to, one line for each sort of binding. */
function Bound({ secret: { hosts, kinds, nodes } }: { readonly secret: SecretEntry }) {
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
