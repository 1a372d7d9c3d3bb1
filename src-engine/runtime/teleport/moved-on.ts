/** Whether a run is still where it was when it was pulled: nobody resumes what they haven't seen. */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Store } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'

/** Throws `teleport_other_cluster`, `run_not_found`, `teleport_run_moved`, which tells what happened. */
export async function refuseMovedOn(source: Store, pulled: PulledRun, record: RunRecord): Promise<void> {
  const { runId, origin } = pulled
  if (source.info.id !== origin.storeId) {
    throw new SagasmithError('teleport_other_cluster', {
      message: `The run ${runId} was pulled from the store ${origin.storeId}, and this one is ${source.info.id}.`,
      details: { runId, expected: origin.storeId, found: source.info.id },
    })
  }
  const partition = partitionOfRun(source.info, runId)
  const now = await source.load(partition, 'run', { runId })
  if (now === null) {
    throw new SagasmithError('run_not_found', {
      message: `The run ${runId} is no longer on ${origin.cluster}.`,
      details: { runId, cluster: origin.cluster },
    })
  }
  const { epoch, seq } = origin
  const after = { partition, epoch, seq }
  const news = await source.readEvents({ after, runId, until: null, limit: eventBatchMax })
  if (news.length === 0 && now.version === record.version) return
  throw movedOn(now, news.length === 0 ? ['a failover took some of it back'] : wordsOf(news))
}

/** The refusal of whoever builds on what is no longer so. */
export function movedOn(now: RunRecord, happened: readonly string[]): SagasmithError {
  const { id: runId, status, generation, version } = now
  const what = happened.length === 0 ? '' : `: ${happened.join('; ')}`
  return new SagasmithError('teleport_run_moved', {
    message: `The run ${runId} has moved on since it was pulled, and is ${status} now${what}.`,
    details: { runId, status, generation, version, happened: [...happened] },
  })
}

/** Changes of the run that people are told; beyond them they look for themselves. */
const wordsMax = 5

function wordsOf(events: readonly EngineEvent[]): readonly string[] {
  const changes = events.flatMap(({ body, cause, actor }) => {
    if (body.type !== 'run.changed' || body.from === body.to) return []
    const by = actor.kind === 'operator' && cause.by !== null ? ` by ${cause.by}` : ''
    return [`${cause.kind}${by} took it from ${body.from} to ${body.to}`]
  })
  if (changes.length === 0) return [`${events.length} events more`]
  const more = changes.length > wordsMax ? [`and ${changes.length - wordsMax} changes more`] : []
  return [...changes.slice(0, wordsMax), ...more]
}
