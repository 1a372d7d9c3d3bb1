/** Finds what takes too long, batch by batch, and has it end. */

import { overdue, timeOutInvocation } from '../../core/reconcile/time-out.ts'
import { isAtWork, workingSince } from '../../core/working-time.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { Logger } from '../../model/ports.ts'
import type { Locks } from '../locks/locks.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { TickLoop } from './tick-loop.ts'
import { betweenBatches, createTickLoop } from './tick-loop.ts'

/** The statuses that one of the limits counts for. */
const watched: readonly InvocationStatus[] = ['PENDING', 'REROUTED', 'RUNNING', 'RESUMED']

/** The reconciler of this process; its turns exclude those of all others. */
export function createReconciler(dependencies: RunnerDependencies, runner: Runner, locks: Locks): TickLoop {
  const { settings, clock, log } = dependencies
  let after: string | null = null
  const stale = createStaleCounts(log)
  return createTickLoop({
    key: 'reconciler:default',
    intervalMs: settings.reconcilerIntervalMs,
    holdMs: settings.tickLockTtlMs,
    clock,
    log,
    locks,
    turn: async (isRunning) => {
      // What the last turn had no room for comes first.
      for (let batch = 0; batch < settings.reconcilerBatchesMax && isRunning(); batch += 1) {
        after = await reconcileBatch({ dependencies, runner, stale }, after)
        if (after === null) {
          stale.tell()
          return
        }
        await betweenBatches(clock)
      }
    },
  })
}

/** How many were too long in each status, told once per look at all of them. */
interface StaleCounts {
  readonly add: (status: InvocationStatus) => void
  readonly tell: () => void
}

function createStaleCounts(log: Logger): StaleCounts {
  let counts = new Map<InvocationStatus, number>()
  let told = new Map<InvocationStatus, number>()
  return {
    add: (status) => counts.set(status, (counts.get(status) ?? 0) + 1),
    tell: () => {
      for (const status of watched) {
        const count = counts.get(status) ?? 0
        // Also that there are none any more.
        if (count > 0 || (told.get(status) ?? 0) > 0) log.info('reconciler.stale', { state: status, count })
      }
      told = counts
      counts = new Map()
    },
  }
}

interface Batch {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly stale: StaleCounts
}

/** Jumps of the wall clock since it began are no time that it took. */
function isOverdue({ settings, watch }: RunnerDependencies, record: InvocationRecord): boolean {
  const began = isAtWork(record) ? workingSince(record) : (record.dispatch?.firstClaimedAt ?? null)
  return began !== null && overdue(record, settings, watch.nowSince(began)) !== null
}

/** Where the next batch begins; null when this one was the last. */
async function reconcileBatch(
  { dependencies, runner, stale }: Batch,
  after: string | null,
): Promise<string | null> {
  const { store, partition, settings } = dependencies
  const limit = settings.reconcilerBatchSize
  const records = await store.list(partition, 'work', {
    filter: { statuses: watched, pool: null },
    page: { after, limit },
  })
  const late = records.filter((record) => isOverdue(dependencies, record))
  for (const { status } of late) stale.add(status)
  await Promise.all(late.map((record) => timeOut(dependencies, runner, record)))
  return records.length < limit ? null : (records.at(-1)?.id ?? null)
}

/** One that fails again and again must not keep the others: the next turn tries it again. */
async function timeOut(
  dependencies: RunnerDependencies,
  runner: Runner,
  record: InvocationRecord,
): Promise<void> {
  const { book, settings, log } = dependencies
  for (let failures = 0; failures < settings.reconcilerFailuresMax; failures += 1) {
    try {
      await book.decide(record.runId, (state) =>
        timeOutInvocation(
          state,
          runner.context({
            actor: 'reconciler',
            cause: { kind: 'timeout', by: null, detail: null },
            opId: opId(`timeout:${record.id}:${state.invocations.get(record.id)?.version ?? 0}`),
            runId: record.runId,
            claims: false,
          }),
          { id: record.id, limits: settings },
        ),
      )
      return
    } catch (thrown) {
      log.warn('reconciler.failed', { invocationId: record.id, error: recordOfThrown(thrown).message })
    }
  }
}
