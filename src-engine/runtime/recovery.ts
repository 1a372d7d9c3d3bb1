/**
 * Recovery: what takes work from owners that are gone. One path for whoever asks: the sweep that follows a
 * lost process or lease, and the tasks that run on their crons. Per invocation, and never surprised by a
 * race: who is second finds nothing to take.
 */

import { recoverInvocation } from '../core/recover.ts'
import { recordOfThrown } from '../model/errors.ts'
import { sameFence } from '../model/fence.ts'
import type { InvocationId, RunnerId } from '../model/ids.ts'
import { opId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import { pageSizeMax } from '../model/limits.ts'
import type { ProcessIdentity, RunnerRecord } from '../model/runner.ts'
import type { Silence } from './clock/silence.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

const batchMax = 200

/** What one look came to. */
export interface Recovered {
  readonly taken: readonly InvocationId[]
  /** Whether everything that was found is dealt with. */
  readonly isComplete: boolean
}

export interface Recovery {
  /**
   * Owned work whose lease ran out, or whose runner is one of these. A lease has run out when its time has
   * passed and its owner was seen silent: a living one renews, whatever the clocks say.
   */
  readonly recoverLost: (dead: readonly RunnerRecord[]) => Promise<Recovered>
  /** Work that was claimed but has not begun for longer than `max_pending_seconds`. */
  readonly recoverPending: () => Promise<Recovered>
  /** Runners that are dead: proven gone or, with `stale`, also those whose heartbeat is too old. */
  readonly deadRunners: (also?: 'stale') => Promise<readonly RunnerRecord[]>
  /**
   * Sees what is owned now, so that silence is known when it matters, and takes what nobody renewed for so
   * long that no clock matters, and what this very runner claimed without being told: the store's answer was
   * lost. To be done once per heartbeat.
   */
  readonly observe: () => Promise<Recovered>
}

export interface RecoveryDependencies extends RunnerDependencies {
  /** Whether the process is certainly gone. */
  readonly isProvenGone: (identity: ProcessIdentity) => boolean
  /** Whether the process certainly runs. */
  readonly isAlive: (identity: ProcessIdentity) => boolean
  readonly silence: Silence
}

/** Recovery by this process. */
export function createRecovery(dependencies: RecoveryDependencies, runner: Runner): Recovery {
  const recover = (record: InvocationRecord, why: Why) => tryToRecover({ dependencies, runner }, record, why)
  let isFirstLook = true
  return {
    recoverLost: async (dead) => {
      const { store, partition, clock } = dependencies
      const deadRunners = dead.map((one) => one.id)
      const taken: InvocationId[] = []
      let isWhole = true
      for (;;) {
        const now = clock.now()
        const expired = await store.listExpired({ partition, now, deadRunners, limit: batchMax })
        // What they own in a partition that is away is found once that answers.
        isWhole &&= (store.missing?.().length ?? 0) === 0
        const lost = await lostOf(dependencies, expired, { dead: new Set(deadRunners), isFirstLook })
        const answers = await Promise.all(lost.map((record) => recover(record, ownerGone)))
        const before = taken.length
        taken.push(...takenOf(lost, answers))
        // Nothing taken means that somebody else was faster; the next look sees what is left.
        if (expired.length < batchMax || taken.length === before) {
          isFirstLook = false
          const isDone = expired.length < batchMax && !answers.includes('failed')
          return { taken, isComplete: isWhole && isDone }
        }
      }
    },
    observe: async () => {
      const owned = await listOwned(dependencies)
      const silent = dependencies.silence.observe(owned)
      const untold = owned.filter((record) => isUntold(dependencies, record) && !silent.includes(record))
      const answers = await Promise.all([
        ...silent.map((record) => recover(record, ownerSilent)),
        ...untold.map((record) => recover(record, neverBegan)),
      ])
      return { taken: takenOf([...silent, ...untold], answers), isComplete: !answers.includes('failed') }
    },
    recoverPending: async () => {
      const stuck = await stuckPending(dependencies)
      const taken: InvocationId[] = []
      let isComplete = true
      for (let begin = 0; begin < stuck.length; begin += batchMax) {
        const batch = stuck.slice(begin, begin + batchMax)
        const answers = await Promise.all(batch.map((record) => recover(record, neverBegan)))
        taken.push(...takenOf(batch, answers))
        isComplete &&= !answers.includes('failed')
      }
      return { taken, isComplete }
    },
    deadRunners: (also) => deadRunners(dependencies, also === 'stale'),
  }
}

/** All that is owned, page by page. */
async function listOwned({ store, partition }: RecoveryDependencies): Promise<readonly InvocationRecord[]> {
  const owned: InvocationRecord[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly InvocationRecord[] = await store.list(partition, 'work', {
      filter: { statuses: [...invocationMachine.owned], pool: null },
      page: { after, limit: pageSizeMax },
    })
    owned.push(...page)
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax || after === null) return owned
  }
}

