/**
 * Permits under chaos: engines that die and come back while runs of all kinds start, end, fail, are cancelled
 * and paused. At every rest no set of permits has more holders than its limit, nobody holds one who must not,
 * and in the end all runs have ended and nothing is held.
 */

import { afterEach, describe, expect, it } from 'vitest'
import { standsFor } from '../../../../src-engine/core/permits/demand.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId as asRunId, invocationId, nodeId, workflowId } from '../../../../src-engine/model/ids.ts'
import { invocationMachine } from '../../../../src-engine/model/invocation-status.ts'
import { runMachine } from '../../../../src-engine/model/run-status.ts'
import type {
  WorkflowDocument,
  WorkflowNode,
  WorkflowSettings,
} from '../../../../src-engine/model/workflow.ts'
import { createSeededRandom } from '../../../../src-engine/runtime/seeded-random.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (id: string, node: WorkflowNode, settings: WorkflowSettings = {}): WorkflowDocument => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId(id),
  title: id,
  settings,
  nodes: { [nodeId('work')]: node, [nodeId('other')]: { kind: 'noop' } },
  edges: {},
})

const retry = { maxAttempts: 3, delayMs: 500, retryOn: ['debug_failure'] } as const
const inTurn = { running: 'TASK', onFull: 'reroute', limit: 2 } as const
const byKey = { running: 'KEYS', registration: 'KEYS', keys: ['key'], onFull: 'reroute' } as const

const documents: readonly WorkflowDocument[] = [
  documentOf('in-turn', { kind: 'noop', concurrency: inTurn, retry }),
  documentOf('by-key', { kind: 'noop', concurrency: byKey }),
  documentOf('final', { kind: 'noop', concurrency: { running: 'ARGUMENTS', onFinal: 'skip' } }),
  documentOf('rated', { kind: 'noop', rateLimit: { count: 2, perMs: 3_000 }, retry }),
  documentOf('pooled', { kind: 'noop', pool: 'gpu' }),
  documentOf('queued', { kind: 'noop' }, { concurrency: { limit: 2, key: 'input.key' } }),
  documentOf('newest', { kind: 'noop' }, { concurrency: { limit: 1, onFull: 'replace' } }),
  documentOf('plain', { kind: 'noop', retry }, { rateLimit: { count: 3, perMs: 2_000 } }),
]

const tenants = ['a', 'b'] as const
const engineCount = 3
const engineSettings = {
  maxConcurrentTasks: 4,
  pools: ['default', 'gpu'],
  tenantConcurrentJobsMax: 5,
  tenantConcurrentRunsMax: 6,
}

class Chaos {
  readonly #here: EnginesScene
  readonly #next: () => number
  readonly runs: RunId[] = []

  constructor(here: EnginesScene, seed: number) {
    this.#here = here
    const random = createSeededRandom(`permits ${seed}`)
    this.#next = () => random.next()
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#next() * items.length)]
  }

