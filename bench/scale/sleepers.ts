/** S5: many runs sleep until an instant. */

import { Worker } from 'node:worker_threads'
import { noWrites } from '../../src-engine/model/checkpoint.ts'
import { definitionHashOf } from '../../src-engine/model/definition-hash.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import { edgeId, nodeId, workflowId } from '../../src-engine/model/ids.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import { second } from '../../src-engine/model/time.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { versionOf } from '../../src-engine/runtime/published-version.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { accepted, benchRun, checkpoint, event, newStep, told } from '../step-records.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, quantile, spansOf } from './scale-row.ts'

const few = 100
/** How many come due, one each millisecond, after as many as it takes until their code is compiled. */
const dueCount = 10_000
const warmUpCount = 3_000
/** Longer than the pause between two turns of every periodic service. */
const idleMs = 40 * second
/** What a start leaves for later, such as the thread of the heartbeats, is over by then. */
const settleMs = 20 * second
/** Until the first is due: all are queued and the engine is ready by then. */
const leadMs = 20 * second
const lateMax = 60 * second
/** More than the default: it suits steps that wait. */
const slots = 512

const document: WorkflowDocument = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('sleepers'),
  title: 'Sleepers',
  nodes: {
    [nodeId('step0')]: { kind: 'delay', parameters: { mode: 'duration', amount: 1, unit: 'seconds' } },
    [nodeId('step1')]: { kind: 'noop' },
  },
  edges: {
    [edgeId('step0-step1')]: {
      from: { node: nodeId('step0'), port: 'out' },
      to: { node: nodeId('step1'), port: 'in' },
    },
  },
}
const hash = definitionHashOf(document, taskSpecsByKind)
const input = { kind: 'inline', json: '{}' } as const

/** A run as it is while its first step waits until the instant. */
async function sleep(store: Store, index: number, notBefore: Instant): Promise<InvocationId> {
  const now = Date.now()
  const began = { status: 'RUNNING', startedAt: now } as const
  const created = { ...benchRun(index, now), workflowId: document.id, definitionHash: hash }
  const step = { ...newStep(created, 0, now), taskKind: 'delay' }
  const parked = { status: 'WAITING', notBefore, attempt: 1, startedAt: now, input, output: input } as const
  await accepted(
    store,
    checkpoint(now, {
      expect: {
        run: { id: created.id, version: 0 },
        invocations: [{ id: step.id, version: 0, fence: null }],
        registers: [],
      },
      writes: { ...noWrites, run: { ...created, ...began }, invocations: [{ ...step, ...parked }] },
      events: [
        told(created, { type: 'run.created', run: created }),
        told(created, { type: 'run.changed', from: 'CREATED', to: 'RUNNING', set: began }),
        event(step, { type: 'invocation.registered', invocation: step }),
        event(step, {
          type: 'invocation.changed',
          from: 'REGISTERED',
          to: 'WAITING',
          set: parked,
          attempt: null,
        }),
      ],
    }),
  )
  return step.id
}

const publish = (store: Store): Promise<void> => {
  const now = Date.now()
  const workflowVersions = [versionOf(document, hash, now)]
  return accepted(
    store,
    checkpoint(now, {
      expect: { invocations: [], registers: [] },
      writes: { ...noWrites, workflowVersions },
      events: [],
    }),
  )
}

const look = (store: Store) => store.listDue({ partition: 0, now: Date.now(), limit: 200 })

const pause = (span: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, span))

async function startEngine(directory: string, store?: Store) {
  const composed = await composeEngine({
    directory: dataDirectory(directory),
    clock: systemClock,
    settings: engineSettings({ maxConcurrentTasks: slots }),
    canRunAtomicService: true,
    log: { debug() {}, info() {}, warn: console.error, error: console.error },
    ...(store === undefined ? {} : { store }),
  })
  await composed.engine.start()
  return composed
}

/** The share of a core that an engine takes while nothing is due, in percent. */
async function idleShare(directory: string): Promise<number> {
  const { close } = await startEngine(directory)
  await pause(settleMs)
  const cpu = process.cpuUsage()
  const began = performance.now()
  await pause(idleMs)
  const { user, system } = process.cpuUsage(cpu)
  const share = (user + system) / 10 / (performance.now() - began)
  await close()
  return share
}

