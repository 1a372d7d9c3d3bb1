/**
 * I22 and I23, by the events alone: what a run did is undone once, in the reverse order in which it ended, the
 * next once the one before is dealt with, nothing else; and never in a run that succeeded.
 */

import type { CompiledWorkflow } from '../../src-engine/core/compile.ts'
import { isRecorded, undoesOf } from '../../src-engine/core/run-state.ts'
import { chainNumberOf, standingOf, stepOfUndo } from '../../src-engine/core/saga/undo-chain.ts'
import { placeOf } from '../../src-engine/core/scope-path.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { undoRoundsMax } from '../../src-engine/model/limits.ts'
import { passedOverBy } from '../../src-engine/model/passed-over.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { hasComeToRest } from '../../src-engine/model/run-status.ts'
import type { UndoFailure } from '../../src-engine/model/workflow.ts'
import type { History, RunHistory } from './history.ts'

/** I22, I23 of every run. */
export function checkSagas({ runs }: History): readonly string[] {
  const sagas = runs.filter(
    ({ invocations, workflow }) =>
      invocations.some(({ role }) => role === 'compensation') || workflow.saga !== null,
  )
  const children = Map.groupBy(runs, ({ run }) => run.parentInvocationId)
  return sagas.flatMap((run) => [...new RollbackWalk(run).play(), ...checkUndoneChildren(run, children)])
}

/** What a sub-workflow did is undone with the step that waited for it: nothing of it is left to be undone. */
function checkUndoneChildren(
  { run: parent, invocations, workflow, events }: RunHistory,
  children: ReadonlyMap<InvocationId | null, readonly RunHistory[]>,
): readonly string[] {
  const leftOf = (step: InvocationId): readonly RunHistory[] =>
    (children.get(step) ?? []).filter((child) => child.invocations.some(isRecorded))
  const undone = new Set<InvocationId>()
  const found: string[] = []
  for (const record of invocations) {
    if (record.role !== 'compensation') continue
    undone.add(stepOfUndo(record.id))
    if (record.status !== 'SUCCESS' || !isOfChild(workflow, record)) continue
    for (const { run } of leftOf(stepOfUndo(record.id)))
      found.push(`I22 ${record.id} is done, but its run ${run.id} is ${run.status}`)
  }
  if (parent.status !== 'COMPENSATED') return found
  // What nobody waits for is no part of the rollback.
  const waited = new Set(events.flatMap((event) => (waitsForRun(event) ? [event.invocationId] : [])))
  for (const { id, role, status } of invocations) {
    if (role !== 'forward' || status !== 'SUCCESS' || undone.has(id) || !waited.has(id)) continue
    for (const { run } of leftOf(id))
      if (run.status === 'SUCCEEDED')
        found.push(`I22 ${parent.id} is COMPENSATED, and nothing undoes ${id}: its run ${run.id} stays`)
  }
  return found
}

const waitsForRun = ({ body }: EngineEvent): boolean =>
  body.type === 'invocation.changed' && body.to === 'WAITING' && body.set.wait?.kind === 'run'

/** Compensations of one step, as they stand at one place of the history. */
interface Undo {
  /** The newest one of the chain. */
  record: InvocationRecord
  /** The order in which its step ended; never changes. */
  readonly place: number
  readonly scope: string | null
  successes: number
  /** Whether the newest one failed for good, and no person has passed over it since. */
  failed: boolean
}

interface StepEnd {
  readonly opId: string
  readonly from: string
  readonly status: string
  readonly nodeId: string
}

const hadEffect: ReadonlySet<string> = new Set(['SUCCESS', 'OUTPUT_QUARANTINED'])

/** Whether its end says that it had its effect. Passed over by its condition it has none of its own: only a try before that may have. */
const isSure = (step: InvocationRecord, { status }: StepEnd): boolean =>
  hadEffect.has(status) && passedOverBy(step) === null

