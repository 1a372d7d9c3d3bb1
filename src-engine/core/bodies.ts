/**
 * What goes on inside of maps, loops and semaphores: items and turns are opened, their ends are counted, and the
 * end of the last one ends the map or takes the loop to its next condition.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import { portsAfterBody, runsBodyOnce } from '../model/containers.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import { invocationIdOf } from '../model/ids.ts'
import type { Dispatch, InvocationRecord, LeftTurn, Wait, WaitReason } from '../model/invocation.ts'
import { itemKeysOf } from '../model/item-keys.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import { spanText } from '../model/summary.ts'
import { placeOfTaken } from '../model/taken-items.ts'
import type { Millis } from '../model/time.ts'
import { cancelBodyOf, cancelLevel } from './cancel-level.ts'
import type { CompiledNode } from './compile.ts'
import { dispatchWith, isPauseAsked } from './control/hold.ts'
import type { Draft, ScopeDraft } from './draft.ts'
import { moveInvocation, nodeOf, recordOf, scopeAt, touchInvocation } from './draft.ts'
import { failFinally } from './fail-finally.ts'
import type { LevelRecords } from './level-output.ts'
import { levelError, levelOutput } from './level-output.ts'
import { inlineInput } from './node-input.ts'
import { propagateFrom, propagateInto } from './propagate.ts'
import type { Generations, MapProgress } from './run-state.ts'
import { forwardId } from './run-state.ts'
import { pathInto, placeOf } from './scope-path.ts'
import { startNow } from './start-now.ts'
import { isStopping, scopeStops } from './stopping.ts'
import { waitEndOf } from './wait-ends.ts'

/** The items of a map, or the turn of a loop. */
export type BodyWait = Extract<Wait, { readonly kind: 'items' | 'turn' }>
type ItemsWait = Extract<Wait, { readonly kind: 'items' }>
export type TurnWait = Extract<Wait, { readonly kind: 'turn' }>

/** What a map that takes over what was done before has on its record. */
export type OpenedItems = Pick<Dispatch, 'digests' | 'taken'>

/** The attempt of a map or loop has ended with work for its body. */
export function openBody(
  draft: Draft,
  record: InvocationRecord,
  opened: {
    readonly wait: BodyWait
    /** How long a turn waits first; null for at once. */
    readonly delayMs: Millis | null
    /** What people know the items by; null where that is their number. */
    readonly keys: Payload | null
    /** What tells the items apart, and which of them were done before; null where nobody asks. */
    readonly items?: OpenedItems | null
    readonly input: Payload | null
    readonly attempt: AttemptRecord
  },
): void {
  const { delayMs, keys, items = null, input, attempt } = opened
  const node = nodeOf(draft, record)
  const opensAt = delayMs === null ? null : draft.context.now + delayMs
  const wait: BodyWait =
    opensAt === null || opened.wait.kind !== 'turn' ? opened.wait : { ...opened.wait, opensAt }
  const waitReason = reasonOf(node, wait)
  const notBefore = waitEndOf(node, record, opensAt)
  const set = { input, wait, waitReason, notBefore, ...dispatched(record, keys, items) }
  const after = moveInvocation(draft, record.id, { to: 'WAITING', set, attempt })
  if (isPauseAsked(after)) draft.pausedBodies = new Set([...(draft.pausedBodies ?? []), after.id])
  if (wait.kind === 'items') {
    openItems(draft, after, wait)
    endIfDone(draft, after, { node, wait })
  } else if (wait.opensAt === undefined) openLevel(draft, node, pathInto(record.path, node, wait.iteration))
}

/** A turn has waited long enough: its body begins. */
export function openTurn(
  draft: Draft,
  record: InvocationRecord,
  { opensAt: _past, ...wait }: TurnWait,
): void {
  const node = nodeOf(draft, record)
  const notBefore = waitEndOf(node, record, null)
  touchInvocation(draft, record.id, { wait, notBefore, waitReason: reasonOf(node, wait) })
  openLevel(draft, node, pathInto(record.path, node, wait.iteration))
}

