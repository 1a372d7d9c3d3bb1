/** Starting, listing, reading and steering runs. */

import type { Breakpoint } from '../../model/breakpoint.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import { homePartition } from '../../model/partition.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ControlRequest, ControlResult } from '../../protocol/run-control.ts'
import type { Engine } from '../../runtime/engine.ts'
import { checkExpression } from '../../runtime/expressions/expression-fault.ts'
import { whyWaiting } from '../../runtime/routing/why-waiting.ts'
import { readGhosts } from '../ghosts.ts'
import { leasesLeft } from '../leases.ts'
import { personHere } from '../person.ts'
import { bulkPage } from '../run-bulk.ts'
import { createRunCounts } from '../run-counts.ts'
import { familyOf } from '../run-family.ts'
import { findRuns } from '../run-list.ts'
import { overloadLimitsOf } from '../runner-standings.ts'
import { tenantLimitsOf } from '../tenant-limits.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

type RunMethods =
  | 'runs.start'
  | 'runs.cancel'
  | 'runs.control'
  | 'signals.send'
  | 'events.emit'
  | 'runs.rerun'
  | 'runs.retry'
  | 'runs.bulk'
  | 'runs.fork'
  | 'runs.breakpoints'
  | 'runs.list'
  | 'runs.ghosts'
  | 'runs.leases'
  | 'runs.counts'
  | 'runs.get'
  | 'runs.family'
  | 'runs.stateAt'
  | 'runs.why'
  | 'runs.attempts'
  | 'invocations.resolve'

/** Handlers of `runs.*` and `invocations.*`. */
export function runHandlers(deps: HandlerDeps): Handlers<RunMethods> {
  const { engine } = deps
  const countsOf = createRunCounts(engine)
  return {
    'runs.start': ({ document, ...rest }) => {
      refuseUnreadable(rest.breakpoints ?? [])
      // The engine validates the document before it does anything with it.
      return engine.startRun({
        ...rest,
        by: rest.by ?? personHere(),
        document: document as unknown as WorkflowDocument,
      })
    },
    'runs.cancel': async ({ runId }) => ({ status: await engine.cancelRun(runId) }),
    'runs.control': async ({ runIds, ...request }) => ({
      results: await Promise.all(runIds.map((runId) => controlled(engine, { ...request, runId }))),
    }),
    'signals.send': (request) => engine.sendSignal(request),
    'events.emit': (request) => engine.emitEvent(request),
    'runs.rerun': (request) => engine.rerun(request),
    'runs.retry': (request) => engine.retryRun(request),
    'runs.fork': (request) => {
      refuseUnreadable(request.breakpoints ?? [])
      return engine.forkRun(request)
    },
    'runs.breakpoints': async (request) => {
      refuseUnreadable(request.breakpoints)
      return { breakpoints: await engine.setBreakpoints(request) }
    },
    'runs.bulk': (request) => bulkPage(engine, request),
    'runs.list': async (query) => {
      const { runs, next } = await findRuns(engine.store, query)
      const summaries = runs.map(async (run) => ({ run, counts: await countsOf(run) }))
      return { runs: await Promise.all(summaries), next }
    },
    'runs.leases': async ({ invocationIds }) => ({
      leases: await leasesLeft(engine.store, invocationIds, engine.now()),
    }),
    'runs.ghosts': (query) => readGhosts(engine.store, query),
    'runs.counts': async ({ workflowId }) => {
      const filter = { workflowId, includeCore: false }
      const counts = await engine.store.load(homePartition, 'runCounts', filter)
      return { counts: Object.fromEntries(counts) }
    },
    'runs.get': ({ runId }) => engine.snapshot(runId),
    'runs.family': (request) => familyOf(engine.store, request),
    'runs.stateAt': ({ runId, seq }) => engine.stateAt(runId, seq),
    'runs.why': async ({ runId, nodeId }) => ({
      waiting: await whyWaiting(engine.store, {
        runId,
        nodeId,
        now: engine.now(),
        limits: overloadLimitsOf(deps.settings),
        otherTenants: tenantLimitsOf(deps.settings),
      }),
    }),
    'runs.attempts': ({ runId, invocationId }) => engine.attempts(runId, invocationId),
    'invocations.resolve': async ({ runId, invocationId, decision, by }) => {
      await engine.resolveInvocation(runId, invocationId, { ...decision, by: by ?? personHere() })
      return {}
    },
  }
}

/** A condition that can't be read would stop the run wherever it stands. Throws `expression_invalid`. */
function refuseUnreadable(breakpoints: readonly Breakpoint[]): void {
  for (const { nodeId, condition } of breakpoints) {
    const fault = condition === null ? null : checkExpression(condition)
    if (fault === null) continue
    throw new SagasmithError('expression_invalid', {
      message: `The condition of the breakpoint at “${nodeId}” can’t be read: ${fault.message}`,
      details: { nodeId, position: fault.position },
    })
  }
}

/** One refused run must not keep the others from theirs. */
async function controlled(engine: Engine, request: ControlRequest): Promise<ControlResult> {
  try {
    return { runId: request.runId, answer: await engine.controlRun(request), error: null }
  } catch (thrown) {
    return { runId: request.runId, answer: null, error: recordOfThrown(thrown) }
  }
}
