/**
 * An occurrence that is a condition of other triggers: its record, what it is handed on with, and its place among
 * what those wait with are one checkpoint. So it counts once for each of them, whatever crashes and whoever comes
 * second. What is complete then starts its run at once; if that is cut short, it is due.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { FiringRecord, TriggerRecord, WaitingOccurrence } from '../../model/trigger.ts'
import { firingIdOf, firingKey, firingValue, isTriggerOn, triggerKey } from '../../model/trigger.ts'
import type { RegisterGuard } from '../register-look.ts'
import { isOther, neverSeen } from '../register-look.ts'
import { takeCompositeTurn } from './composite-turn.ts'
import { hasRoom, replaced } from './composite-waiting.ts'
import type { Fired, FireParts, ToStart } from './start-firing.ts'
import { firingOf } from './start-firing.ts'
import type { GuardedWrite, StoredTrigger } from './trigger-registers.ts'
import { loadFiring, loadTrigger, movedTrigger, writeRegisters } from './trigger-registers.ts'
import { compositeOf, missingOf, waitingDueAt } from './waiting.ts'

const racesMax = 50

/** Has all that it is a condition of wait with it; `started` where one of them began a run with it. */
export async function meetCondition(parts: FireParts, fired: ToStart): Promise<Fired> {
  const firingId = firingIdOf(fired.trigger.record, fired.occurrence)
  const carried = await parts.payloads.keep(JSON.stringify(fired.input))
  for (let races = 0; races < racesMax; races += 1) {
    const composites = await loadComposites(parts, fired.trigger.record)
    const taken = composites.map((stored) => take(parts, stored, { fired, firingId }))
    const firing = firingOf(parts, fired, {
      runId: null,
      reason: 'condition',
      words: [fired.occurrence.words, ...taken.map(({ words }) => words)].join(' '),
      conditionOf: taken.flatMap(({ moved, stored }) =>
        moved === null ? [] : [{ triggerId: stored.record.triggerId, firingId: null }],
      ),
      carried,
    })
    const guards = [...fired.guards, ...taken.flatMap(untouched)]
    if (await writeRegisters(parts, writesOf(fired, firing, taken), guards)) return goOn(parts, firing, taken)
    if ((await loadFiring(parts, firingId)) !== null) return { kind: 'known' }
    // Where none of them was moved, it was the trigger itself, or what was to be as it was.
    if (!(await haveMoved(parts, composites))) return { kind: 'lost' }
  }
  throw new SagasmithError('lost_race')
}

/** Those that are gone meanwhile wait for nothing. */
async function loadComposites(
  parts: FireParts,
  { workflowId, conditionOf }: TriggerRecord,
): Promise<readonly StoredTrigger[]> {
  const found = await Promise.all(
    conditionOf.map((triggerId) => loadTrigger(parts, { workflowId, triggerId })),
  )
  return found.filter((stored) => stored !== null)
}

async function haveMoved(parts: FireParts, known: readonly StoredTrigger[]): Promise<boolean> {
  const now = await Promise.all(known.map(({ record }) => loadTrigger(parts, record)))
  return now.some((stored, place) => stored === null || isOther(stored, known[place] ?? neverSeen))
}

/** What one of them does with it; `moved` is null where it waits with nothing. */
interface Taken {
  readonly stored: StoredTrigger
  readonly moved: TriggerRecord | null
  readonly words: string
}

function take(
  parts: FireParts,
  stored: StoredTrigger,
  { fired, firingId }: { readonly fired: ToStart; readonly firingId: string },
): Taken {
  const { record } = stored
  const name = record.title ?? record.triggerId
  const { triggerId } = fired.trigger.record
  const condition = compositeOf(record).conditions.indexOf(triggerId)
  if (!isTriggerOn(record) || condition === -1)
    return { stored, moved: null, words: `It is a condition of “${name}”, which is off.` }
  const one: WaitingOccurrence = {
    condition,
    id: fired.occurrence.id,
    at: fired.occurrence.at,
    takenAt: parts.clock.now(),
    source: { kind: 'condition', triggerId, firingId },
  }
  const before = replaced(record, condition)
  const moved = { ...record, waiting: [...record.waiting.filter((half) => !before.includes(half)), one] }
  if (!hasRoom(moved))
    return {
      stored,
      moved: null,
      words: `It is a condition of “${name}”, which waits with too much already.`,
    }
  const missing = missingOf(moved).map((id) => `“${id}”`)
  const words =
    compositeOf(record).mode === 'any' || missing.length === 0
      ? `It is a condition of “${name}”, which has all that it needs.`
      : `It is a condition of “${name}”, which waits for ${missing.join(', ')}.`
  return { stored, moved, words }
}

function writesOf(fired: ToStart, firing: FiringRecord, taken: readonly Taken[]): readonly GuardedWrite[] {
  const kept = { key: firingKey(firing.id), version: 0, value: firingValue(firing) }
  const own: GuardedWrite[] = []
  if (fired.move !== null) {
    own.push(movedTrigger(fired.trigger, fired.move))
  }
  const waiting = taken.flatMap(({ stored, moved }): readonly GuardedWrite[] =>
    moved === null ? [] : [movedTrigger(stored, { record: moved, dueAt: waitingDueAt(moved) })],
  )
  return [kept, ...own, ...waiting, ...fired.also]
}

/** What was said of it holds for it as it was. */
const untouched = ({ stored: { record, epoch, version }, moved }: Taken): readonly RegisterGuard[] =>
  moved === null ? [{ key: triggerKey(record), epoch, version }] : []

/** It is durable: what fails from here on is due, and somebody looks. */
async function goOn(parts: FireParts, firing: FiringRecord, taken: readonly Taken[]): Promise<Fired> {
  let answer: Fired = { kind: 'met', firingId: firing.id, words: firing.words }
  for (const { moved } of taken) {
    if (moved === null) continue
    // What fails here is tried again when somebody looks at what is due.
    const started = await takeCompositeTurn(parts, moved, { guards: [] }).catch(() => [])
    const own = started.find(({ with: ids }) => ids.includes(firing.id))
    if (own !== undefined && answer.kind === 'met')
      answer = { kind: 'started', runId: own.runId, firingId: firing.id }
  }
  return answer
}
