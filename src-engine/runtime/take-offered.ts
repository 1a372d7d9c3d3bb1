/**
 * Work that a look found in a queue, and whose run this process has at hand as it is: it is claimed and begun by one
 * commit, and a step that takes no time is claimed, begun and ended by it. Everything else is claimed first, and begun then.
 */

import type { Claimant, Decision } from '../core/draft.ts'
import { startFromQueue } from '../core/start-from-queue.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import { opId, runIdOf } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import { aheadOf } from './begin-claimed.ts'
import type { MakeDecision } from './run-book.ts'
import { partitionOfRun } from './run-place.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

export interface OfferedWork {
  /** Whether nothing has to be asked, taken or read before it begins. */
  readonly takes: (found: InvocationRecord) => boolean
  /** A look begins: it tells of nothing any more whose commit was answered before it. */
  readonly beginLook: () => void
  /** Whether it has been decided on here, in a commit that wasn't answered yet when the look began. */
  readonly isUnderWay: (id: InvocationId) => boolean
  /** Takes it, with a slot that is taken already; one that comes to nothing is claimed as everything else. */
  readonly take: (found: InvocationRecord) => Promise<void>
}

export function createOfferedWork(
  dependencies: RunnerDependencies,
  runner: Runner,
  claim: (found: InvocationRecord) => Promise<void>,
): OfferedWork {
  const { book, store, limits, policy, runnerId, executor, log } = dependencies
  const asksNobody = (): boolean => !policy.kernel.isActive() && limits.ofClaims() === null
  // The same for all that is taken.
  const hooks = aheadOf(dependencies, runner)
  const claims = ownClaims(dependencies)
  /** Epochs of all partitions when the look began. */
  let lookedIn: readonly number[] = []
  const decide = (found: InvocationRecord): Promise<Decision | null> => {
    const partition = partitionOfRun(store.info, found.runId)
    const epoch = lookedIn[partition]
    const make: MakeDecision = (state, continues) => {
      const record = state.invocations.get(found.id)
      if (record?.version !== found.version || !asksNobody()) return null
      // Who had it before a failover may be about to bring that back: a claim of the store waits for them.
      if (store.info.epochs[partition] !== epoch) return null
      const context = runner.context({
        continues,
        actor: 'runner',
        cause: { kind: 'claim', by: runnerId, detail: null },
        opId: opId(`take:${found.id}:${found.version}:${runnerId}`),
        runId: found.runId,
        claims,
      })
      return startFromQueue(state, context, found.id)
    }
    return book.decide(found.runId, make, hooks)
  }
  /** What was taken since the look began, too: once its step has ended it is known no more, and would be read again. */
  const taken = new Set<InvocationId>()
  const isUndecided = (id: InvocationId): boolean => {
    const runId = runIdOf(id)
    if (book.inFlight(runId) === 0) return false
    const record = book.cachedState(runId, 'ahead')?.invocations.get(id)
    return record !== undefined && !invocationMachine.available.has(record.status)
  }
  return {
    beginLook() {
      taken.clear()
      lookedIn = store.info.epochs.slice()
    },
    takes: ({ id, runId, version, status, dispatch, permits }) =>
      status === 'REGISTERED' &&
      dispatch === null &&
      permits === null &&
      asksNobody() &&
      book.cachedState(runId)?.invocations.get(id)?.version === version,
    isUnderWay: (id) => taken.has(id) || isUndecided(id),
    async take(found) {
      executor.failpoints('begin.before-commit')
      try {
        const decision = await decide(found)
        executor.failpoints('begin.after-commit')
        if (decision === null) await claim(found)
        else {
          taken.add(found.id)
          runner.executeRest(decision)
        }
      } catch (thrown) {
        dependencies.slots.give(1)
        log.error('begin.failed', { invocationId: found.id, error: recordOfThrown(thrown).message })
      }
    },
  }
}

/** What takes one piece of work, and nothing beside it. */
const ownClaims = ({ runnerId, settings }: RunnerDependencies): Claimant => {
  return { runnerId, ttlMs: settings.claimTtlMs, capacity: 1, takesEarlier: false, accepts }
}

/** The look has seen to its route. */
const accepts = (): boolean => true