function reasonOf(node: CompiledNode, wait: BodyWait): WaitReason {
  if (wait.kind === 'turn' && wait.opensAt !== undefined)
    return { code: 'timer', message: `Waits before turn ${wait.iteration + 1}.` }
  return { code: wait.kind, message: wordsOf(node, wait) }
}

function wordsOf({ kind, leaseMs }: CompiledNode, wait: BodyWait): string {
  if (wait.kind === 'items') return `Works on ${wait.count} items.`
  if (leaseMs !== null) return `Is at work inside, for ${spanText(leaseMs)} at most.`
  return runsBodyOnce(kind) ? 'Is at work inside.' : `Is in turn ${wait.iteration + 1}.`
}

/** Who failed with it before is no worse for its next turn than anybody else. */
function dispatched(
  record: InvocationRecord,
  keys: Payload | null,
  items: OpenedItems | null,
): Pick<InvocationRecord, 'dispatch'> | null {
  const isForgiven = (record.dispatch?.lastFailedRunner ?? null) !== null
  if (!isForgiven && keys === null && items === null) return null
  const set = { lastFailedRunner: null, ...(keys === null ? {} : { keys }), ...items }
  return { dispatch: dispatchWith(record, set) }
}

function openLevel(draft: Draft, node: CompiledNode, path: string): void {
  propagateInto(draft, scopeAt(draft, path, node), node.body?.starts ?? [])
}

const noProgress: MapProgress = { opened: 0, closed: 0, failed: 0 }

function progressOf(draft: Draft, map: InvocationRecord): MapProgress {
  return draft.maps?.get(map.id) ?? draft.state.maps.get(map.id) ?? noProgress
}

function noteProgress(draft: Draft, map: InvocationRecord, progress: MapProgress): void {
  draft.maps ??= new Map()
  draft.maps.set(map.id, progress)
}

/** As many as may be open at a time. */
function openItems(draft: Draft, map: InvocationRecord, wait: ItemsWait): void {
  const node = nodeOf(draft, map)
  for (let progress = progressOf(draft, map); mayOpen(progress, wait); progress = progressOf(draft, map)) {
    const path = pathInto(map.path, node, progress.opened)
    if (placeOfTaken(map.dispatch, progress.opened) !== null) {
      noteProgress(draft, map, { ...progress, opened: progress.opened + 1, closed: progress.closed + 1 })
      continue
    }
    if (isStopping(draft) || scopeStops(draft, scopeAt(draft, path, node))) return
    noteProgress(draft, map, { ...progress, opened: progress.opened + 1 })
    openLevel(draft, node, path)
  }
}

/** Whether a map may begin with its next item. */
export const mayOpen = ({ opened, closed, failed }: MapProgress, wait: ItemsWait): boolean =>
  failed <= wait.tolerated && opened < wait.count && opened - closed < wait.limit

/** Ends what has nothing under way any more, from the inside out, and opens what comes next. */
export function settleBodies(draft: Draft): void {
  cancelOrphans(draft)
  if (draft.bodies === null) return
  const closed = new Set<string>()
  const stopped = new Set<string>()
  for (let isMoving = true; isMoving; ) {
    isMoving = false
    // Levels that are opened meanwhile are visited too.
    for (const scope of draft.bodies.values()) {
      if (scope.failed && scope.activeCount > 0 && !stopped.has(scope.path)) {
        stopped.add(scope.path)
        cancelLevel(draft, scope.path)
      }
      if (scope.activeCount > 0 || closed.has(scope.path)) continue
      closed.add(scope.path)
      closeLevel(draft, scope)
      cancelOrphans(draft)
      isMoving = true
    }
  }
}

function cancelOrphans(draft: Draft): void {
  while (draft.orphans !== null && draft.orphans.length > 0) {
    const record = draft.orphans.pop()
    if (record !== undefined) cancelBodyOf(draft, record)
  }
}

