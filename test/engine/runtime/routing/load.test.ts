/** How busy is too busy, and who comes first. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { runnerId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { ProcessIdentity, RunnerRecord } from '../../../../src-engine/model/runner.ts'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { createMachineLoad } from '../../../../src-engine/runtime/machine-load.ts'
import type { RunnerLoad } from '../../../../src-engine/runtime/routing/load.ts'
import { isOverloaded, scoreOf } from '../../../../src-engine/runtime/routing/load.ts'
import { createLoadGate } from '../../../../src-engine/runtime/routing/load-gate.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { createSlots } from '../../../../src-engine/runtime/slots.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const settings = engineSettings()
const load = (set: Partial<RunnerLoad>): RunnerLoad => {
  return { active: 0, slots: 10, cpuPercent: null, gpuPercent: null, ...set }
}

const processOn = (host: string, bootId = `boot of ${host}`): ProcessIdentity => {
  return { host, pid: 1, startTime: null, bootId }
}
const peerOn = (host: string, set: Partial<RunnerLoad> = {}): RunnerRecord =>
  ({ ...load({ active: 2, ...set }), process: processOn(host) }) as RunnerRecord

describe('the load of a runner', () => {
  it('scores work, processor and graphics processor [C42]', () => {
    expect(scoreOf(load({ active: 3, cpuPercent: 50, gpuPercent: 25 }))).toBe(3.75)
    expect(scoreOf(load({ active: 3 }))).toBe(3)
  })

  it('is too much from nine tenths of the slots, or 90 % of a processor [C42]', () => {
    const judged = (set: Partial<RunnerLoad>) => isOverloaded(load(set), settings)
    expect([8, 9, 10].map((active) => judged({ active }))).toEqual([false, true, true])
    // Where nine tenths are no whole slot, the one that reaches them counts.
    expect([3, 4, 5].map((active) => judged({ active, slots: 5 }))).toEqual([false, false, true])
    expect([89, 90].map((cpuPercent) => judged({ cpuPercent }))).toEqual([false, true])
    expect([89, 90].map((gpuPercent) => judged({ gpuPercent }))).toEqual([false, true])
    const off = { overloadSlotsFraction: 1, overloadCpuPercent: 100, overloadGpuPercent: 100 }
    expect(isOverloaded(load({ active: 9, cpuPercent: 100, gpuPercent: 100 }), off)).toBe(false)
  })

  it('leaves room by who else is there [C42] [C44]', () => {
    const peer = peerOn('there')
    const gate = (given: { taken: number; cpu?: number; peers: readonly RunnerRecord[] }) => {
      const slots = createSlots(10)
      slots.take(given.taken)
      const probe = () => ({ cpuPercent: given.cpu ?? null, gpuPercent: null })
      return createLoadGate({
        slots,
        settings,
        board: { peers: () => given.peers },
        probe,
        own: processOn('here'),
        runnerId: runnerId('m'),
      })
    }
    expect(gate({ taken: 9, cpu: 100, peers: [] }).room()).toBe(1)
    expect(gate({ taken: 8, peers: [peer] }).room()).toBe(1)
    expect(gate({ taken: 9, peers: [peer] }).room()).toBe(0)
    expect(gate({ taken: 1, cpu: 95, peers: [peer] }).room()).toBe(0)
    expect(gate({ taken: 0, cpu: 95, peers: [peer] }).room()).toBe(1)
    expect(gate({ taken: 9, peers: [peer] }).room(3)).toBe(1)
    expect(gate({ taken: 1, cpu: 95, peers: [peer] }).room(3)).toBe(3)
    expect(gate({ taken: 3, peers: [peer] }).headStartMs()).toBe(50)
    expect(gate({ taken: 2, peers: [peer] }).headStartMs()).toBe(0)
    expect(gate({ taken: 3, peers: [] }).headStartMs()).toBe(0)
  })

  it('lets as many come first as there are pieces, and then twice as many at a time', () => {
    const slots = createSlots(10)
    const ids = Array.from({ length: 8 }, (_, index) => runnerId(`r${index}`))
    const waits = (pieces: number): readonly number[] =>
      ids.map((own) => {
        const peers = ids.filter((id) => id !== own).map((id) => ({ ...peerOn('there', { active: 0 }), id }))
        const board = { peers: () => peers }
        const probe = () => ({ cpuPercent: null, gpuPercent: null })
        const parts = { slots, settings, board, probe, own: processOn('here'), runnerId: own }
        return createLoadGate(parts).headStartMs(pieces)
      })
    expect(waits(1)).toEqual([0, 50, 100, 100, 150, 150, 150, 150])
    expect(waits(3)).toEqual([0, 0, 0, 50, 50, 50, 100, 100])
    expect(waits(8)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('is left only to who relieves the machine [C42]', () => {
    const slots = createSlots(10)
    slots.take(1)
    const roomBeside = (...peers: readonly RunnerRecord[]): number => {
      const probe = () => ({ cpuPercent: 95, gpuPercent: null })
      const own = processOn('here')
      return createLoadGate({
        slots,
        settings,
        board: { peers: () => peers },
        probe,
        own,
        runnerId: runnerId('m'),
      }).room()
    }
    expect(roomBeside(peerOn('here'))).toBe(8)
    expect(roomBeside(peerOn('there', { cpuPercent: 95 }))).toBe(8)
    expect(roomBeside(peerOn('there', { gpuPercent: 95 }))).toBe(8)
    expect(roomBeside(peerOn('here'), peerOn('there', { cpuPercent: 50 }))).toBe(0)
    // Two containers, one machine.
    expect(roomBeside({ ...peerOn('container'), process: processOn('container', 'boot of here') })).toBe(8)
  })

  it('measures the processors over a span of its own', () => {
    let now = 0
    let busy = 0
    const times = () => ({ user: busy, nice: 0, sys: 0, idle: now - busy, irq: 0 })
    const probe = createMachineLoad({ monotonic: () => now }, () => [{ model: '', speed: 0, times: times() }])
    expect(probe().cpuPercent).toBeNull()
    now = 4_000
    busy = 3_000
    expect(probe()).toEqual({ cpuPercent: 75, gpuPercent: null })
    now = 5_000
    expect(probe().cpuPercent).toBe(75)
    now = 8_000
    expect(probe().cpuPercent).toBe(0)
  })
})

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (node: Partial<WorkflowNode>): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('loaded'),
    title: 'Loaded',
    nodes: { work: { kind: 'noop', ...node } },
    edges: {},
  }) as WorkflowDocument

describe.each(Object.entries(sceneStores))('runners under load on %s', (_name, open) => {
  const scene = async (): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    return here
  }
  const eager = { registrySnapshotIntervalMs: 5_000, pollIntervalMs: 1_000 }

  it('leave their last slots free where there are others, and say that all are overloaded [C42]', async () => {
    const here = await scene()
    await here.launch({ ...eager, maxConcurrentTasks: 10 })
    await here.launch({ ...eager, maxConcurrentTasks: 10 })
    await here.pass(6_000)
    for (let count = 0; count < 25; count += 1) await here.start(documentOf({}))
    await here.pass(10_000)
    const byEngine = [0, 1].map((engine) => here.atWork.filter((work) => work.engine === engine).length)
    expect(byEngine).toEqual([9, 9])
    const late = await here.start(documentOf({}))
    const [why] = await whyWaiting(here.store, { runId: late, nodeId: null, now: here.world.now })
    expect(why).toMatchObject({ code: 'pool_overloaded' })
    await here.end()
    await here.pass(2_000)
    expect(here.atWork).toHaveLength(18)
    while (here.atWork.length > 0) {
      await here.end()
      await here.pass(1_000)
    }
    expect(here.begun).toHaveLength(26)
  })

  it('fill every slot where they are alone', async () => {
    const here = await scene()
    await here.launch({ ...eager, maxConcurrentTasks: 10 })
    for (let count = 0; count < 11; count += 1) await here.start(documentOf({}))
    await here.pass(10_000)
    expect(here.atWork).toHaveLength(10)
    while (here.atWork.length > 0) await here.end()
  })

  it('let somebody else try what one of them failed with, if there is somebody', async () => {
    const here = await scene()
    await here.launch(eager)
    await here.launch(eager)
    await here.pass(6_000)
    await here.start(documentOf({ retry: { maxAttempts: 2, delayMs: 3_000, jitter: 0 } }))
    await here.pass(10)
    const [first] = here.atWork.map(({ engine }) => engine)
    await here.end(new SagasmithError('task_failed', { retryable: true }))
    await here.pass(3_100)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1 - (first ?? 0)])
    await here.end()
  })

  it('try again themselves what they failed with, where they are alone', async () => {
    const here = await scene()
    await here.launch({ ...eager, pollIntervalMs: 60_000 })
    await here.start(documentOf({ retry: { maxAttempts: 2, delayMs: 100, jitter: 0 } }))
    await here.pass(10)
    await here.end(new SagasmithError('task_failed', { retryable: true }))
    await here.pass(1_000)
    expect(here.atWork).toHaveLength(1)
    await here.end()
  })
})
