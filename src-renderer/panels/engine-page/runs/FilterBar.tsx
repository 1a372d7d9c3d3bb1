/** What the runs are narrowed to, beside their states. A pasted id or line of a log leads to what it names. */

import { Search } from 'lucide-react'
import { useState } from 'react'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { RunSummary } from '../../../../src-engine/protocol/api.ts'
import { runBeginnings, runTimes } from '../../../../src-engine/protocol/run-search.ts'
import { placeCommands } from '../../../commands/place-commands.ts'
import { useDesigner, useDocument, useRunViews } from '../../../state/context.ts'
import type { RunPageFilter } from '../../../state/run-views-store.ts'
import {
  beginningWords,
  timeWords,
  waitsForWords,
  runListWords as words,
} from '../../../text/run-list-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import page from '../EnginePage.module.css'
import styles from './RunsPage.module.css'

export function FilterBar({ rows }: { readonly rows: readonly RunSummary[] }) {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const put = (changes: Partial<RunPageFilter>): void =>
    designer.runViews.getState().setFilter({ ...filter, ...changes })
  return (
    <div className={styles['filters']}>
      <Written
        label={words.text}
        hint={words.textHint}
        testId="runs-text"
        value={filter.text}
        onChange={(text) => put({ text })}
        isSearch
      />
      <WorkflowChoice rows={rows} />
      <select
        className={controls['field']}
        aria-label={words.time}
        data-testid="runs-time"
        value={filter.time ?? 'any'}
        onChange={({ currentTarget: { value } }) =>
          put({ time: runTimes.find((one) => one === value) ?? null })
        }
      >
        {(['any', ...runTimes] as const).map((time) => (
          <option key={time} value={time}>
            {timeWords[time]}
          </option>
        ))}
      </select>
      <select
        className={controls['field']}
        aria-label={words.origin}
        data-testid="runs-origin"
        value={filter.origin ?? 'any'}
        onChange={({ currentTarget: { value } }) =>
          put({ origin: runBeginnings.find((one) => one === value) ?? null })
        }
      >
        {(['any', ...runBeginnings] as const).map((origin) => (
          <option key={origin} value={origin}>
            {beginningWords[origin]}
          </option>
        ))}
      </select>
      <TenantChoice rows={rows} />
      <Written
        label={words.error}
        hint={words.errorHint}
        testId="runs-error"
        value={filter.error}
        onChange={(error) => put({ error })}
      />
      <Written
        label={words.failedAt}
        hint={words.failedAtHint}
        testId="runs-failed-at"
        value={filter.failedAt}
        onChange={(failedAt) => put({ failedAt })}
      />
      <WaitChoice />
    </div>
  )
}

/** One that isn't among the usual reasons, from a link or a view, is there by its code. */
function WaitChoice() {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const { waitsFor: chosen } = filter
  const isKnown = chosen === null || chosen in waitsForWords
  return (
    <select
      className={controls['field']}
      aria-label={words.waitsFor}
      data-testid="runs-waits-for"
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) =>
        designer.runViews.getState().setFilter({ ...filter, waitsFor: value === '' ? null : value })
      }
    >
      <option value="">{words.anyWait}</option>
      {Object.entries(waitsForWords).map(([code, title]) => (
        <option key={code} value={code}>
          {title}
        </option>
      ))}
      {!isKnown && <option value={chosen}>{chosen}</option>}
    </select>
  )
}

/** The workflows that are known here: of the rows, the open one, and the chosen one. */
function WorkflowChoice({ rows }: { readonly rows: readonly RunSummary[] }) {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const open = useDocument((state) => (state.isOpen ? state.history.document : null))
  const known = new Map(rows.map(({ run }) => [run.workflowId, run.workflowTitle]))
  if (open !== null && !known.has(open.id)) known.set(open.id, open.title)
  const chosen = filter.workflowId
  if (chosen !== null && !known.has(chosen)) known.set(chosen, chosen)
  return (
    <select
      className={controls['field']}
      aria-label={words.workflow}
      data-testid="runs-of"
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) =>
        designer.runViews
          .getState()
          .setFilter({ ...filter, workflowId: value === '' ? null : workflowId(value) })
      }
    >
      <option value="">{words.anyWorkflow}</option>
      {[...known].map(([id, title]) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  )
}

/** Only where there is more than one tenant to choose: most people have none. */
function TenantChoice({ rows }: { readonly rows: readonly RunSummary[] }) {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const { tenant: chosen } = filter
  const known = new Set(rows.map(({ run }) => run.tenant))
  if (chosen !== null) known.add(chosen)
  if (known.size < 2 && chosen === null) return null
  return (
    <select
      className={controls['field']}
      aria-label={words.tenant}
      data-testid="runs-tenant"
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) =>
        designer.runViews.getState().setFilter({ ...filter, tenant: value === '' ? null : value })
      }
    >
      <option value="">{words.anyTenant}</option>
      {[...known].toSorted().map((tenant) => (
        <option key={tenant} value={tenant}>
          {tenant}
        </option>
      ))}
    </select>
  )
}

/** A field whose text counts when it is left or Enter is pressed: no key stroke looks through all runs. */
function Written(props: {
  readonly label: string
  readonly hint: string
  readonly testId: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isSearch?: boolean
}) {
  const { label, hint, testId, value, onChange, isSearch = false } = props
  const designer = useDesigner()
  const [text, setText] = useState(value)
  const [before, setBefore] = useState(value)
  if (before !== value) {
    setBefore(value)
    setText(value)
  }
  const places = isSearch ? placeCommands(text) : []
  const take = (): void => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <form
      className={isSearch ? styles['search'] : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        take()
      }}
    >
      <div className={isSearch ? page['search'] : undefined}>
        {isSearch && <Search size={14} aria-hidden />}
        <input
          className={controls['field']}
          aria-label={label}
          placeholder={hint}
          data-testid={testId}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={take}
        />
      </div>
      {places.length > 0 && (
        <span className={styles['places']} data-testid="runs-places">
          {places.map((command) => (
            <Button key={command.id} isSmall kind="quiet" onClick={() => command.run(designer)}>
              {command.title}
            </Button>
          ))}
        </span>
      )}
    </form>
  )
}