const rolledBackEnds: ReadonlySet<string> = new Set(['COMPENSATED', 'COMPENSATION_FAILED', 'ABANDONED'])

/** One run's events, one after the other. */
class RollbackWalk {
  readonly #history: RunHistory
  readonly #records = new Map<string, InvocationRecord>()
  readonly #undos = new Map<string, Undo>()
  readonly #ends = new Map<string, StepEnd>()
  readonly #recordedIn = new Map<string, string>()
  readonly #begun = new Set<string>()
  readonly #found: string[] = []
  #status: RunStatus = 'CREATED'
  /** Whether the run is rolled back before, in or after the checkpoint that is looked at. */
  #isUndoing = false
  #lastPlace = 0

  constructor(history: RunHistory) {
    this.#history = history
  }

  play(): readonly string[] {
    const { events } = this.#history
    for (const own of Map.groupBy(events, ({ opId }) => opId).values()) {
      this.#isUndoing =
        this.#status === 'COMPENSATING' ||
        own.some(({ body }) => body.type === 'run.changed' && body.to === 'COMPENSATING')
      for (const event of own) this.#follow(event)
      this.#checkFailure(own)
    }
    this.#checkSet()
    this.#checkEnd()
    return this.#found
  }

  #follow(event: EngineEvent): void {
    const { body, invocationId: id, opId } = event
    if (body.type === 'run.created') this.#status = body.run.status
    if (body.type === 'run.changed' && body.to !== body.from) this.#moveRun(body.to, event)
    if (id === null) return
    if (body.type === 'invocation.registered') {
      this.#records.set(id, body.invocation)
      if (body.invocation.role === 'compensation') {
        this.#recordedIn.set(id, opId)
        this.#checkChain(body.invocation, event)
      }
      return
    }
    const before = this.#records.get(id)
    if (body.type !== 'invocation.changed' || before === undefined) return
    const after: InvocationRecord = { ...before, ...body.set, status: body.to }
    this.#records.set(id, after)
    if (after.role === 'compensation') this.#moveUndo(before, after)
    // A result may be held back, or released, after the end of its step.
    else if (invocationMachine.final.has(body.to) && !this.#ends.has(id))
      this.#ends.set(id, { opId, from: body.from, status: body.to, nodeId: after.nodeId })
  }

  #moveRun(to: RunStatus, { actor }: EngineEvent): void {
    const from = this.#status
    this.#status = to
    if (to === 'COMPENSATING' && from === 'SUCCEEDED' && !['operator', 'scan', 'run'].includes(actor.kind))
      this.#say(`I23 the ${actor.kind} has it rolled back, though it had succeeded`)
    if (to === 'ABANDONED' && actor.kind !== 'operator' && !this.#failsAs('stop'))
      this.#say(`I23 its rollback was given up by the ${actor.kind}`)
  }