function closeLevel(draft: Draft, scope: ScopeDraft): void {
  const { container, path } = scope
  if (container === null) return
  const record = recordOf(draft, forwardId(draft.state, container.id, placeOf(path).parent))
  if (record?.status !== 'WAITING') return
  if (record.wait?.kind === 'turn') endTurn(draft, record, { scope, node: container, wait: record.wait })
  if (record.wait?.kind === 'items') endItem(draft, record, { scope, node: container, wait: record.wait })
}

const recordsAt =
  (draft: Draft, path: string): LevelRecords =>
  (node) =>
    recordOf(draft, forwardId(draft.state, node.id, path))

function endTurn(
  draft: Draft,
  loop: InvocationRecord,
  turn: { readonly scope: ScopeDraft; readonly node: CompiledNode; readonly wait: TurnWait },
): void {
  const { scope, node, wait } = turn
  // However else it ended: what goes on in it after that counts no more.
  if (wait.left !== undefined) {
    endLeftTurn(draft, loop, { node, wait, left: wait.left })
    return
  }
  const nodes = node.body?.nodes ?? []
  const records = recordsAt(draft, scope.path)
  if (scope.failed) {
    failContainer(draft, loop, levelError(nodes, records) ?? errorRecord('task_failed'))
    return
  }
  const output = levelOutput(nodes, records)
  const value = inlineInput(output)
  if (value === null && output.kind !== 'single') {
    const message = `The body of “${loop.nodeId}” gives more than a record holds by several last nodes.`
    failContainer(draft, loop, errorRecord('payload_too_large', { message }))
    return
  }
  const given = value ?? (output.kind === 'single' ? output.payload : wait.value)
  if (runsBodyOnce(node.kind)) {
    const set = { output: given, error: null, ports: portsAfterBody(node.kind) }
    const after = moveInvocation(draft, loop.id, { to: 'SUCCESS', set })
    propagateFrom(draft, node, after)
    return
  }
  const next: TurnWait = { ...wait, iteration: wait.iteration + 1, value: given }
  startNow(draft, moveInvocation(draft, loop.id, { to: 'REROUTED', set: { wait: next } }))
}

/** A step of the turn left it: to the end of the loop, or to its next turn. */
function endLeftTurn(
  draft: Draft,
  loop: InvocationRecord,
  turn: { readonly node: CompiledNode; readonly wait: TurnWait; readonly left: LeftTurn },
): void {
  const { node, left } = turn
  const { left: _past, ...wait } = turn.wait
  if (left.how === 'break') {
    const after = moveInvocation(draft, loop.id, { to: 'SUCCESS', set: { output: left.value, error: null } })
    propagateFrom(draft, node, after)
    return
  }
  const next: TurnWait = { ...wait, iteration: wait.iteration + 1, value: left.value }
  startNow(draft, moveInvocation(draft, loop.id, { to: 'REROUTED', set: { wait: next } }))
}

function endItem(
  draft: Draft,
  map: InvocationRecord,
  item: { readonly scope: ScopeDraft; readonly node: CompiledNode; readonly wait: ItemsWait },
): void {
  const { scope, node, wait } = item
  const before = progressOf(draft, map)
  const failed = before.failed + (scope.failed ? 1 : 0)
  noteProgress(draft, map, { ...before, closed: before.closed + 1, failed })
  if (scope.failed && failed === wait.tolerated + 1) cancelBodyOf(draft, map)
  openItems(draft, map, wait)
  endIfDone(draft, map, { node, wait })
}

/** Nothing of it is under way any more, and nothing is left. */
function endIfDone(
  draft: Draft,
  map: InvocationRecord,
  of: { readonly node: CompiledNode; readonly wait: ItemsWait },
): void {
  const { node, wait } = of
  const { opened, closed, failed } = progressOf(draft, map)
  if (closed < opened) return
  if (failed > wait.tolerated) failContainer(draft, map, mapError(draft, map, { node, wait, failed }))
  else if (opened === wait.count) endMap(draft, map, { node, wait })
}

