/** A store whose n-th call fails, once or for a while, and the story of a run on it in virtual time. */
import type { ErrorCode } from '../../src-engine/model/errors.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { createEngine } from '../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { crashScenarios } from '../crash/scenarios.ts'
import type { Effect } from '../support/effect-sink.ts'
import { checkAll } from '../support/invariants.ts'
import { createRandomSource } from '../support/random-source.ts'
import { createFakeTasks } from './fake-tasks.ts'
import { simulationStores } from './stores.ts'
import { SimulatedProcess, World } from './world.ts'

/** Which call fails, how, and for how long. */
export interface PlannedFailure {
  /** Counted over all calls of the store, from 1. */
  readonly nth: number
  readonly code: Extract<ErrorCode, 'store_full' | 'store_failed' | 'store_busy'>
  /** Once; or all calls from then on until the fault is taken away. */
  readonly lasts: 'once' | 'sticky'
}

/** What came of it. */
export interface FailureStory {
  /** Whether there was an n-th call at all. */
  readonly reached: boolean
  readonly problems: readonly string[]
}

const faultMs = 20_000
const endMs = 400_000
const scenario = crashScenarios.find(({ name }) => name === 'order')

/** Plays the scenario with one failure. */
export async function playFailure(failure: PlannedFailure): Promise<FailureStory> {
  const open = simulationStores['sqlite']
  if (open === undefined || scenario === undefined) throw new Error('The scenario or its store is gone.')
  const world = new World()
  const store = await open()
  const fault = failing(store, failure, world)
  const effects: Effect[] = []
  const accepted: string[] = []
  const problems: string[] = []
  let processes = 0
  const launch = (): void => {
    processes += 1
    const process = new SimulatedProcess(world, processes)
    const engine = engineOn(fault.store, { process, effects })
    const again = (): void => {
      process.die()
      world.at(world.now + 1_000, launch)
    }
    engine.start().then(() => request(engine, process), again)
  }
  const request = (engine: Engine, process: SimulatedProcess): void => {
    const named = { document: scenario.document, input: { order: 7 }, baseDirectory: null, requestId: 'one' }
    engine.startRun(named).then(
      ({ runId }) => accepted.push(runId),
      (thrown: unknown) => {
        if (!(thrown instanceof SagasmithError)) problems.push(`the start failed with ${String(thrown)}`)
        process.plan(500, () => request(engine, process))
      },
    )
  }
  launch()
  const ended = async (): Promise<boolean> => {
    const run = await store.load(0, 'runByRequest', { requestId: 'one' })
    return run !== null && runMachine.final.has(run.status) && accepted.length > 0
  }
  while (world.now < 1_000_000 + endMs && !(await ended())) {
    await world.run(world.now + 5_000, () => false)
  }
  const run = await store.load(0, 'runByRequest', { requestId: 'one' })
  if (run?.status !== scenario.status) problems.push(`the run is ${run?.status ?? 'not there'} at the end`)
  problems.push(...(await checkAll({ store, effects, accepted, settled: true })))
  await store.close()
  return { reached: fault.reached(), problems }
}

function engineOn(
  store: Store,
  { process, effects }: { readonly process: SimulatedProcess; readonly effects: Effect[] },
): Engine {
  const random = createRandomSource('nth failure')
  let ids = 0
  return createEngine({
    store,
    host: createFakeTasks({ process, random, effects }),
    validation: {},
    clock: process.clock(),
    random,
    ids: { next: () => `${process.pid}-${String((ids += 1)).padStart(6, '0')}` },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    process: {
      own: { host: 'host', pid: process.pid, startTime: null, bootId: null },
      isProvenGone: ({ pid }) => pid !== process.pid,
    },
    preview: async () => ({ kind: 'no-data' }),
    settings: engineSettings({ maxConcurrentTasks: 2, claimTtlMs: 30_000, heartbeatIntervalMs: 7_500 }),
  })
}

function failing(
  store: Store,
  { nth, code, lasts }: PlannedFailure,
  world: World,
): { readonly store: Store; readonly reached: () => boolean } {
  let calls = 0
  let healAt = Number.POSITIVE_INFINITY
  const guarded = new Set(['commit', 'fetch', 'claim', 'renew', 'listExpired', 'listDue', 'load', 'list'])
  for (const name of ['readEvents', 'putBlob', 'getBlob', 'migrate']) guarded.add(name)
  const refuse = (): boolean => {
    calls += 1
    if (calls === nth) healAt = world.now + faultMs
    return lasts === 'once' ? calls === nth : calls >= nth && world.now < healAt
  }
  return {
    reached: () => calls >= nth,
    store: new Proxy(store, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name)
        if (name === 'close') return async () => {}
        if (typeof own !== 'function') return own
        if (!guarded.has(String(name))) return own.bind(target) as unknown
        return async (...given: readonly unknown[]) => {
          if (refuse()) throw new SagasmithError(code)
          world.pending += 1
          try {
            return (await Reflect.apply(own, target, given)) as unknown
          } finally {
            world.pending -= 1
          }
        }
      },
    }),
  }
}
