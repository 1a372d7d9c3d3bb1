/** I42 to I46, and what stands for running a step: what only some steps say of themselves, and what becomes of it. */

import { placeOf } from '../../src-engine/core/scope-path.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { itemKeysOf } from '../../src-engine/model/item-keys.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { placeOfTaken } from '../../src-engine/model/taken-items.ts'
import {
  digestOfStep,
  itemItself,
  retryConditions,
  stopConditions,
  unclearCondition,
} from './drawn-conditions.ts'
import type { Effect } from './effect-sink.ts'
import type { History, RunHistory } from './history.ts'
import { checkReuse } from './reuse-invariants.ts'
import { checkSteering } from './steering-invariants.ts'

/** All of them. */
export function checkParticulars(history: History, effects: readonly Effect[]): readonly string[] {
  return [
    ...history.runs.flatMap(checkRetries),
    ...history.runs.flatMap(checkStops),
    ...checkTakenOut(history, effects),
    ...history.runs.flatMap(checkKeys),
    ...checkSteering(history),
    ...checkReuse(history),
  ]
}

/** I42: where a step says when it is tried again, it is tried again then, and at no other time. */
function checkRetries(history: RunHistory): readonly string[] {
  const { workflow, events } = history
  const found: string[] = []
  const byId = byIdOf(history)
  // Who is on the way to an end tries nothing more.
  let isEnding = false
  for (const { body, invocationId: id } of events) {
    if (body.type === 'run.changed' && endsIt(body.set)) isEnding = true
    if (body.type !== 'invocation.changed' || body.attempt?.outcome !== 'failed') continue
    const record = byId.get(id)
    if (record?.role !== 'forward') continue
    const { retry } = workflow.nodeById.get(record.nodeId) ?? {}
    const condition = retry?.retryIf ?? null
    if (retry === undefined || condition === null) continue
    const says = condition === unclearCondition ? () => false : retryConditions.get(condition)
    if (says === undefined) continue
    const { attempt, to, set } = body
    const may = says(attempt.number)
    if (to === 'RETRY' && !may) found.push(`I42 ${id} is tried again, and “${condition}” says no`)
    const isLast = (set.failureCount ?? attempt.number) >= retry.maxAttempts
    const isOpen = !isEnding && record.path === '' && attempt.error?.code === 'debug_failure' && !isLast
    if (to === 'FAILED' && may && isOpen)
      found.push(`I42 ${id} isn’t tried again, and “${condition}” says so`)
  }
  return found
}

const endsIt = (set: Extract<EngineEvent['body'], { readonly type: 'run.changed' }>['set']): boolean =>
  [set.error, set.output, set.cancelRequestedAt].some((value) => value !== undefined && value !== null)

/** The steps of a run by their ids. */
const byIdOf = ({ invocations }: RunHistory): ReadonlyMap<string | null, InvocationRecord> =>
  new Map(invocations.map((record) => [record.id, record]))

/** I43: after the step whose condition ends its run nothing of that run begins any more. */
function checkStops(history: RunHistory): readonly string[] {
  const { run, workflow, events } = history
  const found: string[] = []
  const byId = byIdOf(history)
  let stopped: string | null = null
  for (const { body, invocationId: id } of events) {
    // Somebody has it go on.
    if (body.type === 'run.changed' && body.set.generation !== undefined) stopped = null
    if (body.type !== 'invocation.changed') continue
    const record = byId.get(id)
    if (record?.role !== 'forward') continue
    if (stopped !== null && body.to === 'RUNNING' && body.from === 'PENDING')
      found.push(`I43 ${id} begins after ${stopped} has ended ${run.id}`)
    const { stop = null } = workflow.nodeById.get(record.nodeId) ?? {}
    const ends = stop !== null && stopConditions.get(stop.condition) === true
    if (ends && body.to === 'SUCCESS' && body.attempt?.outcome === 'succeeded') stopped = id
  }
  return found
}

