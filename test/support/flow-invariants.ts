/** I18 and I25 for bodies and signals: turns without a gap, every message taken once and in its order. */

import { placeOf } from '../../src-engine/core/scope-path.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import { isOfRun } from '../../src-engine/model/ids.ts'
import type { BufferedSignal } from '../../src-engine/model/run.ts'
import type { History, RunHistory } from './history.ts'

/** A signal whose receipt somebody was told of. */
export interface Signalled {
  readonly runId: string
  readonly messageId: string
}

/** I25: no acknowledged signal is lost, none is taken twice, and those of one name in the order they came. */
export function checkSignals({ runs }: History, signalled: readonly Signalled[]): readonly string[] {
  const found: string[] = []
  for (const history of runs) {
    const taken = takenBy(history)
    for (const [messageId, takers] of taken) {
      // An event that is emitted goes to all who wait for it.
      if (takers.length > 1 && !messageId.startsWith('of:'))
        found.push(`I25 ${messageId} was taken by ${takers.join(' and ')}`)
    }
    const { run } = history
    for (const { runId, messageId } of signalled) {
      if (runId !== run.id || taken.has(messageId)) continue
      if (!run.signals.some((signal) => signal.messageId === messageId))
        found.push(`I25 ${messageId} was acknowledged, but ${runId} doesn’t know it`)
    }
    found.push(...checkSignalOrder(history))
  }
  return found
}

/** A web call of a step that was answered as taken. */
export interface Called {
  readonly id: InvocationId
  readonly mark: string
}

/** I25 for web calls: what was answered as taken is on the record of its step, or kept for it. */
export function checkCalls({ runs }: History, called: readonly Called[]): readonly string[] {
  const found: string[] = []
  for (const { run, invocations } of runs) {
    for (const { id, mark } of called.filter((one) => isOfRun(one.id, run.id))) {
      const heard = invocations.find((record) => record.id === id)?.dispatch?.heard ?? []
      const kept = run.signals.find((signal) => signal.for === id)?.messages ?? []
      if (!heard.includes(mark) && !kept.includes(mark))
        found.push(`I25 a call of ${id} was answered, but ${run.id} doesn’t know it`)
    }
  }
  return found
}

/** Who took each message, by its id. */
function takenBy({ invocations }: RunHistory): ReadonlyMap<string, readonly string[]> {
  const taken = new Map<string, string[]>()
  for (const { id, status, cause, dispatch, taskKind } of invocations) {
    if (status !== 'SUCCESS') continue
    const one = cause.kind === 'signal' && cause.by !== null ? [cause.by] : []
    // All of them, where it waited for several.
    const messages = taskKind === 'wait-signal' ? (dispatch?.heard ?? one) : one
    for (const message of messages) taken.set(message, [...(taken.get(message) ?? []), id])
  }
  return taken
}

function checkSignalOrder({ run, events }: RunHistory): readonly string[] {
  const found: string[] = []
  let kept: readonly BufferedSignal[] = []
  for (const { body } of events) {
    if (body.type !== 'run.changed' || body.set.signals === undefined) continue
    const now = body.set.signals
    // What was called so far is one entry that changes with each call.
    const isThere = (signal: BufferedSignal): boolean =>
      signal.for !== undefined || now.some(({ messageId }) => messageId === signal.messageId)
    const gone = kept.filter((signal) => !isThere(signal))
    const passed = new Set<string>()
    for (const { name, correlation, messageId } of gone) {
      const first = kept.find(
        (signal) =>
          signal.name === name && signal.correlation === correlation && !passed.has(signal.messageId),
      )
      passed.add(messageId)
      if (first?.messageId !== messageId) found.push(`I25 ${run.id}: ${messageId} was taken before its turn`)
    }
    // In the order in which they came, whatever order they are kept in.
    const before = new Set(kept.map(({ messageId }) => messageId))
    kept = [
      ...kept.filter((signal) => !gone.includes(signal)),
      ...now.filter(({ messageId }) => !before.has(messageId)),
    ]
  }
  return found
}

/** I24: what a step started is there, and a step that waited for it has what it came to. */
export function checkChildren({ runs }: History): readonly string[] {
  const found: string[] = []
  const steps = new Map(runs.flatMap(({ invocations }) => invocations.map((record) => [record.id, record])))
  const outputs = new Map<string, string[]>()
  for (const { run, events } of runs) {
    const parent = run.parentInvocationId
    if (parent === null) continue
    if (!steps.has(parent)) found.push(`I24 ${run.id} was started by ${parent}, which isn’t there`)
    outputs.set(parent, [...(outputs.get(parent) ?? []), ...givenBy(events)])
  }
  for (const { workflow, invocations } of runs) {
    for (const { id, nodeId, status, taskKind, attempt, output, cause } of invocations) {
      const { parameters, behaviour } = workflow.nodeById.get(nodeId) ?? {}
      // One that is passed by calls nobody: what arrived goes on, by an attempt where it lies in blobs.
      const calls = taskKind === 'sub-workflow' && behaviour === 'run' && attempt > 0
      const waits = calls && parameters?.['mode'] === 'wait'
      if (!waits || status !== 'SUCCESS' || cause.kind === 'skip') continue
      if (outputs.get(id)?.includes(JSON.stringify(output)) !== true)
        found.push(`I24 ${id} succeeded with what no run gave`)
    }
  }
  return found
}

/** What it gave as a success, also where it has been undone since. */
const givenBy = (events: RunHistory['events']): readonly string[] =>
  events.flatMap(({ body }) =>
    body.type === 'run.changed' && body.to === 'SUCCEEDED' && body.set.output !== undefined
      ? [JSON.stringify(body.set.output)]
      : [],
  )

/** I18: the items of a map and the turns of a loop are numbered from 0 without a gap. */
export function checkTurns({ runs }: History): readonly string[] {
  const found: string[] = []
  for (const { run, invocations } of runs) {
    const counts = new Map<string, Set<number>>()
    const count = (key: string, index: number): void => {
      counts.set(key, (counts.get(key) ?? new Set()).add(index))
    }
    for (const { path, generation, nodeId, dispatch } of invocations) {
      // What an earlier generation did has no steps in this one.
      for (const { at, count: items } of dispatch?.taken ?? [])
        for (let index = at; index < at + items; index += 1) count(`${generation} ${path} ${nodeId}`, index)
      if (path === '') continue
      const { parent, container, index } = placeOf(path)
      count(`${generation} ${parent} ${container}`, index)
    }
    for (const [key, seen] of counts) {
      if (Math.max(...seen) !== seen.size - 1) found.push(`I18 ${run.id}: a gap in the turns of ${key}`)
    }
  }
  return found
}
