/** What a trigger does next and did last, as the seconds pass. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { TriggerView } from '../../../src-engine/protocol/trigger-views.ts'
import { useTriggers } from '../../state/context.ts'
import { conditions } from '../../text/condition-words.ts'
import { fill } from '../../text/messages.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import { aheadWords, instantWords } from '../../ui/time-words.ts'
import { useSecondClock } from '../../ui/use-clock.ts'
import styles from './TriggerCard.module.css'
import type { TriggerLook } from './trigger-look.ts'
import { lastActOf } from './trigger-look.ts'
import { useScheduleWords } from './use-schedule-words.ts'

interface LineProps {
  readonly id: string
  readonly kind: string
  readonly parameters: JsonObject
  readonly look: TriggerLook
}

export function LiveLine({ id, kind, parameters, look }: LineProps) {
  const view = useTriggers((state) => state.views?.get(id) ?? null)
  if (view === null) {
    return kind === 'cron' && look.standing === 'unpublished' ? <Planned parameters={parameters} /> : null
  }
  return (
    <span className={styles['live']} data-testid="trigger-live">
      {view.on && view.nextAt !== null && <Next at={view.nextAt} />}
      {view.on && view.kind === 'cron' && view.nextAt === null && <span>{words.noNext}</span>}
      {view.waiting.length > 0 && (
        <span className={styles['waits']} data-testid="trigger-waits">
          {waitsWords(view)}
        </span>
      )}
      <Last view={view} />
    </span>
  )
}

/** What it lacks where that has names, else how much it has gathered. */
function waitsWords({ missing, waiting }: TriggerView): string {
  if (missing.length > 0) return fill(conditions.waitsFor, { titles: missing.join(', ') })
  return waiting.length === 1 ? words.waitsOne : fill(words.waits, { count: String(waiting.length) })
}

function Next({ at }: { readonly at: number }) {
  const now = useSecondClock()
  return (
    <time title={new Date(at).toLocaleString()} data-testid="trigger-next">
      {words.next} <b>{aheadWords(at, now)}</b>
    </time>
  )
}

/** It isn't published: this is when it would start. */
function Planned({ parameters }: { readonly parameters: JsonObject }) {
  const now = useSecondClock()
  const at = useScheduleWords(parameters)?.slots[0]?.fireAt
  if (at === undefined) return null
  return (
    <span className={styles['live']} data-testid="trigger-live">
      <time title={new Date(at).toLocaleString()}>
        {words.nextPublished} <b>{aheadWords(at, now)}</b>
      </time>
    </span>
  )
}

function Last({ view }: { readonly view: TriggerView }) {
  const now = useSecondClock()
  const last = lastActOf(view)
  if (last === null) return <span>{words.nothingYet}</span>
  const when = instantWords(last.at, now)
  return (
    <span data-act={last.kind} data-testid="trigger-last" title={new Date(last.at).toLocaleString()}>
      {last.kind === 'started' ? `${words.started} ${when}` : `${words.skipped} ${when}: ${last.why}`}
    </span>
  )
}
