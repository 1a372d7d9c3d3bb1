/** Who had a run begin, as far as anybody said. */

import { nestingMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunnerDependencies } from '../runner.ts'

/** Causes of runs that people begin. */
const byPeople: ReadonlySet<string> = new Set(['manual', 'rerun', 'retry'])

/** Null for a run that no person began, or nobody's name was told of. */
export const starterOf = ({ cause }: Pick<RunRecord, 'cause'>): string | null =>
  byPeople.has(cause.kind) ? cause.by : null

/** Names of those who had the run begin, or a run that started it. */
export async function startersOf(
  { store, partition }: Pick<RunnerDependencies, 'store' | 'partition'>,
  run: RunRecord,
): Promise<readonly string[]> {
  const names: string[] = []
  let at: RunRecord | null = run
  for (let depth = 0; at !== null && depth < nestingMax; depth += 1) {
    const name = starterOf(at)
    if (name !== null) names.push(name)
    const runId: RunRecord['parentRunId'] = at.parentRunId
    at = runId === null ? null : await store.load(partition, 'run', { runId })
  }
  return names
}

/** What the record of a run says that somebody starts; nothing where nobody told who. */
export const startedBy = (by: string | null | undefined): Partial<Pick<RunRecord, 'cause'>> =>
  by === null || by === undefined ? {} : { cause: { kind: 'manual', by, detail: null } }