/** Of what is over by its time, what really is. */
async function lostOf(
  { store, partition, silence, isAlive }: RecoveryDependencies,
  expired: readonly InvocationRecord[],
  known: { readonly dead: ReadonlySet<RunnerId>; readonly isFirstLook: boolean },
): Promise<readonly InvocationRecord[]> {
  const lost: InvocationRecord[] = []
  for (const record of expired) {
    const runnerId = ownerOf(record)
    if (runnerId === null) continue
    if (known.dead.has(runnerId) || silence.confirms(record)) lost.push(record)
    else if (known.isFirstLook) {
      // A process that begins has seen nothing yet: it believes the clock, unless the owner is there.
      const owner = await store.load(partition, 'runner', { runnerId })
      if (owner === null || owner.stoppedAt !== null || !isAlive(owner.process)) lost.push(record)
    }
  }
  return lost
}

interface Why {
  readonly detail: string
  /** Between the look and the decision it may have begun: what runs is not taken for what never began. */
  readonly onlyPending: boolean
}

const ownerSilent: Why = { detail: 'its runner is silent', onlyPending: false }
const ownerGone: Why = { detail: 'its runner is gone', onlyPending: false }
const neverBegan: Why = { detail: 'it never began', onlyPending: true }

type Answer = 'taken' | 'not-taken' | 'failed'

const takenOf = (records: readonly InvocationRecord[], answers: readonly Answer[]): readonly InvocationId[] =>
  records.filter((_, index) => answers[index] === 'taken').map(({ id }) => id)

/** Who knows of its claim renews it. */
const isUntold = (dependencies: RecoveryDependencies, record: InvocationRecord): boolean =>
  record.status === 'PENDING' &&
  ownerOf(record) === dependencies.runnerId &&
  dependencies.executions.get(record.id) === undefined &&
  isStuck(dependencies, record)

/** A claim writes the lease's end, and so does each renewal: from it follows when the owner last held it. */
function isStuck({ settings, watch }: RecoveryDependencies, { lease }: InvocationRecord): boolean {
  if (lease === null) return false
  const heldAt = lease.expiresAt - settings.claimTtlMs
  return watch.nowSince(heldAt) - heldAt >= settings.maxPendingMs
}

async function stuckPending(dependencies: RecoveryDependencies): Promise<readonly InvocationRecord[]> {
  const { store, partition } = dependencies
  const stuck: InvocationRecord[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly InvocationRecord[] = await store.list(partition, 'work', {
      filter: { statuses: ['PENDING'], pool: null },
      page: { after, limit: pageSizeMax },
    })
    for (const record of page) if (isStuck(dependencies, record)) stuck.push(record)
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax || after === null) return stuck
  }
}

async function deadRunners(
  { store, partition, runnerId, isProvenGone, silence }: RecoveryDependencies,
  alsoStale: boolean,
): Promise<readonly RunnerRecord[]> {
  const dead: RunnerRecord[] = []
  let after: string | null = null
  do {
    const page: readonly RunnerRecord[] = await store.list(partition, 'runners', {
      filter: null,
      page: { after, limit: pageSizeMax },
    })
    for (const runner of page) {
      if (runner.stoppedAt !== null || runner.id === runnerId) continue
      const isStale = silence.ofRunner(runner)
      if (isProvenGone(runner.process) || (alsoStale && isStale)) dead.push(runner)
    }
    after = page.length < pageSizeMax ? null : (page.at(-1)?.id ?? null)
  } while (after !== null)
  return dead
}

interface Made {
  readonly dependencies: RecoveryDependencies
  readonly runner: Runner
}

/** A run that can't be recovered, say because its definition is damaged, must not hold up the others. */
async function tryToRecover(made: Made, record: InvocationRecord, why: Why): Promise<Answer> {
  try {
    return (await recoverOne(made, record, why)) ? 'taken' : 'not-taken'
  } catch (thrown) {
    const error = recordOfThrown(thrown).message
    made.dependencies.log.error('recovery.failed', { invocationId: record.id, error })
    return 'failed'
  }
}

async function recoverOne(
  { dependencies, runner }: Made,
  record: InvocationRecord,
  why: Why,
): Promise<boolean> {
  const { book, executor, executions, runnerId, settings, watch } = dependencies
  const fence = record.lease?.fence
  if (fence === undefined) return false
  const own = executions.get(record.id)
  // The clock jumped or the process slept, but the work lives: its next renewal keeps it.
  if (record.lease?.runnerId === runnerId && own !== undefined && sameFence(own.fence, fence)) return false
  executor.failpoints('recovery.before-commit')
  const nowFor = ({ startedAt }: InvocationRecord) =>
    startedAt === null ? watch.nowSince(0) : watch.nowSince(startedAt)
  const decision = await book.decide(record.runId, (state) =>
    why.onlyPending && state.invocations.get(record.id)?.status !== 'PENDING'
      ? null
      : recoverInvocation(
          state,
          runner.context({
            actor: 'recovery',
            cause: { kind: 'recovery', by: ownerOf(record), detail: why.detail },
            opId: opId(`recover:${record.id}:${fence.epoch}.${fence.counter}`),
            runId: record.runId,
            claims: false,
          }),
          {
            id: record.id,
            fence,
            random: executor.random.next(),
            crashAttemptsMax: settings.crashAttemptsMax,
            now: nowFor(record),
          },
        ),
  )
  executor.failpoints('recovery.after-commit')
  return decision !== null
}

const ownerOf = (record: InvocationRecord): RunnerId | null => record.lease?.runnerId ?? null
