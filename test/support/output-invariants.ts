/** I39, I40: what is held back is seen by nobody before it is released; what is to be looked into is, once in effect. */

import { stepOfUndo } from '../../src-engine/core/saga/undo-chain.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { Effect } from './effect-sink.ts'
import type { History, RunHistory } from './history.ts'

export interface Judged {
  /** Steps whose results may be handed on only once somebody has released them. */
  readonly held: readonly string[]
  /** Steps whose results are held back when somebody has looked inside, if `isFound` says so. */
  readonly scanned: readonly string[]
  readonly isFound: (json: string) => boolean
}

/** Of all runs, at the end. */
export async function checkOutputs(
  store: Store,
  { runs }: History,
  { effects, judged }: { readonly effects: readonly Effect[]; readonly judged: Judged },
): Promise<readonly string[]> {
  const byRun = Map.groupBy(effects, ({ runId }) => runId)
  const found = runs.flatMap((run) => [
    ...checkHeld(run, judged),
    ...checkUnseen(run, byRun.get(run.run.id) ?? [], judged),
    ...checkScanned(run, judged),
  ])
  const filter = { dueBefore: Number.MAX_SAFE_INTEGER }
  const outbox = await store.list(0, 'outbox', { filter, page: { after: null, limit: pageSizeMax } })
  for (const { id } of outbox) {
    if (id.startsWith('scan:')) found.push(`I40 ${id} is still to be done`)
  }
  return found
}

/**
 * What a message said, what another run gave, and what a box hands on that lets nobody in: that was judged where it was
 * made.
 */
const isToldByOthers: ReadonlySet<string> = new Set([
  'wait-signal',
  'wait-webhook',
  'sub-workflow',
  'circuit-breaker',
])

/** A result that is held before it is handed on: a success only after its release, and nowhere else meanwhile. */
function checkHeld({ events, invocations }: RunHistory, { held }: Judged): readonly string[] {
  const found: string[] = []
  const nodeOf = new Map(
    invocations.flatMap(({ id, nodeId, taskKind, role }) =>
      // What undoes a step gives nothing that anybody sees.
      isToldByOthers.has(taskKind) || role !== 'forward' ? [] : [[id, nodeId]],
    ),
  )
  for (const { body, invocationId: id } of events) {
    if (id === null || body.type !== 'invocation.changed' || body.to !== 'SUCCESS') continue
    const isOwn = body.from === 'RUNNING' || body.from === 'RESUMED'
    if (isOwn && held.includes(nodeOf.get(id) ?? '')) found.push(`I39 the result of ${id} was handed on`)
  }
  for (const { id, status, output } of invocations) {
    if (status !== 'OUTPUT_QUARANTINED') continue
    if (output !== null) found.push(`I39 ${id} is held back, and still has its result`)
  }
  return found
}

/** No step got what is held before it was handed on, unless somebody released a result of that step. */
function checkUnseen(
  { invocations, events }: RunHistory,
  effects: readonly Effect[],
  { held }: Judged,
): readonly string[] {
  const found: string[] = []
  const released = new Set(
    events.flatMap(({ invocationId, body }) =>
      body.type === 'invocation.changed' && body.from === 'OUTPUT_QUARANTINED' ? [invocationId] : [],
    ),
  )
  const nodes = new Set(invocations.filter(({ id }) => released.has(id)).map(({ nodeId }) => nodeId))
  for (const { id, nodeId, dispatch } of invocations) {
    const payload = dispatch?.check?.held
    // What only hands on gives what everybody has.
    if (!held.includes(nodeId) || nodes.has(nodeId) || payload?.kind !== 'inline') continue
    if (!isItsOwn(payload.json, nodeId)) continue
    for (const { invocationId, input } of effects) {
      // Nobody could undo a step without what it gave.
      if (stepOfUndo(invocationId as InvocationId) === id) continue
      if (input?.includes(payload.json) === true) found.push(`I39 ${invocationId} saw what ${id} gave`)
    }
  }
  return found
}

/** Whether the step has made it, and not only handed it on. */
const isItsOwn = (json: string, nodeId: string): boolean => json.startsWith(`{"node":"${nodeId}"`)

/** A result that nobody may keep was looked into; and nothing that was released is held back again. */
function checkScanned({ events, invocations, run }: RunHistory, judged: Judged): readonly string[] {
  const found: string[] = []
  const released = new Set<string>()
  for (const { body, invocationId: id, actor } of events) {
    if (id === null || body.type !== 'invocation.changed' || body.from === body.to) continue
    if (body.from === 'OUTPUT_QUARANTINED' && body.to === 'SUCCESS') released.add(id)
    if (body.to === 'OUTPUT_QUARANTINED' && actor.kind === 'scan' && released.has(id))
      found.push(`I40 ${id} was looked into again after its release`)
  }
  for (const { id, nodeId, status, output, attempt, role } of invocations) {
    if (status !== 'SUCCESS' || attempt === 0 || role !== 'forward' || output?.kind !== 'inline') continue
    if (released.has(id) || !judged.scanned.includes(nodeId)) continue
    if (judged.isFound(output.json) && isItsOwn(output.json, nodeId))
      found.push(`I40 the result of ${id} was never looked into (${run.status})`)
  }
  return found
}
