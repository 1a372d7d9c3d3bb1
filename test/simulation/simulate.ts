/** One seed's story: engines on a shared store, faults for a while, then quiet; and what was wrong at the end. */

import { createHash } from 'node:crypto'
import type { RunId } from '../../src-engine/model/ids.ts'
import { runnerId } from '../../src-engine/model/ids.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { createEngine } from '../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import type { TaskHost } from '../../src-engine/runtime/task-host.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { Effect } from '../support/effect-sink.ts'
import { readHistory } from '../support/history.ts'
import { checkAll } from '../support/invariants.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import { createFakeTasks } from './fake-tasks.ts'
import type { StoreFaults } from './faulty-store.ts'
import { createFaultyStore } from './faulty-store.ts'
import type { Scenario, Start } from './scenario.ts'
import { randomScenario } from './scenario.ts'
import { SimulatedProcess, World } from './world.ts'

/** A planted bug, at the seams that every engine is made with. */
export interface Mutant {
  readonly store?: (store: Store, random: RandomSource) => Store
  readonly host?: (host: TaskHost) => TaskHost
}

export interface SimulationOptions {
  readonly openStore: () => Promise<Store>
  readonly mutant?: Mutant
}

export interface Simulated {
  readonly seed: number
  readonly violations: readonly string[]
  /** The same for the same seed, or something isn't decided by it. */
  readonly trace: string
  readonly faults: Readonly<Record<string, number>>
  readonly runs: number
  readonly happened: number
  readonly virtualMs: number
}

const ttlMs = 30_000
const heartbeatMs = 7_500
/** Three times lease and sweep, and the work itself with its longest pauses. */
const healMs = 3 * (ttlMs + 5_000) + 240_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Plays a seed to its end. */
export async function simulate(seed: number, options: SimulationOptions): Promise<Simulated> {
  const story = new Story(seed, options, await options.openStore())
  return story.play()
}

interface Member {
  readonly process: SimulatedProcess
  readonly engine: Engine
}

class Story {
  readonly #seed: number
  readonly #options: SimulationOptions
  readonly #store: Store
  readonly #random: RandomSource
  readonly #scenario: Scenario
  readonly #world = new World()
  readonly #members: Member[] = []
  readonly #effects: Effect[] = []
  readonly #accepted: RunId[] = []
  readonly #problems: string[] = []
  readonly #faults: StoreFaults = { fullUntil: 0, refusal: 0, lostAnswer: 0 }
  readonly #counts: Record<string, number> = {}
  #ids = 0

  constructor(seed: number, options: SimulationOptions, store: Store) {
    this.#seed = seed
    this.#options = options
    this.#store = store
    this.#random = createRandomSource(`seed ${seed}`)
    this.#scenario = randomScenario(this.#random)
  }

