/** I46: who is asked for something by a step is one of those whom it meant, and whom it meant is asked. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { minute } from '../../src-engine/model/time.ts'
import type { History, RunHistory } from './history.ts'

/** Within that time what was written is brought about, whoever died in between. */
const broughtAboutMs = 6 * minute

interface Steerer {
  readonly record: InvocationRecord
  readonly history: RunHistory
  /** The runs that it says it has asked; null where that isn't written. */
  readonly requested: ReadonlySet<string> | null
}

export function checkSteering({ runs }: History): readonly string[] {
  const steerers = new Map<string, Steerer>()
  for (const history of runs) {
    for (const record of history.invocations) {
      if (record.taskKind === 'steer-runs' && record.attempt > 0)
        steerers.set(record.id, { record, history, requested: requestedBy(record) })
    }
  }
  if (steerers.size === 0) return []
  const found: string[] = []
  const byId = new Map<string, RunHistory>(runs.map((history) => [history.run.id, history]))
  for (const history of runs) {
    for (const id of askersOf(history)) {
      const steerer = steerers.get(id)
      if (steerer !== undefined) found.push(...checkAsked(history, steerer))
    }
  }
  for (const steerer of steerers.values()) {
    for (const id of steerer.requested ?? []) {
      const asked = byId.get(id)
      if (asked !== undefined) found.push(...checkReached(asked, steerer))
    }
  }
  return found
}

function requestedBy({ status, output }: InvocationRecord): ReadonlySet<string> | null {
  if (status !== 'SUCCESS' || output?.kind !== 'inline') return null
  const { requested } = JSON.parse(output.json) as {
    readonly requested?: readonly { readonly runId: string }[]
  }
  return requested === undefined ? null : new Set(requested.map(({ runId }) => runId))
}

/** Steps that asked the run to end, or sent it a signal. */
function askersOf({ run, events }: RunHistory): ReadonlySet<string> {
  const askers = new Set<string>()
  for (const event of events) {
    const by = asksToEnd(event)
    if (by !== null) askers.add(by)
    if (event.body.type !== 'run.changed') continue
    for (const { messageId } of event.body.set.signals ?? []) {
      if (isFor(messageId, run.id)) askers.add(messageId.slice('of:'.length, -run.id.length - 1))
    }
  }
  return askers
}

const asksToEnd = ({ body, cause }: EngineEvent): string | null =>
  body.type === 'run.changed' && (body.set.cancelRequestedAt ?? null) !== null && cause.kind === 'cancel'
    ? cause.by
    : null

const isFor = (messageId: string, runId: string): boolean =>
  messageId.startsWith('of:') && messageId.endsWith(`:${runId}`)

function checkAsked({ run }: RunHistory, { record, history, requested }: Steerer): readonly string[] {
  const found: string[] = []
  if (record.startedAt === null) found.push(`I46 ${run.id} was asked by ${record.id}, which never began`)
  if (requested !== null && !requested.has(run.id))
    found.push(`I46 ${run.id} was asked by ${record.id}, which doesn’t say so`)
  if (run.tenant !== history.run.tenant)
    found.push(`I46 ${run.id} of another tenant was asked by ${record.id}`)
  if (run.id === history.run.id) found.push(`I46 ${record.id} has asked its own run`)
  const parameters: JsonObject = history.workflow.nodeById.get(record.nodeId)?.parameters ?? {}
  const { which, workflow, runs } = parameters
  if (which === 'filter' && typeof workflow === 'string' && workflow !== run.workflowId)
    found.push(`I46 ${run.id} was asked by ${record.id}, and is no run of ${workflow}`)
  if (which === 'ids' && Array.isArray(runs) && !runs.includes(run.id))
    found.push(`I46 ${run.id} was asked by ${record.id}, which doesn’t name it`)
  return found
}

function checkReached(asked: RunHistory, { record, history }: Steerer): readonly string[] {
  const { run } = asked
  const since = record.finishedAt ?? 0
  const goesOnFor = (run.finishedAt ?? Number.POSITIVE_INFINITY) - since
  const { action = 'cancel' } = history.workflow.nodeById.get(record.nodeId)?.parameters ?? {}
  if (action !== 'cancel' || goesOnFor < broughtAboutMs) return []
  // Whoever asked first counts.
  const isAsked = asked.events.some(
    ({ body }) => body.type === 'run.changed' && (body.set.cancelRequestedAt ?? null) !== null,
  )
  return isAsked ? [] : [`I46 ${record.id} has asked ${run.id} to end, which was never told`]
}
