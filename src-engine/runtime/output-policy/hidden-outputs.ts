/**
 * What readers don't see: results that are held back, wherever the run's records and history tell of them. What
 * was told before a late quarantine stays in the history, whose hashes chain; it is left out on the way to them.
 */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import type { Dispatch, InvocationRecord } from '../../model/invocation.ts'
import type { OutputCheck } from '../../model/output/output-check.ts'
import type { PackedGroup } from '../../model/packed-group.ts'
import type { Clock } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import { samePayload } from '../../model/value-codec.ts'
import type { Store } from '../../store/store.ts'
import { lateKey } from './late-mark.ts'

export interface HiddenOutputs {
  /** Events as readers may see them; the same list where there is nothing to leave out. */
  readonly events: (events: readonly EngineEvent[]) => Promise<readonly EngineEvent[]>
  /** Whether some of it may have to be left out; then the events are to be looked at one by one. */
  readonly concerns: (groups: readonly PackedGroup[]) => Promise<boolean>
  readonly attempts: (attempts: readonly AttemptRecord[]) => Promise<readonly AttemptRecord[]>
}

export interface HiddenOutputsParts {
  readonly store: Store
  readonly partition: number
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Asking more often tells nothing that matters. */
const lookMs: Millis = second

/** In each packed text that tells of a check, as what a step's dispatch says beside the usual is packed by name. */
const checkMark = '"check":'

export function createHiddenOutputs(parts: HiddenOutputsParts): HiddenOutputs {
  return new Curtain(parts)
}

class Curtain implements HiddenOutputs {
  readonly #parts: HiddenOutputsParts
  #hasLate = false
  #askedAt: Millis = Number.NEGATIVE_INFINITY

  constructor(parts: HiddenOutputsParts) {
    this.#parts = parts
  }

  async events(events: readonly EngineEvent[]): Promise<readonly EngineEvent[]> {
    const bare = events.some(tellsHeld) ? events.map(withoutHeld) : events
    const telling = bare.filter(tellsOutput)
    if (telling.length === 0 || !(await this.#mayHide())) return bare
    const ids = telling.flatMap(({ invocationId }) => (invocationId === null ? [] : [invocationId]))
    const hidden = await this.#hidden(ids)
    const runs = await this.#runsOf(bare.filter(tellsRunOutput))
    return bare.map((event) => {
      const { invocationId, runId } = event
      if (invocationId !== null)
        return hidden.has(invocationId) && tellsOutput(event) ? withoutOutput(event) : event
      return runId !== null && isTakenBack(event, runs.get(runId)) ? withoutOutput(event) : event
    })
  }

  async concerns(groups: readonly PackedGroup[]): Promise<boolean> {
    if (groups.length === 0) return false
    return groups.some(tellsCheck) || (await this.#mayHide())
  }

  async attempts(attempts: readonly AttemptRecord[]): Promise<readonly AttemptRecord[]> {
    if (attempts.length === 0 || !(await this.#mayHide())) return attempts
    const hidden = await this.#hidden(attempts.map(({ invocationId }) => invocationId))
    if (hidden.size === 0) return attempts
    return attempts.map((item) =>
      hidden.has(item.invocationId) ? { ...item, input: null, output: null } : item,
    )
  }

  /** False for nearly every store: then nobody asks any further. */
  async #mayHide(): Promise<boolean> {
    const { store, partition, clock } = this.#parts
    // What was pulled from elsewhere came without its registers.
    if (this.#hasLate || store.info.kind === 'pulled') return true
    if (clock.monotonic() - this.#askedAt < lookMs) return false
    this.#askedAt = clock.monotonic()
    this.#hasLate = (await store.load(partition, 'register', { key: lateKey })) !== null
    return this.#hasLate
  }

  async #hidden(ids: readonly InvocationId[]): Promise<ReadonlySet<InvocationId>> {
    const { store, partition } = this.#parts
    const records = await Promise.all(
      [...new Set(ids)].map((invocationId) => store.load(partition, 'invocation', { invocationId })),
    )
    return new Set(records.flatMap((record) => (record !== null && hidesPast(record) ? [record.id] : [])))
  }

  async #runsOf(telling: readonly EngineEvent[]): Promise<ReadonlyMap<RunId, RunRecord>> {
    const { store, partition } = this.#parts
    const ids = new Set(telling.flatMap(({ runId }) => (runId === null ? [] : [runId])))
    const runs = await Promise.all([...ids].map((runId) => store.load(partition, 'run', { runId })))
    return new Map(runs.flatMap((run) => (run === null ? [] : [[run.id, run] as const])))
  }
}

/** Where nobody looked when it was written, the text is looked through: of all that is watched that would be felt. */
const tellsCheck = ({ isUsual, text }: PackedGroup): boolean => isUsual !== true && text.includes(checkMark)

/** A run that has ended says something else of what it gave, or nothing any more. */
function isTakenBack({ body }: EngineEvent, run: RunRecord | undefined): boolean {
  if (run === undefined || body.type !== 'run.changed' || (body.set.output ?? null) === null) return false
  return runMachine.final.has(run.status) && !samePayload(run.output, body.set.output)
}

/** Whether what was told of its result before counts no more. */
function hidesPast({ dispatch }: InvocationRecord): boolean {
  const check = dispatch?.check ?? null
  return check !== null && check.phase === 'content' && check.standing !== 'released'
}

/** The record as readers may see it. */
function visible<Record extends { readonly dispatch: Dispatch | null }>(record: Record): Record {
  const check = record.dispatch?.check ?? null
  if (record.dispatch === null || check === null || !hasValues(check)) return record
  const bare = { ...check, held: null, input: null, findings: null }
  return { ...record, dispatch: { ...record.dispatch, check: bare } }
}

function tellsHeld({ body }: EngineEvent): boolean {
  const set = body.type === 'invocation.changed' ? body.set : null
  const check = set?.dispatch?.check ?? null
  return check !== null && hasValues(check)
}

const hasValues = ({ held, input, findings }: OutputCheck): boolean =>
  held !== null || input !== null || findings !== null

function withoutHeld(event: EngineEvent): EngineEvent {
  const { body } = event
  if (body.type !== 'invocation.changed' || body.set.dispatch === undefined) return event
  const set = { ...body.set, ...visible({ dispatch: body.set.dispatch }) }
  return { ...event, body: { ...body, set } }
}

/** What the check itself put in the place of the result is for everybody. */
function tellsOutput(event: EngineEvent): boolean {
  const { body } = event
  if (body.type === 'run.changed') return tellsRunOutput(event)
  if (body.type !== 'invocation.changed' || (body.set.dispatch?.check ?? null) !== null) return false
  const { set, attempt } = body
  return [set.output, set.input, attempt?.output, attempt?.input].some((value) => (value ?? null) !== null)
}

const tellsRunOutput = ({ body }: EngineEvent): boolean =>
  body.type === 'run.changed' && (body.set.output ?? null) !== null

function withoutOutput(event: EngineEvent): EngineEvent {
  const { body } = event
  if (body.type === 'run.changed') return { ...event, body: { ...body, set: { ...body.set, output: null } } }
  if (body.type !== 'invocation.changed') return event
  const attempt = body.attempt === null ? null : { ...body.attempt, input: null, output: null }
  const set = {
    ...body.set,
    ...(body.set.output === undefined ? {} : { output: null }),
    ...(body.set.input === undefined ? {} : { input: null }),
  }
  return { ...event, body: { ...body, set, attempt } }
}
