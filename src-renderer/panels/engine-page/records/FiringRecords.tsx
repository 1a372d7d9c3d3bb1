/** What triggers did, newest first: of all of them, or of one, for which it is told why nothing comes. */

import { Zap } from 'lucide-react'
import { useState } from 'react'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../../../src-engine/model/limits.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import type { TriggerView } from '../../../../src-engine/protocol/trigger-views.ts'
import { useDesigner, useRecords } from '../../../state/context.ts'
import type { RecordsState } from '../../../state/records-store.ts'
import { fill } from '../../../text/messages.ts'
import { records as words } from '../../../text/record-words.ts'
import { firingWords } from '../../../text/source-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { RowTop } from '../split/RowTop.tsx'
import { SplitList } from '../split/SplitList.tsx'
import split from '../split/SplitPage.module.css'
import { SplitPage } from '../split/SplitPage.tsx'
import { FiringDetail } from './FiringDetail.tsx'
import styles from './Records.module.css'
import { outcomeWords, shownFirings, titleOfFiring } from './record-rows.ts'
import { TriggerNow } from './TriggerNow.tsx'

const pageStep = 50

export function FiringRecords() {
  const designer = useDesigner()
  const { workflowId: of, triggerId, outcome, firingId, led } = useRecords((state) => state)
  const [limit, setLimit] = useState(pageStep)
  const list = useLiveAnswer('triggers.list', { workflowId: null })
  const known = useLiveAnswer('triggers.firings', { workflowId: of, triggerId, after: null, limit })
  if (known.answer === null || list.answer === null) return <PageError error={known.error ?? list.error} />
  const { triggers } = list.answer
  const shown = shownFirings(known.answer.firings, { outcome, led })
  const isEverything = of === null && outcome === 'all'
  if (shown.length === 0 && isEverything) {
    return <EmptyState icon={Zap} text={words.empty} testId="firings-empty" />
  }
  const rows = shown.map((firing) => ({ firing, trigger: viewOf(triggers, firing) }))
  const chosen = rows.find(({ firing }) => firing.id === firingId) ?? rows[0] ?? null
  const one = triggers.find((view) => view.workflowId === of && view.triggerId === triggerId) ?? null
  return (
    <SplitPage
      label={words.tabs.firings}
      list={
        <>
          <Filters triggers={triggers} />
          {one !== null && <TriggerNow view={one} />}
          {shown.length === 0 ? (
            <p className={page['none']}>{outcome === 'all' ? words.noneOfTrigger : words.none}</p>
          ) : (
            <SplitList
              label={words.tabs.firings}
              name="firing"
              entries={rows}
              chosen={chosen}
              idOf={({ firing }) => firing.id}
              onChoose={(id) => designer.records.getState().look({ firingId: id })}
              Row={FiringRow}
            />
          )}
        </>
      }
      foot={
        <>
          <span>{fill(words.count, { count: String(shown.length) })}</span>
          {known.answer.next !== null && limit < pageSizeMax && (
            <Button isSmall kind="quiet" onClick={() => setLimit(Math.min(limit + pageStep, pageSizeMax))}>
              {words.older}
            </Button>
          )}
        </>
      }
    >
      {chosen === null ? (
        <p className={page['none']}>{words.choose}</p>
      ) : (
        <FiringDetail key={chosen.firing.id} {...chosen} />
      )}
    </SplitPage>
  )
}

const viewOf = (triggers: readonly TriggerView[], firing: FiringRecord): TriggerView | null =>
  triggers.find((view) => view.workflowId === firing.workflowId && view.triggerId === firing.triggerId) ??
  null

function Filters({ triggers }: { readonly triggers: readonly TriggerView[] }) {
  const designer = useDesigner()
  const { workflowId: of, triggerId, outcome } = useRecords((state) => state)
  const current = of === null || triggerId === null ? '' : JSON.stringify([of, triggerId])
  const look = (changes: Partial<RecordsState>): void =>
    designer.records.getState().look({ ...changes, firingId: null, led: null })
  return (
    <div className={split['filters']}>
      <select
        className={controls['field']}
        aria-label={words.trigger}
        data-testid="firings-trigger"
        value={current}
        onChange={(event) => {
          const [workflow, trigger] =
            event.currentTarget.value === '' ? [] : pairOf(event.currentTarget.value)
          look({
            workflowId: workflow === undefined ? null : workflowId(workflow),
            triggerId: trigger ?? null,
          })
        }}
      >
        <option value="">{words.every}</option>
        {triggers.map((view) => (
          <option
            key={`${view.workflowId} ${view.triggerId}`}
            value={JSON.stringify([view.workflowId, view.triggerId])}
          >
            {`${view.workflowTitle} · ${view.title ?? view.triggerId}`}
          </option>
        ))}
      </select>
      <select
        className={controls['field']}
        aria-label={words.outcome}
        data-testid="firings-outcome"
        value={outcome}
        onChange={(event) => {
          const picked = outcomes.find((one) => one === event.currentTarget.value) ?? 'all'
          look({ outcome: picked })
        }}
      >
        {outcomes.map((one) => (
          <option key={one} value={one}>
            {words.outcomes[one]}
          </option>
        ))}
      </select>
    </div>
  )
}

const outcomes = ['all', 'started', 'skipped'] as const

/** A value of the list of triggers. */
const pairOf = (text: string): readonly string[] => JSON.parse(text) as readonly string[]

interface Row {
  readonly firing: FiringRecord
  /** As it is now; null for one that isn't published any more. */
  readonly trigger: TriggerView | null
}

function FiringRow({ entry: { firing, trigger } }: { readonly entry: Row }) {
  return (
    <>
      <RowTop title={titleOfFiring(firing, trigger?.title)} at={firing.at} />
      <span
        className={styles['outcome']}
        data-outcome={firing.runId === null ? 'skipped' : 'started'}
        data-testid="firing-outcome"
      >
        {outcomeWords(firing)}
      </span>
      <span className={split['message']}>{firingWords(firing)}</span>
    </>
  )
}