/** In the order of the items. A result that doesn't fit into the record is put together by an attempt. */
function endMap(
  draft: Draft,
  map: InvocationRecord,
  done: { readonly node: CompiledNode; readonly wait: ItemsWait },
): void {
  const { node, wait } = done
  const { count } = wait
  const results = mapResults({ node, map, count }, (id) => recordOf(draft, id), draft.state)
  const output = wait.isObject === true ? objectOf(results, itemKeysOf(map)) : listOf(results)
  if (output === null) {
    startNow(draft, moveInvocation(draft, map.id, { to: 'REROUTED', set: { wait: map.wait } }))
    return
  }
  const after = moveInvocation(draft, map.id, { to: 'SUCCESS', set: { output, error: null } })
  propagateFrom(draft, node, after)
}

/** What each item gave, here or before it was taken over; an item that failed gives `{"error": {…}}`. */
export function mapResults(
  of: { readonly node: CompiledNode; readonly map: InvocationRecord; readonly count: number },
  find: (id: InvocationId) => InvocationRecord | undefined,
  at: Generations,
): readonly ReturnType<typeof levelOutput>[] {
  const { node, map, count } = of
  const nodes = node.body?.nodes ?? []
  return Array.from({ length: count }, (_, index) => {
    const place = placeOfTaken(map.dispatch, index)
    const path = pathInto(map.path, node, place?.index ?? index)
    const records: LevelRecords = (inner) =>
      find(
        place === null
          ? forwardId(at, inner.id, path)
          : invocationIdOf({
              ...{ runId: map.runId, generation: place.generation, nodeId: inner.id },
              ...{ path, role: 'forward' },
            }),
      )
    const error = levelError(nodes, records)
    if (error === null) return levelOutput(nodes, records)
    return { kind: 'single', payload: { kind: 'inline', json: JSON.stringify({ error }) } }
  })
}

type Results = ReturnType<typeof mapResults>

function listOf(results: Results): Payload | null {
  const texts = textsOf(results)
  return texts === null ? null : inlinePayload(`[${texts.join(',')}]`)
}

/** By the keys of the items; null also where these are stored elsewhere. */
function objectOf(results: Results, keys: readonly string[] | null): Payload | null {
  const texts = keys === null ? null : textsOf(results)
  if (texts === null || keys === null) return null
  return inlinePayload(`{${texts.map((text, index) => `${JSON.stringify(keys[index])}:${text}`).join(',')}}`)
}

function textsOf(results: Results): readonly string[] | null {
  const texts: string[] = []
  for (const result of results) {
    const payload = inlineInput(result)
    if (payload?.kind !== 'inline') return null
    texts.push(payload.json)
  }
  return texts
}

function mapError(
  draft: Draft,
  map: InvocationRecord,
  of: { readonly node: CompiledNode; readonly wait: ItemsWait; readonly failed: number },
): ErrorRecord {
  const { node, wait, failed } = of
  const nodes = node.body?.nodes ?? []
  const { opened } = progressOf(draft, map)
  let first: ErrorRecord | null = null
  let index = 0
  for (; index < opened && first === null; index += 1) {
    first = levelError(nodes, recordsAt(draft, pathInto(map.path, node, index)))
  }
  const key = itemKeysOf(map)?.[index - 1]
  const item = key === undefined ? `Item ${index}` : `“${key}”`
  const message = `${failed} of ${wait.count} items of “${map.nodeId}” failed. ${item}: ${first?.message ?? ''}`
  const named = key === undefined ? {} : { key }
  const details = { failed, count: wait.count, tolerated: wait.tolerated, item: index - 1, ...named }
  return errorRecord('map_items_failed', { message, details: { ...details, cause: first?.code ?? null } })
}

function failContainer(draft: Draft, record: InvocationRecord, error: ErrorRecord): void {
  failFinally(draft, record, { node: nodeOf(draft, record), set: { error }, attempt: null, final: 'FAILED' })
}
