/** Engines on one store in virtual time, with tasks that end when the test says so. */

import type { Checkpoint } from '../../../../src-engine/model/checkpoint.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../../../src-engine/model/invocation-status.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { Logger } from '../../../../src-engine/model/ports.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { ControlAnswer, ControlRequest } from '../../../../src-engine/protocol/run-control.ts'
import type { EngineOptions } from '../../../../src-engine/runtime/create-engine.ts'
import { createEngine } from '../../../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../../../src-engine/runtime/engine.ts'
import type { TaskHost } from '../../../../src-engine/runtime/task-host.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { createMapRun } from '../../../../src-engine/tasks/map/run.ts'
import { semaphoreRun } from '../../../../src-engine/tasks/semaphore/run.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import type { ProbeAnswer, TaskContext, TaskOutcome, TaskRun } from '../../../../src-engine/tasks/task.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { SimulatedProcess, World } from '../../../simulation/world.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import type { SettingValues } from './scene-settings.ts'
import { sceneSettings } from './scene-settings.ts'

interface AtWork {
  readonly engine: number
  readonly runId: string
  readonly nodeId: string
  readonly end: (error?: Error) => void
  /** Ends with this instead of a result. */
  readonly finish: (outcome: TaskOutcome) => void
  /** From now on it can stand still; tells whether it does. */
  readonly program: () => { readonly isPaused: () => boolean }
}

