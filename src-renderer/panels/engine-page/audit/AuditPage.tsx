/** Who decided what, over all runs: approvals, held results, rollbacks, dead letters, runs and policies. */

import { Gavel, RefreshCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry } from '../../../../src-engine/protocol/audit.ts'
import { auditSubjects } from '../../../../src-engine/protocol/audit.ts'
import { useDesigner } from '../../../state/context.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { audit as words } from '../../../text/audit-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import styles from './Audit.module.css'
import type { AuditFilter } from './use-audit.ts'
import { useAudit } from './use-audit.ts'

const everything: AuditFilter = { about: null, by: '' }

export function AuditPage() {
  const [filter, setFilter] = useState(everything)
  const { found, error, isLoading, older, refresh } = useAudit(filter)
  if (found === null) return <PageError error={error} />
  const { entries, next } = found
  const isFiltered = filter.about !== null || filter.by !== ''
  return (
    <div data-testid="audit-page">
      <header className={page['head']}>
        <h1>{words.page}</h1>
        <p>{words.lead}</p>
      </header>
      <Filters filter={filter} onChange={setFilter} onRefresh={refresh} />
      {entries.length === 0 ? (
        isLoading ? (
          <p className={page['none']}>{words.loading}</p>
        ) : (
          <EmptyState icon={isFiltered ? SearchX : Gavel} text={isFiltered ? words.none : words.empty} />
        )
      ) : (
        <Decisions entries={entries} />
      )}
      {next !== null && (
        <p className={page['foot']}>
          <Button isSmall testId="audit-older" disabled={isLoading} onClick={older}>
            {isLoading ? words.loading : words.older}
          </Button>
        </p>
      )}
    </div>
  )
}

function Filters(props: {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
  readonly onRefresh: () => void
}) {
  const { filter, onChange, onRefresh } = props
  const [by, setBy] = useState(filter.by)
  return (
    <form
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ ...filter, by: by.trim() })
      }}
    >
      <select
        className={controls['field']}
        aria-label={words.about}
        data-testid="audit-about"
        value={filter.about ?? ''}
        onChange={(event) => {
          const about = auditSubjects.find((one) => one === event.currentTarget.value) ?? null
          onChange({ ...filter, about })
        }}
      >
        <option value="">{words.every}</option>
        {auditSubjects.map((subject) => (
          <option key={subject} value={subject}>
            {words.subjects[subject]}
          </option>
        ))}
      </select>
      <input
        className={controls['field']}
        aria-label={words.by}
        placeholder={words.anybody}
        data-testid="audit-by"
        value={by}
        onChange={(event) => setBy(event.currentTarget.value)}
        onBlur={() => onChange({ ...filter, by: by.trim() })}
      />
      <IconButton icon={RefreshCw} label={words.refresh} data-testid="audit-refresh" onClick={onRefresh} />
    </form>
  )
}

function Decisions({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <table className={page['table']} data-testid="audit-table">
      <thead>
        <tr>
          <th scope="col">{words.columns.when}</th>
          <th scope="col">{words.columns.who}</th>
          <th scope="col">{words.columns.what}</th>
          <th scope="col">{words.columns.where}</th>
          <th scope="col">{words.columns.why}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Decision key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Decision({ entry }: { readonly entry: AuditEntry }) {
  const now = useSlowClock()
  const { at, by, act, about, reason, hash } = entry
  const what = about === 'run' && entry.nodeId !== null ? words.aStep : words.one[about]
  return (
    <tr data-testid="audit-row" data-about={about} data-act={act}>
      <td className={page['nowrap']}>
        <time title={new Date(at).toLocaleString()}>{instantWords(at, now)}</time>
      </td>
      <td>
        {by === null ? (
          <span className={page['words']}>{act === 'expired' ? words.nobody : words.somebody}</span>
        ) : (
          <span className={page['name']}>{by}</span>
        )}
      </td>
      <td>
        <span className={page['name']}>{words.acts[act]}</span>
        <span className={page['words']}>{what}</span>
      </td>
      <td>
        <Place entry={entry} />
        {hash !== null && (
          <code className={page['id']} title={entry.runId === null ? words.inEffect : words.seen}>
            {hash.slice(0, 19)}
          </code>
        )}
      </td>
      <td className={page['words']}>{reason ?? '—'}</td>
    </tr>
  )
}

/** The way to the run and its step. */
function Place({ entry: { runId, nodeId, invocationId, workflowTitle } }: { readonly entry: AuditEntry }) {
  const designer = useDesigner()
  if (runId === null) return null
  const title = workflowTitle ?? runId
  return (
    <button
      type="button"
      className={styles['place']}
      onClick={() =>
        void showRunOf(designer, { runId, nodeId, ...(invocationId === null ? {} : { invocationId }) })
      }
    >
      {nodeId === null ? title : `${title} · ${nodeId}`}
    </button>
  )
}
