/** What came together starts a run, and what waited alone for too long is dropped: each with its record. */

import { createHash } from 'node:crypto'
import { recordOfThrown } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { ConditionUse, TriggerName, TriggerRecord, WaitingOccurrence } from '../../model/trigger.ts'
import { firingIdOf, firingKey, firingValue, isTriggerOn } from '../../model/trigger.ts'
import type { RegisterGuard } from '../register-look.ts'
import { inputOf } from './event-match.ts'
import type { Fired, FireParts, Occurrence, ToFire } from './start-firing.ts'
import { skipFiring, startFiring } from './start-firing.ts'
import type { GuardedWrite, StoredFiring, StoredTrigger } from './trigger-registers.ts'
import { loadStoredFiring, loadTrigger, movedTrigger, writeRegisters } from './trigger-registers.ts'
import { compositeOf, expiredOf, together, waitingDueAt } from './waiting.ts'

/** A run that began, and the records of the conditions that it began with. */
export interface StartedTogether {
  readonly runId: RunId
  readonly with: readonly string[]
}

const racesMax = 50

/** Answers all that is complete, and drops what is over; resolves with what began. */
export async function takeCompositeTurn(
  parts: FireParts,
  name: TriggerName,
  { guards }: { readonly guards: readonly RegisterGuard[] },
): Promise<readonly StartedTogether[]> {
  const started: StartedTogether[] = []
  for (let races = 0; races < racesMax; ) {
    const stored = await loadTrigger(parts, name)
    if (stored === null || !isTriggerOn(stored.record)) return started
    const halves = together(stored.record)
    const over = halves === null ? expiredOf(stored.record, parts.clock.now()) : []
    if (halves === null && over.length === 0) return started
    const answer =
      halves === null
        ? await drop(parts, { stored, guards, halves: over })
        : await begin(parts, { stored, guards, halves })
    if (answer.kind === 'started') started.push({ runId: answer.runId, with: (halves ?? []).map(firingIdIn) })
    // Somebody else answers the same, and moved the trigger.
    if (answer.kind === 'lost' || answer.kind === 'known') races += 1
  }
  return started
}

interface Turn {
  readonly stored: StoredTrigger
  readonly guards: readonly RegisterGuard[]
  readonly halves: readonly WaitingOccurrence[]
}

const firingIdIn = ({ source }: WaitingOccurrence): string =>
  source.kind === 'condition' ? source.firingId : ''

/** What they are known by together. */
const idOf = (halves: readonly WaitingOccurrence[]): string =>
  createHash('sha256').update(halves.map(firingIdIn).join(' ')).digest('base64url').slice(0, 27)

async function begin(parts: FireParts, turn: Turn): Promise<Fired> {
  const { record } = turn.stored
  const met = await Promise.all(turn.halves.map((half) => loadStoredFiring(parts, firingIdIn(half))))
  const words =
    compositeOf(record).mode === 'any'
      ? `Its condition “${nameIn(turn.halves[0])}” was met.`
      : 'All of its conditions were met.'
  const toFire = toFireOf(parts, turn, { met, words })
  let input: JsonValue
  try {
    input = await inputIn(parts, turn, { met, id: toFire.occurrence.id })
  } catch (thrown) {
    const failed = `The expression for its input failed: ${recordOfThrown(thrown).message}`
    return skipFiring(parts, toFire, { reason: 'expression_failed', words: failed })
  }
  const request = `composite:${record.workflowId}/${record.triggerId}:${toFire.occurrence.id}`
  return settled(parts, toFire, await startFiring(parts, { ...toFire, input, request }))
}

async function drop(parts: FireParts, turn: Turn): Promise<Fired> {
  const met = await Promise.all(turn.halves.map((half) => loadStoredFiring(parts, firingIdIn(half))))
  const names = [...new Set(turn.halves.map((half) => `“${nameIn(half)}”`))].join(', ')
  const words = `${names} waited for the other conditions for too long.`
  const toFire = toFireOf(parts, turn, { met, words })
  return settled(parts, toFire, await skipFiring(parts, toFire, { reason: 'expired', words }))
}

/** Decided before, by one of this name that was there before: it is not to be met again. */
async function settled(parts: FireParts, { trigger, move, guards }: ToFire, fired: Fired): Promise<Fired> {
  if (fired.kind !== 'known' || move === null) return fired
  await writeRegisters(parts, [movedTrigger(trigger, move)], guards)
  return fired
}

const nameIn = (half: WaitingOccurrence | undefined): string =>
  half?.source.kind === 'condition' ? half.source.triggerId : ''

function toFireOf(
  parts: FireParts,
  { stored, guards, halves }: Turn,
  given: { readonly met: readonly (StoredFiring | null)[]; readonly words: string },
): ToFire {
  const { met, words } = given
  const rest: TriggerRecord = {
    ...stored.record,
    waiting: stored.record.waiting.filter((half) => !halves.includes(half)),
  }
  const occurrence: Occurrence = {
    id: idOf(halves),
    at: Math.max(...halves.map(({ at }) => at)),
    sources: halves.map(({ source }) => source),
    slots: null,
    words,
    depth: Math.max(1, ...met.map((firing) => firing?.record.depth ?? 1)),
  }
  const used = { triggerId: stored.record.triggerId, firingId: firingIdOf(stored.record, occurrence) }
  return {
    trigger: stored,
    occurrence,
    move: { record: rest, dueAt: waitingDueAt(rest) },
    guards,
    also: met.flatMap((firing) => (firing === null ? [] : usedWrite(firing, used))),
  }
}

/** The record of a condition with what came of it. Whoever else uses it writes the same register. */
function usedWrite({ record, epoch, version }: StoredFiring, used: ConditionUse): readonly GuardedWrite[] {
  const conditionOf = record.conditionOf.map((use) => (use.triggerId === used.triggerId ? used : use))
  return [{ key: firingKey(record.id), epoch, version, value: firingValue({ ...record, conditionOf }) }]
}

/** What each condition hands on, by its key; of any one what that one does. */
async function inputIn(
  parts: FireParts,
  { stored: { record }, halves }: Turn,
  { met, id }: { readonly met: readonly (StoredFiring | null)[]; readonly id: string },
): Promise<JsonValue> {
  const { mode, input } = compositeOf(record)
  const carried = await Promise.all(
    met.map(async (firing) => {
      const payload = firing?.record.carried ?? null
      return payload === null ? null : parts.payloads.value(payload)
    }),
  )
  const payload: JsonObject = Object.fromEntries(
    halves.map((half, place) => [nameIn(half), carried[place] ?? null]),
  )
  const at = new Date(Math.max(...halves.map((half) => half.at))).toISOString()
  const event = { id, name: `composite.${mode}`, correlation: null, payload, at, source: null }
  // It is JSON: it came with a document.
  const own = input as JsonValue
  const isOwn = typeof own !== 'string' || own.trim() !== ''
  if (!isOwn && mode === 'any') return carried[0] ?? {}
  return inputOf(parts, own, { event, now: Math.max(...halves.map((half) => half.at)) })
}