/** Its parameters are as the scene’s resolver gives them: a test names them all. */
const real: ReadonlyMap<string, TaskRun<unknown>> = new Map([
  ['map', createMapRun({ evaluate: async () => null }) as TaskRun as TaskRun<unknown>],
  ['semaphore', semaphoreRun as TaskRun as TaskRun<unknown>],
])

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export class EnginesScene {
  readonly world = new World()
  readonly store: Store
  readonly engines: Engine[] = []
  readonly processes: SimulatedProcess[] = []
  /** What runs now, in the order it began. */
  readonly atWork: AtWork[] = []
  /** Runs in the order in which their tasks began. */
  readonly begun: string[] = []
  most = 0
  /** Whether what runs can stand still. */
  pausable = false
  /** Parameters of steps are resolved once this is; null for at once. */
  resolving: Promise<void> | null = null
  /** Whether every commit looks as if another process had made it. */
  hintsFromElsewhere = false
  /** Whether what runs ignores that it is told to stop. */
  deaf = false
  /** How every kind finds out whether a step happened; null for kinds that can't. */
  probe: ((context: TaskContext) => Promise<ProbeAnswer>) | null = null
  log: Logger = quiet
  /** Whether its engines look for work and for the dead every fifteen seconds only: who is on connections always does. */
  looksSeldom = false
  /** Each engine's own way to the store; null where all share one. */
  connect: (() => Promise<Store>) | null = null
  #ids = 0

  constructor(store: Store) {
    this.store = awaited(this.#elsewhere(store), this.world)
  }

  async launch(
    settings: SettingValues = {},
    given: Partial<
      Pick<EngineOptions, 'canRunAtomicService' | 'process' | 'trust' | 'tellsSecretsOf' | 'safetyKernel'>
    > = {},
  ): Promise<Engine> {
    const store = this.connect === null ? this.store : awaited(await this.connect(), this.world)
    const engine = this.make(settings, given, store)
    await this.within(engine.start())
    return engine
  }

  /** An engine that is not started. */
  make(
    settings: SettingValues = {},
    given: Partial<
      Pick<EngineOptions, 'canRunAtomicService' | 'process' | 'trust' | 'tellsSecretsOf' | 'safetyKernel'>
    > = {},
    store = this.store,
  ): Engine {
    const number = this.engines.length
    const process = new SimulatedProcess(this.world, number + 1)
    const engine = createEngine({
      store: mortal(store, process),
      host: this.#host(number, process),
      validation: {},
      clock: process.clock(),
      random: { next: () => 0.5 },
      ids: { next: () => String((this.#ids += 1)).padStart(6, '0') },
      log: this.log,
      process: {
        own: { host: 'host', pid: process.pid, startTime: null, bootId: null },
        isProvenGone: ({ pid }) => this.processes[pid - 1]?.alive === false,
      },
      preview: async () => ({ kind: 'no-data' }),
      settings: sceneSettings(settings, { looksSeldom: this.looksSeldom || this.connect !== null }),
      ...given,
    })
    this.engines.push(engine)
    this.processes.push(process)
    return engine
  }

  /** Starts a run on an engine, by default the first. */
  async start(
    document: WorkflowDocument,
    input: JsonValue = {},
    at: number | { readonly engine: number; readonly tenant: string } = 0,
  ): Promise<RunId> {
    const { engine, ...given } = typeof at === 'number' ? { engine: at } : at
    const chosen = this.engines[engine]
    if (chosen === undefined) throw new Error(`there is no engine ${engine}`)
    const started = chosen.startRun({ document, input, requestId: null, baseDirectory: null, ...given })
    return (await this.within(started)).runId
  }

  /** Starts several runs in the same moment, each on the engine that stands beside its input. */
  async startTogether(
    document: WorkflowDocument,
    starts: readonly (readonly [input: JsonValue, engine: number])[],
  ): Promise<readonly RunId[]> {
    const started = starts.map(async ([input, engine]) => {
      const chosen = this.engines[engine]
      if (chosen === undefined) throw new Error(`there is no engine ${engine}`)
      return chosen.startRun({ document, input, requestId: null, baseDirectory: null })
    })
    const runs = await this.within(Promise.all(started))
    return runs.map(({ runId }) => runId)
  }

  /** Asks an engine for a pause, a resume, a cancel or a skip. */
  async control(engine: number, request: ControlRequest): Promise<ControlAnswer> {
    const chosen = this.engines[engine]
    if (chosen === undefined) throw new Error(`there is no engine ${engine}`)
    return this.within(chosen.controlRun(request))
  }

  /** Has an engine's process die in the moment in which a checkpoint that fits is durable. */
  dieAfter(engine: number, fits: (checkpoint: Checkpoint) => boolean): void {
    const process = this.processes[engine]
    if (process !== undefined) deadly.set(process, fits)
  }

  /** Lets virtual time pass. */
  async pass(ms: number): Promise<void> {
    await this.world.run(this.world.now + ms, () => false)
  }

  /** Ends what runs, oldest first, and lets what follows come to rest. */
  async end(error?: Error): Promise<void> {
    const [oldest] = this.atWork
    if (oldest === undefined) throw new Error('nothing is at work')
    oldest.end(error)
    await this.pass(0)
  }

  async records(runId: RunId): Promise<readonly InvocationRecord[]> {
    return this.store.load(0, 'invocations', { runId })
  }

  async statuses(runId: RunId): Promise<readonly InvocationStatus[]> {
    return (await this.records(runId)).map((record) => record.status)
  }

  async run(runId: RunId): Promise<RunRecord> {
    const run = await this.store.load(0, 'run', { runId })
    if (run === null) throw new Error(`there is no run ${runId}`)
    return run
  }

  /** Every status that an invocation of the run went through. */
  async history(runId: RunId): Promise<readonly string[]> {
    const events = await eventsOfRun(this.store, runId)
    return events.flatMap(({ body }) => (body.type === 'invocation.changed' ? [body.to] : []))
  }

  #host(engine: number, process: SimulatedProcess): TaskHost {
    return {
      specsByKind: taskSpecsByKind,
      runOf: (kind) => real.get(kind) ?? this.#held(engine, process),
      resolver: {
        resolveParameters: async ({ parameters, spec, scope }) => {
          const input = (await scope.input()) as Record<string, unknown>
          if (this.resolving !== null) await this.resolving
          // Enough of an expression for the key of a workflow.
          const { expression } = parameters
          const name = typeof expression === 'string' ? /^input\.(\w+)$/.exec(expression)?.[1] : undefined
          if (spec.kind === 'transform' && name !== undefined) return { expression: input[name] }
          return { ...parameters, ...input }
        },
      },
      echoService: async () => '',
    }
  }

  #elsewhere(store: Store): Store {
    const watch: Store['watch'] = (partition, hint) =>
      store.watch(partition, (origin, found) => hint(this.hintsFromElsewhere ? 'elsewhere' : origin, found))
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = name === 'watch' ? watch : Reflect.get(target, name)
        return typeof member === 'function' && name !== 'watch' ? member.bind(target) : member
      },
    })
  }

  /** A task that lasts until the test ends it. */
  #held(engine: number, process: SimulatedProcess): TaskRun<unknown> {
    const { probe } = this
    return {
      ...(probe === null ? {} : { probe: (_parameters: unknown, context: TaskContext) => probe(context) }),
      execute: (_parameters, context) =>
        new Promise((resolve, reject) => {
          const { runId, nodeId, signal } = context
          const leave = (): void => {
            const place = this.atWork.indexOf(work)
            if (place !== -1) this.atWork.splice(place, 1)
          }
          const work: AtWork = {
            engine,
            runId,
            nodeId,
            end: (error) => {
              leave()
              if (error === undefined) resolve(completed(runId))
              else reject(error)
            },
            finish: (outcome) => {
              leave()
              resolve(outcome)
            },
            program: () => {
              let paused = false
              const pause = (): boolean => (paused = true)
              context.setPausable({ pause, resume: () => void (paused = false) })
              return { isPaused: () => paused }
            },
          }
          if (this.pausable) work.program()
          this.begun.push(runId)
          this.atWork.push(work)
          this.most = Math.max(this.most, this.atWork.length)
          signal.addEventListener('abort', () => {
            if (!process.alive || this.deaf) return
            leave()
            reject(new Error('stopped'))
          })
        }),
    }
  }

  /** What a promise comes to, while virtual time passes. */
  async within<Value>(promise: Promise<Value>): Promise<Value> {
    let settled = false
    const mark = (): void => {
      settled = true
    }
    promise.then(mark, mark)
    await this.world.run(this.world.now + 60_000, () => settled)
    return promise
  }
}

/** After which of its own commits a process dies. */
const deadly = new WeakMap<SimulatedProcess, (checkpoint: Checkpoint) => boolean>()

/** The store as a process sees it: from its death on it neither asks nor hears anything. */
function mortal(store: Store, process: SimulatedProcess): Store {
  const never = new Promise<never>(() => {})
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || name === 'watch') return member
      return async (...given: readonly unknown[]): Promise<unknown> => {
        if (!process.alive) return never
        const answer: unknown = await Reflect.apply(member, target, given)
        const fits = name === 'commit' ? deadly.get(process) : undefined
        if (fits !== undefined && (given[1] as readonly Checkpoint[]).some(fits)) process.die()
        return process.alive ? answer : never
      }
    },
  })
}

/** Virtual time stands still while a call to the store is under way. */
function awaited(store: Store, world: World): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, given)
        if (!(answer instanceof Promise)) return answer
        world.pending += 1
        const done = (): void => {
          world.pending -= 1
        }
        answer.then(done, done)
        return answer
      }
    },
  })
}
