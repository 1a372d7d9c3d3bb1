/** Has a step do with a result what became of it in the run that gave it. May be repeated. */

import { awaitsRun } from '../../core/calls.ts'
import { followChild } from '../../core/output/child-result.ts'
import type { RunLink } from '../../model/effect.ts'
import type { InvocationId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { RunLinks } from './run-links.ts'

export interface ChildResultsParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly links: Pick<RunLinks, 'ended'>
  readonly poke: () => void
}

/** Whoever handed on what the run gave. */
export async function tellResult(parts: ChildResultsParts, link: RunLink, of: InvocationId): Promise<void> {
  const { dependencies, runner } = parts
  const { store, partition, log } = dependencies
  const { runId: child, parentRunId, parentInvocationId: id } = link
  const run = await store.load(partition, 'run', { runId: child })
  const check = (await store.load(partition, 'invocation', { invocationId: of }))?.dispatch?.check ?? null
  const handing = await store.load(partition, 'invocation', { invocationId: id })
  // Pruned, each of them with its run.
  if (run === null || check === null || handing === null) return
  // That the run has ended may come later than that its result is held back.
  if (awaitsRun(handing, child)) await parts.links.ended(link)
  const isByPerson = check.standing === 'released' || check.standing === 'discarded'
  const made = await dependencies.book.decide(parentRunId, (state) => {
    const version = state.invocations.get(id)?.version ?? 0
    const context = runner.context({
      actor: isByPerson ? 'operator' : 'scan',
      cause: { kind: 'quarantine', by: check.rule, detail: `as ${of}` },
      opId: opId(`result:${id}:${check.standing}:${version}`),
      runId: parentRunId,
      claims: false,
    })
    return followChild(state, context, { id, child, of, check, output: run.output })
  })
  if (made === null) return
  log.info('output.followed', { runId: parentRunId, invocationId: id, standing: check.standing })
  parts.poke()
}