  async play(): Promise<Simulated> {
    const world = this.#world
    const began = world.now
    const { chaosMs, processes, starts } = this.#scenario
    const healAt = began + chaosMs
    for (let index = 0; index < processes; index += 1) this.#launch()
    for (const start of starts) world.at(began + start.at, () => this.#request(start))
    this.#planFaults(began)
    await world.run(healAt, () => false)
    this.#heal()
    await this.#untilEnded(healAt + healMs)
    const violations = [...this.#problems, ...(await this.#check())]
    const trace = await this.#trace()
    await this.#store.close()
    return {
      seed: this.#seed,
      violations,
      trace,
      faults: this.#counts,
      runs: this.#accepted.length,
      happened: world.happened,
      virtualMs: world.now - began,
    }
  }

  #launch(): void {
    const number = this.#members.length
    const process = new SimulatedProcess(this.#world, number + 1)
    const random = createRandomSource(`seed ${this.#seed} process ${number}`)
    const { mutant } = this.#options
    const faulty = createFaultyStore(this.#store, { process, random, faults: this.#faults })
    const tasks = createFakeTasks({ process, random, effects: this.#effects })
    const engine = createEngine({
      store: mutant?.store?.(faulty, random) ?? faulty,
      host: mutant?.host?.(tasks) ?? tasks,
      validation: {},
      clock: process.clock(),
      random,
      ids: { next: () => String((this.#ids += 1)).padStart(6, '0') },
      log: quiet,
      process: {
        own: { host: 'host', pid: process.pid, startTime: null, bootId: null },
        isProvenGone: ({ pid }) => this.#scenario.sameHost && this.#processOf(pid)?.alive === false,
      },
      preview: async () => ({ kind: 'no-data' }),
      settings: engineSettings({
        maxConcurrentTasks: this.#scenario.slots,
        claimTtlMs: ttlMs,
        heartbeatIntervalMs: heartbeatMs,
      }),
      failpoints: this.#failpointsOf(process, number),
    })
    this.#members.push({ process, engine })
    this.#start(engine, process)
  }

  /** Whoever starts an engine tries again when the disk is full. */
  #start(engine: Engine, process: SimulatedProcess): void {
    engine.start().catch(() => {
      process.die()
      this.#world.at(this.#world.now + 1_000, () => this.#launch())
    })
  }

  #processOf(pid: number): SimulatedProcess | undefined {
    return this.#members[pid - 1]?.process
  }

  #failpointsOf(process: SimulatedProcess, number: number): (name: FailpointName) => void {
    const planned = this.#scenario.failpoints.filter((point) => point.process === number)
    const passed = new Map<FailpointName, number>()
    return (name) => {
      const count = (passed.get(name) ?? 0) + 1
      passed.set(name, count)
      const hit = planned.some((point) => point.name === name && point.nth === count)
      if (hit && process.alive) this.#crash(process, name)
    }
  }

  #crash(process: SimulatedProcess, name: string): void {
    this.#count(name)
    process.die()
    this.#world.at(this.#world.now + 1 + this.#random.below(5_000), () => this.#launch())
  }

  #count(fault: string): void {
    this.#counts[fault] = (this.#counts[fault] ?? 0) + 1
  }

  #planFaults(began: number): void {
    const { faults, chaosMs } = this.#scenario
    const sometimes = (allowed: boolean, times: number, happen: () => void): void => {
      for (let time = 0; time < (allowed ? times : 0); time += 1)
        this.#world.at(began + this.#random.below(chaosMs), happen)
    }
    const one = (happen: (process: SimulatedProcess, member: Member) => void) => () => {
      const living = this.#members.filter((member) => member.process.alive)
      if (living.length === 0) return
      const member = this.#random.pick(living)
      happen(member.process, member)
    }
    sometimes(
      faults.crashes,
      3,
      one((process) => this.#crash(process, 'crash')),
    )
    sometimes(
      faults.pauses,
      3,
      one((process) => this.#pause(process)),
    )
    sometimes(
      faults.clockJumps,
      3,
      one((process) => this.#jump(process)),
    )
    sometimes(
      faults.stops,
      2,
      one((process, member) => this.#stop(process, member)),
    )
    sometimes(faults.fullDisk, 2, () => {
      this.#count('full disk')
      this.#faults.fullUntil = this.#world.now + this.#random.below(8_000)
    })
    if (faults.refusals) this.#faults.refusal = 0.05
    if (faults.lostAnswers) this.#faults.lostAnswer = 0.02
  }

  #pause(process: SimulatedProcess): void {
    this.#count('pause')
    process.wasDisturbed = true
    process.pausedUntil = this.#world.now + this.#random.below(3 * ttlMs)
  }

  /** One clock that is wrong makes leases look expired to its process, or to all the others. */
  #jump(process: SimulatedProcess): void {
    this.#count('clock jump')
    process.skew += (this.#random.next() - 0.5) * 6 * ttlMs
    for (const member of this.#members) member.process.wasDisturbed = true
  }

  #stop(process: SimulatedProcess, member: Member): void {
    this.#count('stop')
    member.engine.stop().then(
      () => process.die(),
      () => process.die(),
    )
    this.#world.at(this.#world.now + this.#random.below(3_000), () => this.#launch())
  }

  /** A client that repeats a named request until somebody has answered it. */
  #request(start: Start): void {
    for (let copy = 0; copy < start.copies; copy += 1) this.#send(start)
    if (start.cancelAt === null) return
    this.#world.at(this.#world.now + start.cancelAt - start.at, () => this.#cancelSome())
  }

  #send(start: Start): void {
    const { document, requestId } = start
    const living = this.#members.filter((member) => member.process.alive)
    const again = () => this.#world.at(this.#world.now + 500, () => this.#send(start))
    if (living.length === 0) {
      again()
      return
    }
    const { engine, process } = this.#random.pick(living)
    let answered = false
    const request = { document, input: { start: start.at }, baseDirectory: null, requestId }
    engine.startRun(request).then(
      ({ runId }) => {
        answered = true
        if (!process.alive) return
        if (requestId !== null && runId !== `run_req_${encodeURIComponent(requestId)}`)
          this.#problems.push(`I9 the request ${requestId} gave ${runId}`)
        if (!this.#accepted.includes(runId)) this.#accepted.push(runId)
      },
      () => {
        answered = true
        again()
      },
    )
    if (requestId === null) return
    this.#world.at(this.#world.now + 4_000, () => {
      if (!answered) this.#send(start)
    })
  }

  #cancelSome(): void {
    const living = this.#members.filter((member) => member.process.alive)
    if (living.length === 0 || this.#accepted.length === 0) return
    this.#count('cancel')
    const runId = this.#random.pick(this.#accepted)
    this.#random
      .pick(living)
      .engine.cancelRun(runId)
      .catch(() => {})
  }

  #heal(): void {
    Object.assign(this.#faults, { fullUntil: 0, refusal: 0, lostAnswer: 0 })
    for (const { process } of this.#members) {
      process.pausedUntil = 0
      process.skew = 0
    }
    if (!this.#members.some((member) => member.process.alive)) this.#launch()
  }

  async #untilEnded(until: number): Promise<void> {
    for (;;) {
      await this.#world.run(Math.min(until, this.#world.now + 5_000), () => false)
      const open = await this.#openRuns()
      if (open.length === 0 || this.#world.now >= until) return
      await this.#decideForPeople(open)
    }
  }

  async #openRuns(): Promise<readonly RunId[]> {
    const runs = await this.#store.list(0, 'runs', {
      filter: { statuses: null, workflowId: null, includeCore: true },
      page: { after: null, limit: 100 },
    })
    const missing = this.#accepted.filter((id) => !runs.some((run) => run.id === id))
    return [...missing, ...runs.filter((run) => !runMachine.final.has(run.status)).map((run) => run.id)]
  }

