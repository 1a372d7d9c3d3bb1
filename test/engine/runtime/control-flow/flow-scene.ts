/** The product's tasks and expressions on an engine in virtual time, on a store of the test's choice. */

import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { ValidationOptions } from '../../../../src-engine/model/validation.ts'
import { createEngine } from '../../../../src-engine/runtime/create-engine.ts'
import type { Engine, StartRequest } from '../../../../src-engine/runtime/engine.ts'
import type { EngineObserver } from '../../../../src-engine/runtime/engine-observer.ts'
import { createExpressionService } from '../../../../src-engine/runtime/expressions/expression-service.ts'
import type { FailpointName } from '../../../../src-engine/runtime/failpoints.ts'
import type { FolderAccess } from '../../../../src-engine/runtime/file-watch/folder-access.ts'
import type { OutputOptions } from '../../../../src-engine/runtime/output-policy/create-outputs.ts'
import type { StreamAccess } from '../../../../src-engine/runtime/streams/stream-access.ts'
import type { FoundWorkflow } from '../../../../src-engine/runtime/sub-workflows/workflow-source.ts'
import type { TrustSource } from '../../../../src-engine/runtime/trust/definition-trust.ts'
import type { SecretSource } from '../../../../src-engine/runtime/vault/attempt-secrets.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { createTaskRuns } from '../../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import type { TaskRun } from '../../../../src-engine/tasks/task.ts'
import { SimulatedProcess, World } from '../../../simulation/world.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import type { SettingValues } from '../permits/scene-settings.ts'
import { sceneSettings } from '../permits/scene-settings.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * One thread for all scenes of a file: to start it takes longer than to play most of them. It keeps nothing of an
 * expression, and holds nobody up once it is idle.
 */
const expressions = createExpressionService({
  clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
})

export class FlowScene {
  readonly world = new World()
  readonly store: Store
  readonly engines: Engine[] = []
  /** Why no single invocation can be loaded for now; null while it can. */
  failing: string | null = null
  /** How often each failpoint was passed, over all engines. */
  readonly passed = new Map<FailpointName, number>()
  readonly #processes: SimulatedProcess[] = []
  readonly #settings: SettingValues
  #ids = 0
  /** Hears what engines that are launched from now on do; null for nobody. */
  observer: EngineObserver | null = null
  /** Whether its engines look for work and for the dead every fifteen seconds only: who is on connections always does. */
  looksSeldom = false
  /** Each engine's own way to the store; null where all share one. */
  connect: (() => Promise<Store>) | null = null
  /** What judges results beside the rules. */
  outputs: OutputOptions = {}
  /** Whether engines that are launched from now on do the chores. */
  chores = false
  /** What watched folders hold; those of the machine when null. */
  folders: FolderAccess | null = null
  /** How streams are reached; over the network when null. */
  streams: StreamAccess | null = null
  /** What engines that are launched from now on trust; everything when null. */
  trust: TrustSource | null = null
  /** Whether somebody listens for calls of steps. */
  isListening = true
  /** Where secrets of steps come from; nowhere when null. */
  secrets: SecretSource | null = null
  /** What engines that are launched from now on validate documents with. */
  validation: ValidationOptions = {}
  /** What kinds do instead of what they really do, by kind. */
  readonly instead = new Map<string, TaskRun<unknown>>()
  /** What sub-workflow steps find, by id or path. */
  readonly workflows = new Map<string, FoundWorkflow>()

  constructor(store: Store, settings: SettingValues = {}) {
    this.store = this.#counted(store)
    this.#settings = settings
  }