/** How late timers of a thread that does nothing else are: what the machine adds to any of them. */
const bareTimers = `
  const { workerData: count, parentPort } = require('node:worker_threads')
  const late = []
  const next = (at) => {
    setTimeout(() => {
      late.push(performance.now() - at)
      if (late.length < count) next(performance.now() + 1)
      else parentPort.postMessage(late)
    }, at - performance.now())
  }
  next(performance.now() + 1)
`

interface Lateness {
  readonly late: readonly number[]
  readonly bare: readonly number[]
  /** Processor time for each, in microseconds. */
  readonly cpu: number
}

/** Milliseconds from the instant that each was due to the commit that ends its sleep and begins the next step. */
async function lateness(bench: Bench, from: number): Promise<Lateness> {
  const store = await bench.open()
  const dueAt = new Map<InvocationId, Instant>()
  const begins = Date.now() + leadMs
  const first = begins + warmUpCount
  await inFlight(warmUpCount + dueCount, 500, async (index) => {
    const id = await sleep(store, from + index, begins + index)
    if (index >= warmUpCount) dueAt.set(id, begins + index)
  })
  if (Date.now() > begins - 5 * second) throw new Error('queueing them took too long')
  const late: number[] = []
  const watched: Store = {
    ...store,
    commit: async (partition, checkpoints) => {
      const answers = await store.commit(partition, checkpoints)
      const now = performance.timeOrigin + performance.now()
      for (const { writes } of checkpoints) {
        for (const { id, status } of writes.invocations) {
          const at = dueAt.get(id)
          if (at !== undefined && status === 'SUCCESS' && dueAt.delete(id)) late.push(now - at)
        }
      }
      return answers
    },
  }
  const { close } = await startEngine(`${bench.directory}/first`, watched)
  await pause(first - Date.now())
  const worker = new Worker(bareTimers, { eval: true, workerData: dueCount / 4 })
  const bare = new Promise<readonly number[]>((resolve) => {
    worker.on('message', (given: readonly number[]) => resolve(given))
  })
  const before = process.cpuUsage()
  const until = first + dueCount + lateMax
  while (late.length < dueCount && Date.now() < until) await pause(100)
  const { user, system } = process.cpuUsage(before)
  await close()
  if (late.length < dueCount) throw new Error(`${dueCount - late.length} of ${dueCount} did not wake`)
  return { late, bare: await bare, cpu: (user + system) / dueCount }
}

export async function sleepers(bench: Bench, many: number): Promise<readonly ScaleRow[]> {
  const store = await bench.open()
  await publish(store)
  const until = Date.now() + 86_400_000
  for (let index = 0; index < few; index += 1) await sleep(store, index, until + index)
  await spansOf(200, () => look(store))
  const small = await spansOf(400, () => look(store))
  await inFlight(many, 200, (index) => sleep(store, few + index, until + index))
  const large = await spansOf(400, () => look(store))
  await store.close()
  bench.say(`${many} runs asleep`)
  const share = await idleShare(`${bench.directory}/first`)
  bench.say(`idle: ${share.toFixed(2)} % of a core`)
  const { late, bare, cpu } = await lateness(bench, few + many)
  bench.say(`late by ${quantile(late, 0.5).toFixed(1)} ms, p50; ${Math.max(...late).toFixed(0)} ms, most`)
  bench.say(
    `timers of an idle thread meanwhile: ${quantile(bare, 0.99).toFixed(1)} ms, p99; ${cpu.toFixed(0)} us each of the engine's`,
  )
  return [
    {
      goal: 'S5',
      what: `look for due timers, p50: ${many} sleeping vs ${few}`,
      unit: 'x',
      gate: 1.25,
      found: quantile(large, 0.5) / quantile(small, 0.5),
    },
    {
      goal: 'S5',
      what: `idle engine, ${many} sleeping: share of a core`,
      unit: '%',
      gate: 0.5,
      found: share,
    },
    {
      goal: 'S5',
      what: '1,000 timers a second: from due to the next step, p99',
      unit: 'ms',
      gate: 20,
      found: quantile(late, 0.99),
    },
  ]
}