/** I44: what is to be taken out of a result stands in none of the run's records and events. */
function checkTakenOut({ runs }: History, effects: readonly Effect[]): readonly string[] {
  const histories = new Map<string, RunHistory>(runs.map((history) => [history.run.id, history]))
  const hidden = new Map<string, Map<string, string>>()
  const shown = new Set<string>()
  for (const { runId, invocationId, nodeId, input } of effects) {
    const history = histories.get(runId)
    if (history === undefined || input === null) continue
    const digest = digestOfStep(nodeId, input)
    const { redact = [] } = history.workflow.nodeById.get(nodeId as never) ?? {}
    const isHidden = redact.some((path) => path.join('.') === 'digest') && !invocationId.includes('~undo')
    if (!isHidden) shown.add(digest)
    else hidden.set(runId, (hidden.get(runId) ?? new Map<string, string>()).set(digest, invocationId))
  }
  const found: string[] = []
  for (const [runId, digests] of hidden) {
    const history = histories.get(runId)
    const text = JSON.stringify([history?.run, history?.invocations, history?.events])
    for (const [digest, id] of digests) {
      // The same was made elsewhere, where nobody takes it out.
      if (!shown.has(digest) && text.includes(digest)) found.push(`I44 what is taken out of ${id} is written`)
    }
  }
  return found
}

/** I45: what a map hands on is known by the keys of its items, and what it takes over was done, under the same key. */
function checkKeys({ workflow, invocations }: RunHistory): readonly string[] {
  const found: string[] = []
  for (const map of invocations) {
    const { kind, parameters = {} } = workflow.nodeById.get(map.nodeId) ?? {}
    const { items, key, gives } = parameters
    if (kind !== 'map' || map.role !== 'forward' || key !== itemItself || !Array.isArray(items)) continue
    const keys = [...new Set(items.map(String))]
    if (map.status === 'SUCCESS' && map.attempt > 0 && map.cause.kind !== 'skip')
      found.push(...checkGiven(map, { keys, isObject: gives === 'object' }))
    found.push(...checkTaken(map, { keys, invocations }))
  }
  return found
}

function checkGiven(
  { id, output, dispatch }: InvocationRecord,
  { keys, isObject }: { readonly keys: readonly string[]; readonly isObject: boolean },
): readonly string[] {
  if (output?.kind !== 'inline' || dispatch?.reused !== undefined) return []
  const given = JSON.parse(output.json) as JsonValue
  const isList = Array.isArray(given)
  const isEmpty = keys.length === 0
  if (isList) {
    return isObject || given.length !== keys.length
      ? [`I45 ${id} gives a list of ${given.length}, of ${keys.length} items`]
      : []
  }
  const names = Object.keys(given ?? {}).sort()
  const isRight = isObject && JSON.stringify(names) === JSON.stringify([...keys].sort())
  return isRight || isEmpty
    ? []
    : [`I45 ${id} gives ${names.join(', ')}, and its items are ${keys.join(', ')}`]
}

function checkTaken(
  map: InvocationRecord,
  all: { readonly keys: readonly string[]; readonly invocations: readonly InvocationRecord[] },
): readonly string[] {
  const found: string[] = []
  const own = itemKeysOf(map)
  if ((map.dispatch?.taken ?? []).length === 0 || own === null) return found
  for (const [index, key] of own.entries()) {
    const place = placeOfTaken(map.dispatch, index)
    if (place === null) continue
    const here = inItem(all.invocations, map, { generation: map.generation, index })
    if (here.length > 0) found.push(`I45 ${here[0]?.id} works on what was taken over`)
    const before = all.invocations.find(
      ({ nodeId, path, generation, role }) =>
        role === 'forward' && nodeId === map.nodeId && path === map.path && generation === place.generation,
    )
    const known = before === undefined ? null : itemKeysOf(before)
    if (known !== null && known[place.index] !== key)
      found.push(`I45 ${map.id} takes over ${known[place.index]} for ${key}`)
    const done = inItem(all.invocations, map, place)
    if (!done.some(({ status }) => status === 'SUCCESS'))
      found.push(`I45 ${map.id} takes over ${key}, which nobody has done`)
  }
  return found
}

/** What was at work on an item of a map. */
const inItem = (
  invocations: readonly InvocationRecord[],
  map: InvocationRecord,
  at: { readonly generation: number; readonly index: number },
): readonly InvocationRecord[] =>
  invocations.filter(({ path, generation, role }) => {
    if (path === '' || generation !== at.generation || role !== 'forward') return false
    const { container, parent, index } = placeOf(path)
    return container === map.nodeId && parent === map.path && index === at.index
  })
