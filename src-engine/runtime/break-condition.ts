/** Whether the condition of a breakpoint holds, asked before its step begins. */

import type { BreakAnswer } from '../core/requests.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { isTrue } from '../tasks/truth.ts'
import { scopeOf } from './attempt-scope.ts'
import { workOf } from './attempt-work.ts'
import { loadedState } from './loaded-state.ts'
import type { RunnerDependencies } from './runner.ts'

/** The kind whose one parameter is a condition. */
const asksOne = 'if'

/** Sees what the step's own expressions would see. Never throws: what can't be said is part of the answer. */
export async function askCondition(
  { book, executor }: RunnerDependencies,
  invocation: InvocationRecord,
  condition: string,
): Promise<BreakAnswer> {
  try {
    const state = await loadedState(book, invocation.runId)
    const work = state === null ? null : workOf(state, { ...invocation, attempt: invocation.attempt + 1 })
    const spec = executor.host.specsByKind.get(asksOne)
    if (work === null || spec === undefined) return { problem: 'Nobody could ask for its condition.' }
    const parameters = { condition }
    const scope = scopeOf(executor, work)
    const resolved = await executor.host.resolver.resolveParameters({ parameters, spec, scope })
    return { holds: isTrue((resolved as { readonly condition?: unknown }).condition) }
  } catch (thrown) {
    return { problem: `Its condition fails: ${recordOfThrown(thrown).message}` }
  }
}
