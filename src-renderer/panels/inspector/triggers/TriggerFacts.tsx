/** A trigger as it was published: whether it acts, what it did and does next, and what can be done with it. */

import { History, Play } from 'lucide-react'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { Problem } from '../../../../src-engine/model/problem.ts'
import type { WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import type { TriggerView } from '../../../../src-engine/protocol/trigger-views.ts'
import { lookOf } from '../../../canvas/triggers/trigger-look.ts'
import { isWithin } from '../../../forms/form-context.ts'
import { useDesigner, useDocument, useTriggers } from '../../../state/context.ts'
import { showRecordsOf } from '../../../state/show-records.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { beginFire, publishTriggers, switchTrigger } from '../../../state/trigger-acts.ts'
import { fill } from '../../../text/messages.ts'
import { skipWords, triggers as words } from '../../../text/trigger-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { aheadWords, instantWords, momentWords } from '../../../ui/time-words.ts'
import { useSecondClock } from '../../../ui/use-clock.ts'
import styles from './Triggers.module.css'
import { WaitingList } from './WaitingList.tsx'
import { WebhookFacts } from './WebhookFacts.tsx'

interface FactsProps {
  readonly id: string
  readonly title: string
  readonly trigger: WorkflowTrigger | null
}

/** Whether a problem keeps this trigger from being published. */
const isErrorOf =
  (id: string) =>
  ({ severity, field }: Problem): boolean =>
    severity === 'error' && isWithin(field, `triggers.${id}`)

export function TriggerFacts({ id, title, trigger }: FactsProps) {
  const designer = useDesigner()
  const views = useTriggers((state) => state.views)
  const view = views?.get(id) ?? null
  const look = lookOf(id, trigger, views)
  const isWrong = useDocument(({ problems }) => problems.some(isErrorOf(id)))
  const needsPublishing = ['unpublished', 'changed', 'gone'].includes(look.standing)
  if (look.standing === 'asking' || look.standing === 'unknown') return null
  return (
    <section
      className={styles['facts']}
      data-tone={look.isUnsigned ? 'bad' : look.tone}
      data-testid="trigger-facts"
    >
      <div className={styles['standing']}>
        <p data-testid="trigger-standing">{look.words}</p>
        {view !== null && (
          <button
            type="button"
            role="switch"
            className={controls['switch']}
            aria-checked={view.on}
            aria-label={fill(view.on ? words.switchOff : words.switchOn, { title })}
            data-testid="trigger-switch"
            onClick={() => void switchTrigger(designer, id, !view.on)}
          />
        )}
      </div>
      {look.hint !== null && <p className={styles['hint']}>{look.hint}</p>}
      {view !== null && <ByHand view={view} />}
      {look.isUnsigned && <p className={styles['open']}>{words.unsigned}</p>}
      {view !== null && <Times view={view} />}
      <div className={styles['acts']}>
        {needsPublishing && (
          <Button
            isSmall
            kind="primary"
            testId="publish-here"
            disabled={isWrong}
            title={isWrong ? words.publishWrong : undefined}
            onClick={() => void publishTriggers(designer)}
          >
            {words.publish}
          </Button>
        )}
        {view !== null && (
          <Button
            isSmall
            icon={Play}
            testId="facts-fire"
            disabled={view.problem !== null}
            onClick={() => beginFire(designer, id)}
          >
            {words.fire}
          </Button>
        )}
        {view !== null && (
          <Button
            isSmall
            kind="quiet"
            icon={History}
            testId="trigger-why"
            onClick={() => showRecordsOf(designer, view)}
          >
            {words.why}
          </Button>
        )}
      </div>
      {view !== null && view.waiting.length > 0 && <WaitingList view={view} />}
      {trigger?.kind === 'webhook' && <WebhookFacts id={id} trigger={trigger} isPublished={view !== null} />}
    </section>
  )
}

/** Somebody said otherwise than the document, and it counts until they take it back. */
function ByHand({ view }: { readonly view: TriggerView }) {
  const designer = useDesigner()
  if (view.switched === null || view.switched === view.enabled) return null
  return (
    <p className={styles['byHand']} data-testid="trigger-by-hand">
      {view.switched ? words.byHand.on : words.byHand.off}{' '}
      <button
        type="button"
        className={styles['link']}
        onClick={() => void switchTrigger(designer, view.triggerId, null)}
      >
        {words.byHand.reset}
      </button>
    </p>
  )
}

function Times({ view }: { readonly view: TriggerView }) {
  const designer = useDesigner()
  const now = useSecondClock()
  const { lastFired, lastSkip, nextAt, firedCount, skippedCount } = view
  const { facts } = words
  return (
    <dl className={styles['times']}>
      {view.on && nextAt !== null && (
        <>
          <dt>{facts.next}</dt>
          <dd title={momentWords(nextAt)}>{aheadWords(nextAt, now)}</dd>
        </>
      )}
      <dt>{facts.last}</dt>
      <dd>
        {lastFired === null ? (
          facts.never
        ) : (
          <button
            type="button"
            className={styles['link']}
            title={words.showRun}
            onClick={() => void showRunOf(designer, { runId: runId(lastFired.runId), nodeId: null })}
          >
            {instantWords(lastFired.at, now)}
          </button>
        )}
      </dd>
      {lastSkip !== null && (
        <>
          <dt>{facts.skip}</dt>
          <dd data-tone="wait">
            {instantWords(lastSkip.at, now)}: {skipWords[lastSkip.reason] ?? lastSkip.reason}
          </dd>
        </>
      )}
      <dt>{facts.count}</dt>
      <dd>{fill(facts.counts, { fired: String(firedCount), skipped: String(skippedCount) })}</dd>
    </dl>
  )
}