  /** Somebody looks at what waits for a decision and decides. */
  async #decideForPeople(open: readonly RunId[]): Promise<void> {
    const living = this.#members.find((member) => member.process.alive)
    if (living === undefined) {
      this.#launch()
      return
    }
    for (const runId of open) {
      for (const record of await this.#store.load(0, 'invocations', { runId })) {
        if (record.status !== 'APPROVAL_REQUIRED') continue
        const decision = this.#random.pick([{ kind: 'run-again' }, { kind: 'fail' }] as const)
        living.engine.resolveInvocation(runId, record.id, decision).catch(() => {})
      }
    }
  }

  #check(): Promise<readonly string[]> {
    const mayRecover = (runner: string, at: number): boolean => {
      const process = this.#runnerProcess.get(runnerId(runner))
      return (
        process === undefined || process.wasDisturbed || (process.diedAt ?? Number.POSITIVE_INFINITY) <= at
      )
    }
    return this.#loadRunners().then(() =>
      checkAll({
        store: this.#store,
        effects: this.#effects,
        accepted: this.#accepted,
        settled: true,
        ...(this.#scenario.faults.fullDisk || this.#scenario.faults.lostAnswers ? {} : { mayRecover }),
      }),
    )
  }

  readonly #runnerProcess = new Map<string, SimulatedProcess>()

  async #loadRunners(): Promise<void> {
    const runners = await this.#store.list(0, 'runners', { filter: null, page: { after: null, limit: 200 } })
    for (const runner of runners) {
      const process = this.#processOf(runner.process.pid)
      if (process !== undefined) this.#runnerProcess.set(runner.id, process)
    }
  }

  async #trace(): Promise<string> {
    const { events } = await readHistory(this.#store)
    const text = JSON.stringify([events.at(-1)?.hash, this.#effects, this.#world.happened, this.#world.now])
    return createHash('sha256').update(text).digest('hex').slice(0, 16)
  }
}
