/** Loading over partitions: one thing from where it lives, counts and lines put together. */

import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { compareBlocked } from '../blocked.ts'
import type { RawStore } from '../raw-store.ts'
import type { LoadQueries, WorkCount } from '../store.ts'
import { holdersAtHome } from './home-permits.ts'
import type { Reach } from './reach.ts'
import type { Routes } from './routes.ts'

type Loads = {
  readonly [Kind in keyof LoadQueries]: (
    partition: number,
    input: LoadQueries[Kind]['input'],
  ) => Promise<LoadQueries[Kind]['output']>
}

export function createLoads(raw: RawStore, routes: Routes, reach: Reach): Loads {
  /** For what is found in one of them, and asked for rarely. Where one can't be asked, not to find it says nothing. */
  const firstOf = async <Item>(ask: (partition: number) => Promise<Item | null>): Promise<Item | null> => {
    const settled = await Promise.allSettled(routes.partitions.map(ask))
    for (const item of settled) if (item.status === 'fulfilled' && item.value !== null) return item.value
    const failed = settled.find((item) => item.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return null
  }
  const ofReached = async <Answer>(ask: (partition: number) => Promise<Answer>): Promise<readonly Answer[]> =>
    (await reach.ask(routes.partitions, ask)).map(({ answer }) => answer)
  return {
    run: (_, input) => raw.load(routes.ofRun(input.runId), 'run', input),
    runByRequest: (_, input) => firstOf<RunRecord>((partition) => raw.load(partition, 'runByRequest', input)),
    runCounts: async (_, input) =>
      sumOfCounts(await ofReached((partition) => raw.load(partition, 'runCounts', input))),
    invocations: (_, input) => raw.load(routes.ofRun(input.runId), 'invocations', input),
    invocation: (_, input) => raw.load(routes.ofInvocation(input.invocationId), 'invocation', input),
    attempts: (_, input) => raw.load(routes.ofRun(input.runId), 'attempts', input),
    // What belongs to no run lives where its writer said.
    workflowVersion: (partition, input) => raw.load(partition, 'workflowVersion', input),
    register: (partition, input) => raw.load(partition, 'register', input),
    dueRegisters: (partition, input) => raw.load(partition, 'dueRegisters', input),
    runner: (partition, input) => raw.load(partition, 'runner', input),
    slotHolders: (_, asked) => holdersAtHome(raw, routes, asked),
    permitWaiters: async (_, input) => {
      const lines = await ofReached((partition) => raw.load(partition, 'permitWaiters', input))
      return {
        invocations: lines
          .flatMap(({ invocations }) => invocations)
          .sort(compareBlocked)
          .slice(0, input.limit),
        runs: lines
          .flatMap(({ runs }) => runs)
          .sort(compareBlocked)
          .slice(0, input.limit),
      }
    },
    workCounts: async (_, input) =>
      sumOfWork((await ofReached((partition) => raw.load(partition, 'workCounts', input))).flat()),
    deadLetter: (_, input) => firstOf((partition) => raw.load(partition, 'deadLetter', input)),
    feedEnd: (partition, input) => raw.load(partition, 'feedEnd', input),
  }
}

function sumOfCounts(all: readonly ReadonlyMap<RunStatus, number>[]): ReadonlyMap<RunStatus, number> {
  const sum = new Map<RunStatus, number>()
  for (const counts of all) {
    for (const [status, count] of counts) sum.set(status, (sum.get(status) ?? 0) + count)
  }
  return sum
}

function sumOfWork(counts: readonly WorkCount[]): readonly WorkCount[] {
  const sum = new Map<string, WorkCount>()
  for (const item of counts) {
    const key = JSON.stringify([item.owner, item.pools])
    sum.set(key, { ...item, count: item.count + (sum.get(key)?.count ?? 0) })
  }
  return [...sum.values()]
}
