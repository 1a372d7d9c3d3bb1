/** The simulated processes with their engines, and everything that may befall them. */

import { runnerId } from '../../src-engine/model/ids.ts'
import type { EngineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { createEngine } from '../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import type { LoadProbe } from '../../src-engine/runtime/routing/load-gate.ts'
import type { Effect } from '../support/effect-sink.ts'
import { createRandomSource } from '../support/random-source.ts'
import { createFakeTasks } from './fake-tasks.ts'
import { createFaultyStore } from './faulty-store.ts'
import { unkeptGraceMs } from './keeping.ts'
import type { Scheduling } from './scheduling.ts'
import { allRounder, busyMachine } from './scheduling.ts'
import type { Stage } from './stage.ts'
import { heartbeatMs, ttlMs } from './stage.ts'
import { SimulatedProcess } from './world.ts'

export interface Member {
  readonly process: SimulatedProcess
  readonly engine: Engine
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

function settingsOf(
  { runners, crons }: Scheduling,
  number: number,
  isCalm: boolean,
): Partial<EngineSettings> {
  const { pools, tags } = (isCalm ? null : runners[number % runners.length]) ?? allRounder
  const often = { recoverPendingCron: '* * * * *', recoverRunningCron: '*/2 * * * *' }
  return { pools, tags, ...(crons ? often : {}) }
}

/** Nothing passes that nobody could judge. */
const judging = { outputPolicyEnabled: true, outputPolicyFailMode: 'closed' } as const

export class Cluster {
  /** What the outside world saw of all of them. */
  readonly effects: Effect[] = []
  readonly #stage: Stage
  readonly #members: Member[] = []
  readonly #processByRunner = new Map<string, SimulatedProcess>()
  readonly #began: number
  #clocksJumped = false
  #isCalm = false
  #ids = 0

  constructor(stage: Stage) {
    this.#stage = stage
    this.#began = stage.world.now
  }

  living(): readonly Member[] {
    return this.#members.filter((member) => member.process.alive)
  }

  /** Any of them; null when all are dead. */
  some(): Member | null {
    const living = this.living()
    return living.length === 0 ? null : this.#stage.random.pick(living)
  }

  /** The next process; where it works is said by its number, and once all is calm, it does everything. */
  launch(): void {
    const { seed, world, mutant, scenario, store, storeFaults, answered } = this.#stage
    const { scheduling, oversight, forgets } = scenario
    const number = this.#members.length
    const process = new SimulatedProcess(world, number + 1)
    process.wasDisturbed = this.#clocksJumped
    const random = createRandomSource(`seed ${seed} process ${number}`)
    const faulty = createFaultyStore(store, { process, random, faults: storeFaults, answered })
    const programs = scenario.hasPrograms ? createRandomSource(`seed ${seed} programs ${number}`) : null
    const tasks = createFakeTasks({ process, random, programs, effects: this.effects })
    const engine = createEngine({
      store: mutant.store?.(faulty, random) ?? faulty,
      host: mutant.host?.(tasks) ?? tasks,
      validation: {},
      clock: process.clock(),
      random,
      ids: { next: () => String((this.#ids += 1)).padStart(6, '0') },
      log: quiet,
      process: {
        own: { host: 'host', pid: process.pid, startTime: null, bootId: null },
        isProvenGone: ({ pid }) =>
          mutant.believesAllDead === true || (scenario.sameHost && this.#processOf(pid)?.alive === false),
      },
      preview: async () => ({ kind: 'no-data' }),
      workflows: { find: async (name) => this.#find(name) },
      settings: engineSettings({
        maxConcurrentTasks: scenario.slots,
        claimTtlMs: ttlMs,
        heartbeatIntervalMs: heartbeatMs,
        ...(scheduling === null ? {} : settingsOf(scheduling, number, this.#isCalm)),
        ...(forgets ? { unkeptGraceMs } : {}),
        ...((oversight?.output ?? null) === null ? {} : judging),
      }),
      ...(scheduling?.crons === true ? { canRunAtomicService: true } : {}),
      ...(scheduling?.busy === true ? { probe: this.#probeOf(number) } : {}),
      failpoints: this.#failpointsOf(process, number),
    })
    this.#members.push({ process, engine: mutant.engine?.(engine, random) ?? engine })
    this.#processByRunner.set(engine.runnerId, process)
    this.#start(engine, process)
  }

  crash({ process }: Member, name: string): void {
    const { world, random, count } = this.#stage
    count(name)
    process.die()
    world.at(world.now + 1 + random.below(5_000), () => this.launch())
  }

  stop({ engine, process }: Member): void {
    const { world, random, count } = this.#stage
    count('stop')
    const die = () => process.die()
    engine.stop().then(die, die)
    world.at(world.now + random.below(3_000), () => this.launch())
  }

  /** It stands still for a while, as under SIGSTOP or in a stalled event loop. */
  pause({ process }: Member): void {
    const { world, random, count } = this.#stage
    count('pause')
    process.wasDisturbed = true
    process.pausedUntil = world.now + random.below(3 * ttlMs)
  }

  /** The whole machine sleeps: all processes stand still together. */
  sleep(): void {
    const { world, random, count } = this.#stage
    count('sleep')
    const until = world.now + random.below(3 * ttlMs)
    for (const { process } of this.#members) {
      process.wasDisturbed = true
      process.pausedUntil = Math.max(process.pausedUntil, until)
    }
  }

  /** One clock that is wrong makes leases look expired to its process, or to all the others. */
  jump({ process }: Member): void {
    const { random, count } = this.#stage
    count('clock jump')
    // Clocks count whole milliseconds, the wrong ones too.
    process.skew += Math.round((random.next() - 0.5) * 6 * ttlMs)
    this.#clocksJumped = true
    for (const member of this.#members) member.process.wasDisturbed = true
  }

  /** All faults of processes end, and at least one of them lives. */
  heal(): void {
    for (const { process } of this.#members) {
      process.pausedUntil = 0
      process.skew = 0
    }
    this.#isCalm = true
    if (this.#stage.scenario.scheduling !== null || this.living().length === 0) this.launch()
  }

  /** Whether taking work from this runner at this instant was right. */
  mayRecover(runner: string, at: number): boolean {
    const process = this.#processByRunner.get(runnerId(runner))
    return process === undefined || process.wasDisturbed || (process.diedAt ?? Number.POSITIVE_INFINITY) <= at
  }

  #probeOf(number: number): LoadProbe {
    const { seed, world, scenario } = this.#stage
    const busy = busyMachine(seed * 100 + number)
    const calmAt = this.#began + scenario.chaosMs
    return () => ({ cpuPercent: world.now > calmAt ? 5 : busy(world.now), gpuPercent: null })
  }

  /** Whoever starts an engine tries again when the disk is full. */
  #start(engine: Engine, process: SimulatedProcess): void {
    engine.start().catch(() => {
      process.die()
      const { world } = this.#stage
      world.at(world.now + 1_000, () => this.launch())
    })
  }

  #find(name: string) {
    const document = this.#stage.scenario.documents.find(({ id }) => id === name)
    return document === undefined ? null : { document, folder: null }
  }

  #processOf(pid: number): SimulatedProcess | undefined {
    return this.#members[pid - 1]?.process
  }

  #failpointsOf(process: SimulatedProcess, number: number): (name: FailpointName) => void {
    const planned = this.#stage.scenario.failpoints.filter((point) => point.process === number)
    const passed = new Map<FailpointName, number>()
    return (name) => {
      const count = (passed.get(name) ?? 0) + 1
      passed.set(name, count)
      const hit = planned.some((point) => point.name === name && point.nth === count)
      const member = this.#members[number]
      if (hit && process.alive && member !== undefined) this.crash(member, name)
    }
  }
}
