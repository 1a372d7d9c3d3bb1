/** Which runs are laid side by side: two that were marked, or the shown one with one before it. */

import type { RunId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { LoadedComparison } from '../../src-engine/protocol/load-comparison.ts'
import { loadComparison } from '../../src-engine/protocol/load-comparison.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { lineTo } from './site-lines.ts'
import type { ComparedRuns } from './view-store.ts'

/** Runs that may be chosen for the other side: the newest of the workflow. */
const choicesMax = 50

/** Whether two runs can be laid side by side. */
export const areComparable = (runs: readonly RunRecord[]): boolean =>
  runs.length === 2 && runs[0]?.workflowId === runs[1]?.workflowId

/** Opens the comparison of two runs, whichever was chosen first: the older one is the earlier side. */
export function compareMarked(designer: Designer, runs: readonly RunRecord[]): void {
  const [before, after] = runs.toSorted((a, b) => a.createdAt - b.createdAt)
  if (before === undefined || after === undefined) return
  designer.view.getState().askCompare({ before: before.id, after: after.id, site: designer.cluster })
}

/** Opens the comparison of the shown run with the one that says most beside it. */
export async function compareShown(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  const run = current?.live.replay.run ?? null
  if (current === null || run === null) return
  const { site } = current
  await attempt(designer, async () => {
    const other = otherOf(run, await runsBeside(designer, { site, run }))
    designer.view.getState().askCompare({ before: other?.id ?? null, after: run.id, site })
  })
}

/** The runs of the same workflow, newest first, without the run itself. */
export async function runsBeside(
  designer: Designer,
  { site, run }: Pick<ComparedRuns, 'site'> & { readonly run: Pick<RunRecord, 'id' | 'workflowId'> },
): Promise<readonly RunRecord[]> {
  const asked = { statuses: null, workflowId: run.workflowId, after: null, limit: choicesMax }
  const { runs } = await lineTo(designer, site).call('runs.list', asked)
  return runs.map((summary) => summary.run).filter(({ id }) => id !== run.id)
}

/** For a run that went wrong the last good one before it, else the one right before. Null without any. */
export function otherOf(run: RunRecord, others: readonly RunRecord[]): RunRecord | null {
  const earlier = others.filter(({ createdAt }) => createdAt <= run.createdAt)
  const good = run.status === 'SUCCEEDED' ? undefined : earlier.find(({ status }) => status === 'SUCCEEDED')
  return good ?? earlier[0] ?? others[0] ?? null
}

/** Asks the engine that has the runs. Throws what is refused. */
export const comparisonOf = (
  designer: Designer,
  site: ComparedRuns['site'],
  runs: { readonly before: RunId; readonly after: RunId },
): Promise<LoadedComparison> => loadComparison(lineTo(designer, site), runs, designer.specs)
