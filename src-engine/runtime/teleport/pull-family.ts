/** Pulls a run, and on request the runs that its steps started, and theirs. */

import { childRunOf } from '../../model/child-run.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { pulledRunsMax } from '../../model/limits.ts'
import type { PullAnswer, PullProgress, PullRequest } from '../../protocol/teleport.ts'
import type { PulledOne, PullParts } from './pull-run.ts'
import { pullRun } from './pull-run.ts'

type FamilyParts = Omit<PullParts, 'told'> & { readonly told: (progress: PullProgress) => void }

/** Throws what `pullRun` throws, and `teleport_too_large`; whole runs that came before stay. */
export async function pullFamily(
  parts: FamilyParts,
  { runId, family }: Pick<PullRequest, 'runId' | 'family'>,
): Promise<PullAnswer> {
  const answers: PullAnswer['runs'][number][] = []
  const gone: RunId[] = []
  const open = [runId]
  const seen = new Set(open)
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const one = await pulledUnlessGone(parts, next, { isAsked: next === runId, runs: answers.length })
    if (one === null) {
      gone.push(next)
      continue
    }
    const { run, newEvents, rolledBack } = one
    answers.push({ run, newEvents, rolledBack })
    if (!family) break
    for (const child of childrenOf(one)) {
      if (seen.has(child)) continue
      if (seen.size >= pulledRunsMax) throw tooLarge(runId)
      seen.add(child)
      open.push(child)
    }
  }
  return { runs: answers, gone }
}

/** The run that was asked for must be there; one of its family may have been removed since. */
async function pulledUnlessGone(
  parts: FamilyParts,
  runId: RunId,
  { isAsked, runs }: { readonly isAsked: boolean; readonly runs: number },
): Promise<PulledOne | null> {
  try {
    const told: PullParts['told'] = (progress) => parts.told({ ...progress, runs })
    return await pullRun({ ...parts, told }, runId)
  } catch (thrown) {
    if (!isAsked && recordOfThrown(thrown).code === 'run_not_found') return null
    throw thrown
  }
}

const childrenOf = ({ state }: PulledOne): readonly RunId[] =>
  [...state.invocations.values()].flatMap((record) => childRunOf(record) ?? [])

const tooLarge = (runId: RunId): SagasmithError =>
  new SagasmithError('teleport_too_large', {
    message: `The run ${runId} and those that it started are more than ${pulledRunsMax} runs.`,
    details: { runId, max: pulledRunsMax },
  })