  /** With `dieAt` the process dies at the n-th passing of the failpoint; the store never answers it again. */
  async launch(dieAt: { readonly name: FailpointName; readonly nth: number } | null = null): Promise<Engine> {
    const store = this.connect === null ? this.store : this.#counted(await this.connect())
    const process = new SimulatedProcess(this.world, this.engines.length + 1)
    const runs = createTaskRuns({
      sandbox: { open: () => Promise.reject(new Error('no sandbox here')) },
      environment: {},
      lookup: () => Promise.reject(new Error('no network here')),
      evaluate: this.#counted({ over: expressions.evaluateOver }).over,
    } as never)
    const engine = createEngine({
      store: this.#mortal(store, process),
      workflows: { find: async (reference) => this.workflows.get(reference) ?? null },
      failpoints: this.#killer(process, dieAt),
      host: {
        specsByKind: taskSpecsByKind,
        runOf: (kind) => this.instead.get(kind) ?? runs.get(kind) ?? null,
        resolver: this.#counted(expressions),
        echoService: async () => '',
        callbacks: { urlOf: async (id) => (this.isListening ? `https://hooks.test/${id}` : null) },
        ...(this.secrets === null ? {} : { secrets: this.secrets }),
      },
      validation: this.validation,
      clock: process.clock(),
      random: { next: () => 0.5 },
      ids: { next: () => String((this.#ids += 1)).padStart(6, '0') },
      log: quiet,
      process: {
        own: { host: 'host', pid: process.pid, startTime: null, bootId: null },
        isProvenGone: ({ pid }) => this.#processes[pid - 1]?.alive === false,
      },
      preview: async () => ({ kind: 'no-data' }),
      settings: sceneSettings(this.#settings, { looksSeldom: this.looksSeldom || this.connect !== null }),
      ...(this.observer === null ? {} : { observer: this.observer }),
      ...this.outputs,
      canRunAtomicService: this.chores,
      ...(this.folders === null ? {} : { folders: this.folders }),
      ...(this.streams === null ? {} : { streams: this.streams }),
      ...(this.trust === null ? {} : { trust: this.trust }),
    })
    this.engines.push(engine)
    this.#processes.push(process)
    const starting = engine.start()
    // It may die on the way: then nobody ever hears how that ended.
    if (await this.settled(starting, () => !process.alive)) await starting
    return engine
  }

  #killer(
    process: SimulatedProcess,
    dieAt: { readonly name: FailpointName; readonly nth: number } | null,
  ): (name: FailpointName) => void {
    return (name) => {
      if (!process.alive) return
      const times = (this.passed.get(name) ?? 0) + 1
      this.passed.set(name, times)
      if (name === dieAt?.name && times === dieAt.nth) process.die()
    }
  }

  /** Which steps were executed, each time with the number of the attempt. */
  async executions(run: RunId): Promise<readonly (readonly [step: string | undefined, number: number])[]> {
    const attempts = await this.engine.attempts(run, null)
    return attempts.map(({ invocationId, number }) => [invocationId.split('/').at(-1), number])
  }

  /** Whether the newest process has died. */
  get isDead(): boolean {
    return this.#processes.at(-1)?.alive === false
  }

  get engine(): Engine {
    const engine = this.engines.at(-1)
    if (engine === undefined) throw new Error('no engine was launched')
    return engine
  }

  /** The process of the newest engine dies where it stands. */
  crash(): void {
    this.#processes.at(-1)?.die()
  }

  async start(
    parts: JsonObject,
    input: JsonValue = {},
    more: Pick<StartRequest, 'tenant'> = {},
  ): Promise<RunId> {
    const document = documentOf(parts)
    const started = this.engine.startRun({ document, input, requestId: null, baseDirectory: null, ...more })
    return (await this.within(started)).runId
  }

  /** Starts a run, and gives its record once it has ended or nothing moves any more. */
  async play(
    parts: JsonObject,
    input: JsonValue = {},
    more: Pick<StartRequest, 'tenant'> = {},
  ): Promise<RunRecord> {
    const id = await this.start(parts, input, more)
    await this.pass(1_000)
    return this.run(id)
  }

  async pass(ms: number): Promise<void> {
    await this.world.run(this.world.now + ms, () => false)
  }

  async run(runId: RunId): Promise<RunRecord> {
    const run = await this.store.load(0, 'run', { runId })
    if (run === null) throw new Error(`there is no run ${runId}`)
    return run
  }

  async outputOf(runId: RunId): Promise<unknown> {
    return valueOf(await this.run(runId))
  }

  async statuses(runId: RunId): Promise<Record<string, string>> {
    const records = await this.store.load(0, 'invocations', { runId })
    return Object.fromEntries(
      records.map(({ nodeId, path, status }) => [path === '' ? nodeId : `${nodeId}@${path}`, status]),
    )
  }

  async close(): Promise<void> {
    await this.store.close()
  }

  async within<Value>(promise: Promise<Value>): Promise<Value> {
    await this.settled(promise, () => false)
    return promise
  }

  /** Lets things happen until the promise has settled, or something else ends the wait: then false. */
  async settled(promise: Promise<unknown>, isOver: () => boolean): Promise<boolean> {
    let settled = false
    const mark = (): void => {
      settled = true
    }
    promise.then(mark, mark)
    await this.world.run(this.world.now + 60_000, () => settled || isOver())
    return settled
  }

  /** What a dead process asks is never done, and what it asked before is never answered. */
  #mortal(store: Store, process: SimulatedProcess): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]): unknown => {
          if (!process.alive) return new Promise(() => {})
          if (this.failing !== null && name === 'load' && given[1] === 'invocation')
            return Promise.reject(new SagasmithError('store_busy', { message: this.failing }))
          const answer: unknown = Reflect.apply(member, target, given)
          if (!(answer instanceof Promise)) return answer
          return new Promise((resolve, reject) => {
            answer.then(
              (value: unknown) => process.alive && resolve(value),
              (thrown: unknown) => process.alive && reject(thrown),
            )
          })
        }
      },
    })
  }

  /** Virtual time stands still while a call is under way. */
  #counted<Service extends object>(service: Service): Service {
    return new Proxy(service, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]): unknown => {
          const answer: unknown = Reflect.apply(member, target, given)
          if (!(answer instanceof Promise)) return answer
          this.world.pending += 1
          const done = (): void => {
            this.world.pending -= 1
          }
          answer.then(done, done)
          return answer
        }
      },
    })
  }
}

/** What a run handed on, as a value. */
export function valueOf(run: RunRecord): unknown {
  return run.output?.kind === 'inline' ? JSON.parse(run.output.json) : run.output
}