  /** Whether something has failed, and the groups of all that did say the same about that. */
  #failsAs(said: UndoFailure): boolean {
    const failed = [...this.#undos.values()].filter((undo) => undo.failed)
    return failed.length > 0 && failed.every(({ record }) => saidOf(this.#history.workflow, record) === said)
  }

  /** A person is asked only where no group says how it goes on. */
  #checkFailure(own: readonly EngineEvent[]): void {
    const isAsked = own.some(({ body }) => body.type === 'run.changed' && body.to === 'COMPENSATION_FAILED')
    if (!isAsked || this.#status !== 'COMPENSATION_FAILED') return
    if (this.#failsAs('stop')) this.#say('I23 a person is asked, and its group has it stop there')
    for (const { record, failed } of this.#undos.values()) {
      const isOwn = record.status === 'FAILED' || record.status === 'TIMEOUT'
      if (!failed || !isOwn || saidOf(this.#history.workflow, record) !== 'retry') continue
      const isTask = this.#history.workflow.nodeById.get(record.nodeId)?.undo?.kind === 'task'
      if (isTask && chainNumberOf(record.id) <= undoRoundsMax)
        this.#say(`I23 a person is asked about ${record.id}, and its group has it begin anew`)
    }
  }

  /** Once more for one step only when the last one has failed, and when a person or its group says so. */
  #checkChain(record: InvocationRecord, { actor, cause }: EngineEvent): void {
    const { id } = record
    const number = chainNumberOf(id)
    if (number === 1) return
    const of = stepOfUndo(id)
    const last = this.#records.get(number === 2 ? `${of}~undo` : `${of}~undo${number - 1}`)
    const standing = last === undefined ? 'not there' : standingOf(last)
    const said = saidOf(this.#history.workflow, record)
    // Where it stops, that it is left as it is stands at the end of its chain.
    const isOfGroup = said === 'retry' || (said === 'stop' && cause.kind === 'abandoned')
    const isSaid = actor.kind === 'operator' || isOfGroup
    if (!isSaid || standing !== 'failed')
      this.#say(`I22 ${id} begins anew by the ${actor.kind}, and the one before is ${standing}`)
  }

  #moveUndo(before: InvocationRecord, after: InvocationRecord): void {
    const undoes = undoesOf(after)
    const { id } = after
    if (undoes === null) {
      this.#say(`I22 ${id} undoes nothing any more`)
      return
    }
    const known = this.#undos.get(undoes.of)
    const undo = known ?? this.#firstOf(after, undoes.place)
    if (undo.place !== undoes.place) this.#say(`I22 ${id} had the place ${undo.place}, now ${undoes.place}`)
    if (undoes.of !== stepOfUndo(id)) this.#say(`I22 ${id} undoes ${undoes.of}`)
    undo.record = after
    this.#undos.set(undoes.of, undo)
    const standing = standingOf(after)
    // A group that gives up leaves what failed, which is why; what a person passes over is dealt with.
    if (standing !== 'left' || after.cause.kind === 'skipped') undo.failed = standing === 'failed'
    if (after.status === before.status) return
    if (hadEffect.has(after.status)) {
      undo.successes += 1
      if (undo.successes > 1) this.#say(`I22 ${undoes.of} was undone ${undo.successes} times`)
    }
    if (standing === 'open') this.#checkTurn(undo)
  }

  /** Recorded after all before it, so its step ended last. */
  #firstOf(record: InvocationRecord, place: number): Undo {
    if (place <= this.#lastPlace)
      this.#say(`I22 ${record.id} has the place ${place}, after ${this.#lastPlace}`)
    this.#lastPlace = Math.max(this.#lastPlace, place)
    return { record, place, scope: scopeOf(this.#history.workflow, record), successes: 0, failed: false }
  }

  /** It is under way: the run is being undone, and all that ended later is dealt with. */
  #checkTurn(undo: Undo): void {
    const { id } = undo.record
    this.#begun.add(id)
    if (!this.#isUndoing) this.#say(`I23 ${id} goes on while the run is ${this.#status}`)
    // Those that are undone together stand where the last one of them does.
    const place = this.#unitPlace(undo)
    for (const other of this.#undos.values()) {
      if (other === undo || (undo.scope !== null && other.scope === undo.scope)) continue
      const standing = standingOf(other.record)
      if (this.#unitPlace(other) > place && standing !== 'done' && standing !== 'left')
        this.#say(`I22 ${id} goes on before ${other.record.id} has ended, which is ${other.record.status}`)
    }
  }

  #unitPlace({ scope, place }: Undo): number {
    if (scope === null) return place
    let last = place
    for (const other of this.#undos.values()) if (other.scope === scope) last = Math.max(last, other.place)
    return last
  }

  /** It did what it does, or nobody can say. */
  #hasToBeUndone(id: string, { status, from, nodeId }: StepEnd): boolean {
    const record = this.#records.get(id)
    // Its own condition kept it from running.
    if (record !== undefined && passedOverBy(record) !== null) return false
    if (hadEffect.has(status)) return true
    const { attempt = 0, crashCount = 0 } = record ?? {}
    const { sideEffect } = this.#history.workflow.nodeById.get(nodeId as never) ?? {}
    if (attempt === 0 || crashCount > 0 || sideEffect === 'pure') return false
    return status === 'TIMEOUT' || (status === 'CANCELLED' && from === 'RUNNING')
  }

  /** What has had its effect is recorded with its end, and nothing that had none. */
  #checkSet(): void {
    const { workflow } = this.#history
    for (const [id, end] of this.#ends) {
      const undo = workflow.nodeById.get(end.nodeId as never)?.undo ?? null
      if (undo === null || undo.kind === 'child' || !this.#hasToBeUndone(id, end)) continue
      const recorded = this.#undos.get(id)
      if (recorded === undefined) this.#say(`I22 ${id} ended ${end.status}, and nothing will undo it`)
      else if (this.#recordedIn.get(`${id}~undo`) !== end.opId)
        this.#say(`I22 what undoes ${id} was not recorded with its end`)
    }
    for (const [of, { record }] of this.#undos) {
      const end = this.#ends.get(of)
      const step = this.#records.get(of)
      const isUncertain = undoesOf(record)?.uncertain === true
      if (end === undefined || step === undefined) this.#say(`I22 ${record.id} undoes what hasn’t ended`)
      else if (step.attempt === 0 && !hadEffect.has(end.status))
        this.#say(`I22 ${record.id} undoes what never began`)
      else if (isUncertain === isSure(step, end) && !isOfChild(workflow, record))
        this.#say(`I22 ${record.id} undoes a step that is ${end.status}`)
    }
  }

  /** The end says what became of it all. */
  #checkEnd(): void {
    const { run } = this.#history
    const isUndone = [...this.#undos.values()].some(({ successes }) => successes > 0)
    if ((this.#begun.size > 0 || isUndone) && hasComeToRest(run.status) && !rolledBackEnds.has(run.status))
      this.#say(`I23 the run is ${run.status}, and ${[...this.#begun].join(', ')} went on`)
    if (run.status === 'COMPENSATED' && this.#undos.size === 0) this.#say('I23 nothing of it was undone')
    if (run.status !== 'COMPENSATED' && run.status !== 'ABANDONED') return
    for (const { record } of this.#undos.values()) {
      const standing = standingOf(record)
      if (standing !== 'done' && standing !== 'left')
        this.#say(`I22 the run is ${run.status}, but ${record.id} is ${record.status}`)
    }
  }

  #say(text: string): void {
    const [number = '', ...words] = text.split(' ')
    this.#found.push(`${number} ${this.#history.run.id}: ${words.join(' ')}`)
  }
}

const isOfChild = ({ nodeById }: CompiledWorkflow, { nodeId }: InvocationRecord): boolean =>
  nodeById.get(nodeId)?.undo?.kind === 'child'

/** What is to happen when it can't be undone, as its group says or that of a container around it. */
function saidOf({ saga }: CompiledWorkflow, record: InvocationRecord): UndoFailure {
  let place: { readonly nodeId: string; readonly path: string } = record
  for (;;) {
    const said = saga?.onFailure.get(place.nodeId)
    if (said !== undefined || place.path === '') return said ?? 'ask'
    const { container, parent } = placeOf(place.path)
    place = { nodeId: container, path: parent }
  }
}

/** The parallel scope that its step, or a container around it, is in; null for none. */
function scopeOf({ saga }: CompiledWorkflow, record: InvocationRecord): string | null {
  let place: { readonly nodeId: string; readonly path: string } = record
  for (;;) {
    const scope = saga?.parallelScopes.get(place.nodeId)
    if (scope !== undefined) return `${scope} ${place.path} ${record.generation}`
    if (place.path === '') return null
    const { container, parent } = placeOf(place.path)
    place = { nodeId: container, path: parent }
  }
}
