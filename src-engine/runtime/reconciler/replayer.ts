/** Looks at available work that nobody takes: wakes the claim, and tells of what no runner could do. */

import { isAhead, makeClaimable } from '../../core/reconcile/ahead.ts'
import { noteUnclaimable, unclaimableFrom } from '../../core/reconcile/unclaimable.ts'
import { routeAnew } from '../../core/routing/route-anew.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { Instant } from '../../model/time.ts'
import type { Locks } from '../locks/locks.ts'
import type { Events } from '../outbox/events.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { livingRunners, missingRunner } from '../routing/missing-runner.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { TickLoop } from './tick-loop.ts'
import { betweenBatches, createTickLoop } from './tick-loop.ts'

const watched: readonly InvocationStatus[] = ['REGISTERED', 'REROUTED', 'RETRY']

export interface ReplayerParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly locks: Locks
  /** There may be work that nobody was told of. */
  readonly poke: () => void
  readonly outbox: Pick<Outbox, 'repair'>
  readonly events: Pick<Events, 'forgetOld'>
}

/** The pending replayer of this process; its turns exclude those of all others. */
export function createReplayer(parts: ReplayerParts): TickLoop {
  const { settings, clock, log } = parts.dependencies
  let cancelNext: () => void = () => {}
  // What one look had no room for comes first in the next.
  let place: string | null = null
  const look = async (isRunning: () => boolean): Promise<void> => {
    cancelNext()
    const { nextAt, after } = await replay(parts, place, isRunning)
    place = after
    if (nextAt === null || !isRunning()) return
    // Between the ticks only what was found unclaimable is looked at again, as its pauses end.
    cancelNext = clock.after(Math.max(settings.retryDelayNoWorkersMs, nextAt - clock.now()), () => {
      look(isRunning).catch((thrown: unknown) =>
        log.warn('replayer.failed', { error: recordOfThrown(thrown).message }),
      )
    })
  }
  const ticks = createTickLoop({
    key: 'replayer:pending',
    intervalMs: settings.replayerIntervalMs,
    holdMs: 2 * settings.replayerIntervalMs,
    clock,
    log,
    locks: parts.locks,
    turn: async (isRunning) => {
      // Whoever has a message in its hands delivers it; what is that old was left by a crash, or had failed.
      await parts.outbox.repair(clock.now() - settings.messageVisibilityMs)
      await parts.events.forgetOld()
      await repairStore(parts)
      await look(isRunning)
    },
  })
  return {
    start: ticks.start,
    stop: () => {
      ticks.stop()
      cancelNext()
    },
  }
}

/** What crosses the store's partitions, where it has several, and was left half done. */
async function repairStore({ dependencies: { store, clock, log } }: ReplayerParts): Promise<void> {
  const count = (await store.repair?.(clock.now())) ?? 0
  if (count > 0) log.info('store.repaired', { count })
}

interface Looked {
  /** When something that nobody can do is to be looked at again; null for none. */
  readonly nextAt: Instant | null
  /** Where the next look begins; null when this one came to the end. */
  readonly after: string | null
}

async function replay(parts: ReplayerParts, from: string | null, isRunning: () => boolean): Promise<Looked> {
  const { store, partition, clock, settings } = parts.dependencies
  parts.poke()
  const page = { after: null, limit: pageSizeMax }
  const runners = await store.list(partition, 'runners', { filter: null, page })
  const living = livingRunners(runners, clock.now())
  const limit = settings.reconcilerBatchSize
  let after = from
  let nextAt: Instant | null = null
  for (let batch = 0; batch < settings.reconcilerBatchesMax && isRunning(); batch += 1) {
    const records: readonly InvocationRecord[] = await store.list(partition, 'work', {
      filter: { statuses: watched, pool: null },
      page: { after, limit },
    })
    const looks = await Promise.all(records.map((record) => lookAt(parts, living, record)))
    for (const at of looks) if (at !== null && (nextAt === null || at < nextAt)) nextAt = at
    after = records.at(-1)?.id ?? null
    if (records.length < limit || after === null) return { nextAt, after: null }
    await betweenBatches(clock)
  }
  return { nextAt, after }
}

/** One that can't be decided on is tried again by the next turn. */
async function tryToMakeClaimable(
  { book, log }: RunnerDependencies,
  runner: Runner,
  record: InvocationRecord,
): Promise<void> {
  try {
    const decision = await book.decide(record.runId, (state) =>
      makeClaimable(
        state,
        runner.context({
          actor: 'reconciler',
          cause: { kind: 'scheduling', by: null, detail: 'the clock went back' },
          opId: opId(`ahead:${record.id}:${state.invocations.get(record.id)?.version ?? 0}`),
          runId: record.runId,
          claims: false,
        }),
        record.id,
      ),
    )
    if (decision !== null) log.info('replayer.replayed', { count: 1, invocationId: record.id })
  } catch (thrown) {
    log.warn('replayer.failed', { invocationId: record.id, error: recordOfThrown(thrown).message })
  }
}

/** When to look again at one that nobody can do; null for what can be done, or is too young to ask. */
async function lookAt(
  { dependencies, runner }: ReplayerParts,
  living: readonly RunnerRecord[],
  record: InvocationRecord,
): Promise<Instant | null> {
  const { clock, settings, book, executor, log, pools } = dependencies
  if (isAhead(record, clock.now())) {
    await tryToMakeClaimable(dependencies, runner, record)
    return null
  }
  const from = unclaimableFrom(record, settings.pendingAgeMs)
  const isNoted = (record.dispatch?.lookAgainAt ?? null) !== null
  if (from === null || (from > clock.now() && !isNoted)) return null
  const reason = missingRunner(living, record, pools.rules())
  if (reason === null || from > clock.now()) return reason === null ? null : from
  try {
    const decision = await book.decide(record.runId, (state) => {
      const context = runner.context({
        actor: 'reconciler',
        cause: { kind: 'scheduling', by: null, detail: reason.message },
        opId: opId(`unclaimable:${record.id}:${state.invocations.get(record.id)?.version ?? 0}`),
        runId: record.runId,
        claims: false,
      })
      const fact = { id: record.id, reason, pendingAgeMs: settings.pendingAgeMs, rules: settings }
      return (
        routeAnew(state, context, record.id) ??
        noteUnclaimable(state, context, { ...fact, random: executor.random.next() })
      )
    })
    const after = decision?.changes.invocations.find(({ id }) => id === record.id)
    return after === undefined ? null : unclaimableFrom(after, settings.pendingAgeMs)
  } catch (thrown) {
    log.warn('replayer.failed', { invocationId: record.id, error: recordOfThrown(thrown).message })
    return null
  }
}