  #living(): readonly number[] {
    return this.#here.processes.flatMap(({ alive }, index) => (alive ? [index] : []))
  }

  async step(): Promise<void> {
    const here = this.#here
    const roll = this.#next()
    const engine = this.#pick(this.#living()) ?? 0
    const run = this.#pick(this.runs)
    if (roll < 0.45) await this.#start(engine)
    else if (roll < 0.75) this.#endOne(roll < 0.5)
    else if (roll < 0.8 && run !== undefined) await this.#ask(engine, run, 'cancel')
    else if (roll < 0.84 && run !== undefined) await this.#ask(engine, run, 'pause')
    else if (roll < 0.88 && run !== undefined) await this.#ask(engine, run, 'resume')
    else if (roll < 0.92) await this.#replace(engine)
    await here.pass(Math.floor(this.#next() * 1_500))
  }

  async #start(engine: number): Promise<void> {
    const document = this.#pick(documents)
    const tenant = this.#pick(tenants)
    if (document === undefined || tenant === undefined) return
    const key = Math.floor(this.#next() * 3)
    this.runs.push(await this.#here.start(document, { key }, { engine, tenant }))
  }

  #endOne(isFailure: boolean): void {
    const work = this.#pick(this.#here.atWork)
    work?.end(isFailure ? new SagasmithError('debug_failure') : undefined)
  }

  async #ask(engine: number, runId: RunId, action: 'cancel' | 'pause' | 'resume'): Promise<void> {
    const request = { runId, action, nodeId: null, by: null, reason: null, wait: false }
    // What has ended, or isn't paused, says so.
    await this.#here.control(engine, request).catch((error: unknown) => {
      if (!(error instanceof SagasmithError)) throw error
    })
  }

  /** A process dies, and its work with it; another one takes its place. */
  async #replace(engine: number): Promise<void> {
    const here = this.#here
    here.processes[engine]?.die()
    for (const work of here.atWork.filter((one) => one.engine === engine))
      here.atWork.splice(here.atWork.indexOf(work), 1)
    await here.launch(engineSettings)
  }

  /** Lets everything come to its end. */
  async drain(): Promise<void> {
    const here = this.#here
    const [engine = 0] = this.#living()
    for (const run of this.runs) await this.#ask(engine, run, 'resume')
    for (let round = 0; round < 200; round += 1) {
      for (const work of [...here.atWork]) work.end()
      await here.pass(2_000)
      const open = await this.#open()
      if (open.length === 0) return
    }
  }

  async #open(): Promise<readonly RunId[]> {
    const records = await Promise.all(this.runs.map((run) => this.#here.run(run)))
    return records.flatMap(({ id, status }) => (runMachine.final.has(status) ? [] : [id]))
  }

  /** What is wrong with the permits now, in words. */
  async problems(): Promise<readonly string[]> {
    const { store, world } = this.#here
    const uses = await store.list(0, 'permits', { filter: { prefix: '' }, page: { after: null, limit: 500 } })
    const found: string[] = []
    for (const { key, holders } of uses.filter((use) => use.holders.length > 0)) {
      const counting = holders.filter(({ expiresAt }) => expiresAt === null || expiresAt > world.now)
      const limit = Math.max(...holders.map((slot) => slot.limit))
      if (counting.length > limit) found.push(`${counting.length} hold ${key}, its limit is ${limit}`)
      for (const { holder, expiresAt } of counting) {
        if (expiresAt === null && !(await this.#mayHold(key, holder))) found.push(`${holder} holds ${key}`)
      }
    }
    return found
  }

  async #mayHold(key: string, holder: string): Promise<boolean> {
    const { store } = this.#here
    if (!holder.includes('/')) {
      const run = await store.load(0, 'run', { runId: asRunId(holder) })
      return run !== null && run.status !== 'CREATED' && !runMachine.final.has(run.status)
    }
    const record = await store.load(0, 'invocation', { invocationId: invocationId(holder) })
    if (record === null) return false
    if (key.startsWith('reuse:')) return record.wait?.kind === 'reuse'
    return key.startsWith('reg:') ? standsFor(record) === key : invocationMachine.owned.has(record.status)
  }
}

const seedsOf: Readonly<Record<string, number>> = { memory: 6, sqlite: 2 }

describe.each(Object.entries(sceneStores))('permits under chaos on %s', (name, open) => {
  it.each(Array.from({ length: seedsOf[name] ?? 1 }, (_, index) => index + 1))(
    'never has too many holders, and leaks none, with seed %i [P18] [P20]',
    async (seed) => {
      const here = new EnginesScene(await open())
      scenes.push(here)
      for (let count = 0; count < engineCount; count += 1) await here.launch(engineSettings)
      await here.engines[0]?.pools.change({ name: 'gpu', limit: 2 })
      await here.pass(6_000)
      const chaos = new Chaos(here, seed)
      for (let step = 0; step < 80; step += 1) {
        await chaos.step()
        expect(await chaos.problems()).toEqual([])
      }
      await chaos.drain()
      const ends = await Promise.all(chaos.runs.map(async (run) => (await here.run(run)).status))
      expect(ends.filter((status) => !runMachine.final.has(status))).toEqual([])
      await here.pass(5_000)
      const left = await here.store.list(0, 'permits', {
        filter: { prefix: '' },
        page: { after: null, limit: 500 },
      })
      const held = left.filter(({ holders }) => holders.some(({ expiresAt }) => expiresAt === null))
      expect(held).toEqual([])
      expect(left.filter(({ waiting }) => waiting > 0)).toEqual([])
    },
  )
})
