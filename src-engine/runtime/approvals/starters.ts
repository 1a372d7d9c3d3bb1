/** Who had a run begin, as far as anybody said. */

import { eventBatchMax, nestingMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Store } from '../../store/store.ts'
import { feedStart, partitionOfRun } from '../run-place.ts'
import type { RunnerDependencies } from '../runner.ts'

/** Causes of runs that people begin. */
const byPeople: ReadonlySet<string> = new Set(['manual', 'rerun', 'retry'])

/** Null for a run that no person began, or nobody's name was told of. */
export const starterOf = ({ cause }: Pick<RunRecord, 'cause'>): string | null =>
  byPeople.has(cause.kind) ? cause.by : null

/** Names of those who had the run begin or go on, or a run that started it. */
export async function startersOf(
  { store, partition }: Pick<RunnerDependencies, 'store' | 'partition'>,
  run: RunRecord,
): Promise<readonly string[]> {
  const names: string[] = []
  let at: RunRecord | null = run
  for (let depth = 0; at !== null && depth < nestingMax; depth += 1) {
    const name = starterOf(at)
    if (name !== null) names.push(name)
    if (at.generation > 0) names.push(...(await retriersOf(store, at)))
    const runId: RunRecord['parentRunId'] = at.parentRunId
    at = runId === null ? null : await store.load(partition, 'run', { runId })
  }
  return names
}

/** Who had an ended run go on: its history says it, its record only who began it. */
async function retriersOf(store: Store, { id }: RunRecord): Promise<readonly string[]> {
  const names: string[] = []
  for (let after = feedStart(partitionOfRun(store.info, id)); ; ) {
    const events = await store.readEvents({ after, runId: id, until: null, limit: eventBatchMax })
    for (const { actor, cause, body } of events) {
      if (actor.kind !== 'operator' || cause.kind !== 'retry' || cause.by === null) continue
      if (body.type === 'run.changed' && body.to === 'RUNNING' && body.from !== body.to) names.push(cause.by)
    }
    const last = events.at(-1)
    if (last === undefined || events.length < eventBatchMax) return names
    after = { partition: last.partition, epoch: last.epoch, seq: last.seq }
  }
}

/** What the record of a run says that somebody starts; nothing where nobody told who. */
export const startedBy = (by: string | null | undefined): Partial<Pick<RunRecord, 'cause'>> =>
  by === null || by === undefined ? {} : { cause: { kind: 'manual', by, detail: null } }
