/**
 * Steps that needn't wait for the disk: a pure one begins as soon as the decision that claims it is sent. Nobody
 * outside can tell whether it ran, so if the commit is refused it may as well not have: it is given up, and nothing
 * of it is recorded. Its end is sent after its claim, so a chain of such steps is durable in one round trip, in
 * order, and an attempt's end never without its beginning. What may have an effect begins when its claim is durable.
 */

import type { Decision } from '../core/draft.ts'
import { nodeOfRecord } from '../core/draft.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { PassingMap } from '../model/passing-map.ts'
import type { Execution, Executions } from './execution.ts'
import { openStarted } from './execution.ts'
import type { RunBook } from './run-book.ts'
import type { TaskHost } from './task-host.ts'

/** Decisions of a run that may be sent and not answered: what a refusal undoes, and what memory they take. */
const aheadMax = 16

export interface AheadWork {
  readonly record: InvocationRecord
  readonly execution: Execution
}

export interface RunAhead {
  /** What of a decision begins now that it is sent; their slots are taken. */
  readonly begin: (decision: Decision) => readonly AheadWork[]
  /** The decision is durable: what of it hasn't begun yet. */
  readonly confirm: (decision: Decision) => readonly InvocationRecord[]
  /** The decision was refused, or nobody knows: gives up what began, and says how much hadn't. */
  readonly giveUp: (decision: Decision) => number
}

export function createRunAhead({
  book,
  executions,
  host,
}: {
  readonly book: Pick<RunBook, 'cachedState' | 'inFlight'>
  readonly executions: Executions
  readonly host: Pick<TaskHost, 'specsByKind'>
}): RunAhead {
  /** What of a decision has begun, until it is known what became of its commit. */
  const begun = new PassingMap<Decision, readonly AheadWork[]>()
  const needNotWait = (record: InvocationRecord): boolean => {
    // A turn of a loop may follow one whose end is still on its way: that is who its lease and its owner are known by.
    if (executions.get(record.id) !== undefined) return false
    const state = book.cachedState(record.runId, 'ahead')
    const node =
      state === null || record.role !== 'forward' ? undefined : nodeOfRecord(state.workflow, record)
    if (node?.sideEffect !== 'pure') return false
    const spec = host.specsByKind.get(node.kind)
    return spec?.sideEffect === 'pure' && spec.execution === 'runner' && spec.waitsForClaim !== true
  }
  return {
    begin(decision) {
      const [first] = decision.started
      if (first === undefined || book.inFlight(first.runId) >= aheadMax) return none
      const work: AheadWork[] = []
      for (const record of decision.started) {
        if (needNotWait(record)) work.push({ record, execution: openStarted(executions, record, true) })
      }
      if (work.length > 0) begun.set(decision, work)
      return work
    },
    confirm(decision) {
      const ahead = begun.get(decision)
      if (ahead === undefined) return decision.started
      begun.delete(decision)
      for (const { execution } of ahead) execution.settleClaim('durable')
      if (ahead.length === decision.started.length) return none
      return decision.started.filter((record) => !ahead.some((work) => work.record === record))
    },
    giveUp(decision) {
      const ahead = begun.get(decision) ?? none
      begun.delete(decision)
      for (const { execution } of ahead) {
        execution.settleClaim('refused')
        // Whether the claim is there all the same is seen by its having nobody at it.
        executions.close(execution)
      }
      return decision.started.length - ahead.length
    },
  }
}

const none = [] as const
