/**
 * A run whose steps change their state as fast as they are told to, as events of the engine: what reads them, gathers them
 * per frame, encodes and sends them is the product's own. The run itself was really started; only its steps are scripted.
 */

import type { Cursor, EngineEvent, EventBody } from '../../src-engine/model/event.ts'
import { packEvents } from '../../src-engine/model/event-codec.ts'
import type { NodeId, RunId } from '../../src-engine/model/ids.ts'
import { invocationId, nodeId, opId, runnerId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { newInvocation } from '../../src-engine/model/new-records.ts'
import type { PackedGroup } from '../../src-engine/model/packed-group.ts'
import { narrowed, readGroup } from '../../src-engine/model/packed-group.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { RunSnapshot } from '../../src-engine/protocol/snapshot.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'

type Follow = Parameters<Engine['follow']>[0]

/** How a step goes round: it is claimed, runs, and is tried again. */
const round: readonly InvocationStatus[] = ['REGISTERED', 'PENDING', 'RUNNING', 'RETRY']
/** Who is behind by more begins with a fresh snapshot anyway. */
const keptMax = 150_000
const batchMax = 1_000
const tickMs = 8

export interface ScriptedRun {
  readonly snapshot: (real: RunSnapshot) => RunSnapshot
  readonly follow: (request: Follow) => () => void
  /** From now on so many changes in a second; 0 stops them. */
  readonly rate: (perSecond: number) => void
  /** So many changes at once, for a run that is opened when it is over. */
  readonly fill: (count: number) => void
  /** What every step has come to: what a view has to show. */
  readonly final: () => Readonly<Record<string, string>>
  readonly sent: () => number
}

interface State {
  readonly runId: RunId
  readonly records: Map<NodeId, InvocationRecord>
  readonly order: readonly NodeId[]
  readonly followers: Set<Follow>
  /** The newest events; all of them while they are few. */
  kept: EngineEvent[]
  seq: number
  begun: number
  made: number
  perSecond: number
  at: number
  timer: NodeJS.Timeout | null
}

/** Scripts the steps `ids` of a run that was started, from its event `seq` on. */
export function scriptRun(run: RunRecord, ids: readonly string[], seq: number): ScriptedRun {
  const runId = run.id
  const order = ids.map(nodeId)
  const records = new Map(order.map((id) => [id, recordOf(runId, id)]))
  const state: State = {
    ...{ runId, records, order, followers: new Set(), kept: [], seq },
    ...{ begun: 0, made: 0, perSecond: 0, at: 0, timer: null },
  }
  // Who reads from the first event on hears of every step before it changes.
  state.kept.push(eventOf(state, null, { type: 'run.created', run }))
  for (const record of records.values())
    state.kept.push(eventOf(state, record, { type: 'invocation.registered', invocation: record }))
  return {
    snapshot: (real) => ({
      ...real,
      invocations: [
        ...real.invocations.filter((record) => !records.has(record.nodeId)),
        ...state.records.values(),
      ],
      seq: state.seq,
    }),
    follow: (request) => follow(state, request),
    rate: (perSecond) => setRate(state, perSecond),
    fill: (count) => {
      keep(state, changes(state, count))
    },
    final: () =>
      Object.fromEntries([...state.records].map(([id, { status, attempt }]) => [id, `${status} ${attempt}`])),
    sent: () => state.seq - seq,
  }
}

const recordOf = (runId: RunId, id: NodeId): InvocationRecord =>
  newInvocation({
    id: invocationId(`${runId}/${id}`),
    runId,
    nodeId: id,
    taskKind: 'noop',
    registeredAt: 1_000,
    cause: { kind: 'upstream', by: null, detail: null },
  })

/** What was missed is given a batch at a time, as a store is read: who has enough of it stops in between. */
function follow(state: State, request: Follow): () => void {
  let from = request.cursor?.[0]?.seq ?? 0
  let isFollowed = true
  const more = (): void => {
    if (!isFollowed) return
    const first = state.kept[0]?.seq ?? 0
    const begin = Math.max(0, from - first + 1)
    const batch = state.kept.slice(begin, begin + batchMax)
    from = batch.at(-1)?.seq ?? from
    give(request, batch)
    if (batch.length === batchMax) setImmediate(more)
    else state.followers.add(request)
  }
  more()
  return () => {
    isFollowed = false
    state.followers.delete(request)
  }
}

function give(request: Follow, events: readonly EngineEvent[]): void {
  const last = events.at(-1)
  if (last === undefined) return
  const cursor: Cursor = [{ partition: last.partition, epoch: last.epoch, seq: last.seq }]
  if (request.form !== 'packed') return request.receive(events, cursor)
  const { wants } = request
  const groups = events.flatMap((event) => packed.get(event) ?? [])
  const items = wants === undefined ? groups : groups.flatMap((group) => narrowed(group, wants) ?? [])
  request.receive(items, cursor)
}

/** Made with the event, as a store makes it with its commit. */
const packed = new WeakMap<EngineEvent, PackedGroup>()

function packedOf(event: EngineEvent): PackedGroup {
  const { partition, epoch, seq, at, opId: op, actor, runId, invocationId: id, cause, body } = event
  const text = packEvents({ epoch, runId, at, opId: op, actor }, [{ runId, invocationId: id, cause, body }])
  return readGroup({ partition, epoch, seq, count: 1, runId, text, only: null })
}

function setRate(state: State, perSecond: number): void {
  if (state.timer !== null) clearInterval(state.timer)
  state.timer = null
  state.perSecond = perSecond
  state.begun = performance.now()
  state.made = 0
  if (perSecond > 0) state.timer = setInterval(() => tick(state), tickMs)
}

/** One after the other: as arguments of one call the changes of some starved seconds would be too many. */
function keep(state: State, events: ReturnType<typeof changes>): void {
  for (const event of events) state.kept.push(event)
}

function tick(state: State): void {
  const due = Math.floor(((performance.now() - state.begun) / 1_000) * state.perSecond) - state.made
  state.made += due
  const events = changes(state, due)
  keep(state, events)
  if (state.kept.length > 2 * keptMax) state.kept = state.kept.slice(-keptMax)
  for (const request of state.followers)
    for (let at = 0; at < events.length; at += batchMax) give(request, events.slice(at, at + batchMax))
}

function changes(state: State, count: number): EngineEvent[] {
  return Array.from({ length: count }, () => {
    const id = state.order[state.at % state.order.length] ?? nodeId('')
    state.at += 1
    return change(state, id)
  })
}

function change(state: State, id: NodeId): EngineEvent {
  const record = state.records.get(id) ?? recordOf(state.runId, id)
  const to = round[(round.indexOf(record.status) + 1) % round.length] ?? 'PENDING'
  const set: Partial<InvocationRecord> =
    to === 'RUNNING'
      ? { startedAt: 1_000 + state.seq, attempt: record.attempt + 1, version: record.version + 1 }
      : { version: record.version + 1, notBefore: to === 'RETRY' ? 5_000 + state.seq : null }
  state.records.set(id, { ...record, ...set, status: to })
  return eventOf(state, record, { type: 'invocation.changed', from: record.status, to, set, attempt: null })
}

function eventOf(state: State, record: InvocationRecord | null, body: EventBody): EngineEvent {
  state.seq += 1
  const event: EngineEvent = {
    partition: 0,
    epoch: 0,
    seq: state.seq,
    at: 1_000 + state.seq,
    opId: opId(`bench-${state.seq}`),
    actor: { kind: 'runner', id: runnerId('bench') },
    prevHash: state.seq.toString(16).padStart(64, '0'),
    hash: (state.seq + 1).toString(16).padStart(64, '0'),
    runId: state.runId,
    invocationId: record?.id ?? null,
    cause: { kind: 'upstream', by: null, detail: null },
    body,
  }
  packed.set(event, packedOf(event))
  return event
}
