/**
 * Work that waits follows a change of the pools' topics at once: on the process that changed them, and on every
 * other one that hears of it. Whoever comes second finds it routed already.
 */

import { routeAnew } from '../../core/routing/route-anew.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { PoolRules } from '../../model/pools.ts'
import type { TickLoop } from '../reconciler/tick-loop.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

const waiting: readonly InvocationStatus[] = ['REGISTERED', 'REROUTED', 'RETRY', 'CONCURRENCY_CONTROLLED']

type Topics = PoolRules['topics']

/** What a change of topics is about: work that may be routed by one of them. */
type IsConcerned = (record: InvocationRecord) => boolean

/** Hears of changes between its start and its stop. `poke`: there may be work that nobody was told of. */
export function createReroutes(dependencies: RunnerDependencies, runner: Runner, poke: () => void): TickLoop {
  const { pools, log } = dependencies
  let running = false
  let known: Topics = {}
  let last: Promise<void> = Promise.resolve()
  pools.onChange(({ topics }) => {
    const before = known
    known = topics
    if (!running) return
    const isConcerned = concernedBy(before, topics)
    if (isConcerned === null) return
    // One look at a time: a later change may be about the same work.
    last = last
      .then(() => rerouteAll({ dependencies, runner }, isConcerned, () => running))
      .then(poke, (thrown: unknown) => log.warn('reroutes.failed', { error: recordOfThrown(thrown).message }))
  })
  return {
    start: () => {
      running = true
      known = pools.rules().topics
    },
    stop: () => {
      running = false
    },
  }
}

/** Null when nothing was said about any topic. */
function concernedBy(before: Topics, after: Topics): IsConcerned | null {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((topic) => !isSame(before[topic] ?? [], after[topic] ?? []))
  if (changed.length === 0) return null
  const left = changed.flatMap((topic) => (before[topic] === undefined ? [] : [before[topic]]))
  return ({ taskKind, route, pool }) => {
    const pools = route?.pools ?? [pool]
    // What no pool was mapped to, what follows its kind, and what goes where a changed topic went.
    if (pools.length === 0) return true
    if (changed.includes(taskKind) && !isSame(pools, after[taskKind] ?? [])) return true
    return left.some((list) => isSame(list, pools))
  }
}

/** In whatever order: a node that prefers one of them has it first. */
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((pool) => b.includes(pool))

interface RerouteParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
}

async function rerouteAll(
  parts: RerouteParts,
  isConcerned: IsConcerned,
  isRunning: () => boolean,
): Promise<void> {
  const { store, partition, settings } = parts.dependencies
  const limit = settings.reconcilerBatchSize
  for (let after: string | null = null; isRunning(); ) {
    const records: readonly InvocationRecord[] = await store.list(partition, 'work', {
      filter: { statuses: waiting, pool: null },
      page: { after, limit },
    })
    await Promise.all(records.filter(isConcerned).map((record) => reroute(parts, record)))
    after = records.at(-1)?.id ?? null
    if (records.length < limit || after === null) return
  }
}

/** What fails here is routed by the replayer's next look at what nobody could do. */
async function reroute({ dependencies, runner }: RerouteParts, record: InvocationRecord): Promise<void> {
  const { book, log } = dependencies
  try {
    await book.decide(record.runId, (state) => {
      const context = runner.context({
        actor: 'reconciler',
        cause: { kind: 'scheduling', by: null, detail: 'pools have other topics' },
        opId: opId(`route:${record.id}:${state.invocations.get(record.id)?.version ?? 0}`),
        runId: record.runId,
        claims: false,
      })
      return routeAnew(state, context, record.id)
    })
  } catch (thrown) {
    log.warn('reroutes.failed', { invocationId: record.id, error: recordOfThrown(thrown).message })
  }
}
