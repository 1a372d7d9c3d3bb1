/** I18 and I25 for bodies and signals: turns without a gap, every message taken once and in its order. */

import { placeOf } from '../../src-engine/core/scope-path.ts'
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
      if (takers.length > 1) found.push(`I25 ${messageId} was taken by ${takers.join(' and ')}`)
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

/** Who took each message, by its id. */
function takenBy({ invocations }: RunHistory): ReadonlyMap<string, readonly string[]> {
  const taken = new Map<string, string[]>()
  for (const { id, status, cause } of invocations) {
    if (cause.kind !== 'signal' || cause.by === null || status !== 'SUCCESS') continue
    taken.set(cause.by, [...(taken.get(cause.by) ?? []), id])
  }
  return taken
}

function checkSignalOrder({ run, events }: RunHistory): readonly string[] {
  const found: string[] = []
  let kept: readonly BufferedSignal[] = []
  for (const { body } of events) {
    if (body.type !== 'run.changed' || body.set.signals === undefined) continue
    const now = body.set.signals
    const gone = kept.filter((signal) => !now.some(({ messageId }) => messageId === signal.messageId))
    for (const { name, correlation, messageId } of gone) {
      const first = kept.find((signal) => signal.name === name && signal.correlation === correlation)
      if (first?.messageId !== messageId) found.push(`I25 ${run.id}: ${messageId} was taken before its turn`)
    }
    kept = now
  }
  return found
}

/** I18: the items of a map and the turns of a loop are numbered from 0 without a gap. */
export function checkTurns({ runs }: History): readonly string[] {
  const found: string[] = []
  for (const { run, invocations } of runs) {
    const counts = new Map<string, Set<number>>()
    for (const { path, generation } of invocations) {
      if (path === '') continue
      const { parent, container, index } = placeOf(path)
      const key = `${generation} ${parent} ${container}`
      counts.set(key, (counts.get(key) ?? new Set()).add(index))
    }
    for (const [key, seen] of counts) {
      if (Math.max(...seen) !== seen.size - 1) found.push(`I18 ${run.id}: a gap in the turns of ${key}`)
    }
  }
  return found
}
