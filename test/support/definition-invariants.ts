/** I27: definitions are what their hashes say, for ever, and who executes a step can do its kind. I28: the history is all. */

import { definitionHashOf } from '../../src-engine/model/definition-hash.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { History, RunHistory } from './history.ts'
import { specsOfHistory } from './history.ts'
import { sameJson } from './same-json.ts'

/** I27: a run's document still has the hash that the run is bound to, and its steps were taken by who can do them. */
export async function checkDefinitions(store: Store, { runs }: History): Promise<readonly string[]> {
  const found: string[] = []
  const rows = await store.list(0, 'runners', { filter: null, page: { after: null, limit: pageSizeMax } })
  const kindsOf = new Map<string, readonly string[]>(rows.map(({ id, capabilities }) => [id, capabilities]))
  for (const { run, workflow, invocations, events } of runs) {
    const hash = definitionHashOf(workflow.document, specsOfHistory)
    if (hash !== run.definitionHash) found.push(`I27 the definition of ${run.id} is another one: ${hash}`)
    const kinds = new Map<string, string>(invocations.map(({ id, taskKind }) => [id, taskKind]))
    for (const { body, invocationId } of events) {
      if (body.type !== 'invocation.changed' || body.attempt === null) continue
      const kind = kinds.get(invocationId ?? '') ?? ''
      const own = kindsOf.get(body.attempt.runnerId)
      if (own === undefined || own.includes(kind) || isOfTheEngine(kind)) continue
      found.push(`I27 ${body.attempt.runnerId} executed ${invocationId}, and doesn’t know ${kind}`)
    }
  }
  return found
}

/** Its own tasks, its gates and what it hands on by itself are known to every runner. */
const isOfTheEngine = (kind: string): boolean => kind === '' || /^(core-|\$)/.test(kind)

/** I28: the events alone give the very bytes of the records, and of every attempt. */
export async function checkReplays(store: Store, { runs }: History): Promise<readonly string[]> {
  const found: string[] = []
  for (const history of runs) {
    const attempts = await store.load(0, 'attempts', { runId: history.run.id, invocationId: null })
    const replayed = replayRun(history.events)
    if (!sameJson(replayed.run, history.run))
      found.push(`I28 the events of ${history.run.id} give another run`)
    if (!sameJson([...replayed.invocations.values()].map(untimed), stepsOf(history)))
      found.push(`I28 the events of ${history.run.id} give other steps`)
    if (!sameJson(byPlace(replayed.attempts), byPlace(attempts)))
      found.push(`I28 the events of ${history.run.id} give other attempts`)
  }
  return found
}

/** In the order of their registration, as the events have them. */
function stepsOf({ invocations, events }: RunHistory): readonly InvocationRecord[] {
  const order = new Map<string, number>()
  for (const { body } of events)
    if (body.type === 'invocation.registered') order.set(body.invocation.id, order.size)
  return [...invocations].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)).map(untimed)
}

/** Renewals of a lease write no event. */
const untimed = (record: InvocationRecord): InvocationRecord =>
  record.lease === null ? record : { ...record, lease: { ...record.lease, expiresAt: 0 } }

const byPlace = <Attempt extends { readonly invocationId: string; readonly number: number }>(
  attempts: readonly Attempt[],
): readonly Attempt[] =>
  [...attempts].sort((a, b) =>
    a.invocationId === b.invocationId ? a.number - b.number : a.invocationId < b.invocationId ? -1 : 1,
  )
