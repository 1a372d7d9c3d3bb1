/** Who stands in line for a throttle or a semaphore and gives up: when, how it goes on, and what keeps it from that. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { ControlRequest } from '../../../../src-engine/protocol/run-control.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const edge = (from: string, to: string, port = 'out'): object => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

const workflow = (nodes: object, edges: object): WorkflowDocument =>
  ({
    ...{ format: 'sagasmith.workflow', schemaVersion: 1 },
    ...{ id: workflowId('gated'), title: 'Gated', nodes, edges },
  }) as unknown as WorkflowDocument

const asked = (request: Pick<ControlRequest, 'runId' | 'action' | 'nodeId'>): ControlRequest => ({
  ...request,
  ...{ by: null, reason: null, wait: false },
})

/** The step that follows from giving up, where there is such a way. */
const lateOf = ({ onTimeout }: JsonObject) =>
  onTimeout === 'port'
    ? { nodes: { late: { kind: 'debug' } }, edges: { late: edge('gate', 'late', 'timeout') } }
    : { nodes: {}, edges: {} }

const gates: Readonly<Record<string, (parameters: JsonObject, more?: object) => WorkflowDocument>> = {
  throttle: (parameters, more = {}) =>
    workflow(
      {
        gate: {
          kind: 'throttle',
          parameters: { count: 1, amount: 1, unit: 'hours', ...parameters },
          ...more,
        },
        after: { kind: 'debug' },
        ...lateOf(parameters).nodes,
      },
      {
        on: edge('gate', 'after'),
        ...lateOf(parameters).edges,
      },
    ),
  semaphore: (parameters, more = {}) =>
    workflow(
      {
        gate: { kind: 'semaphore', parameters: { permits: 1, ...parameters }, ...more },
        inside: { kind: 'debug', parent: 'gate' },
        ...lateOf(parameters).nodes,
      },
      lateOf(parameters).edges,
    ),
}

const minuteOnly = { onTimeout: 'port', waitTimeout: 60_000 }

describe.each(
  Object.entries(sceneStores).flatMap(([store, open]) =>
    Object.entries(gates).map(([kind, gated]) => ({ store, open, kind, gated })),
  ),
)('in line for a $kind on $store', ({ open, kind, gated }) => {
  const scene = async (engines = 1): Promise<EnginesScene> => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch()
    return made
  }
  /** The first one is in, and stays; the second one waits from now on. */
  const crowded = async (here: EnginesScene, document: WorkflowDocument): Promise<RunId> => {
    const first = await here.start(document)
    await here.pass(10)
    if (kind === 'throttle') await end(here)
    const second = await here.start(document)
    await here.pass(10)
    expect((await gateOf(here, second)).status).toBe('CONCURRENCY_CONTROLLED')
    expect(here.atWork.map(({ runId }) => runId)).toEqual([first])
    return second
  }
  const gateOf = async (here: EnginesScene, run: RunId) => {
    const found = (await here.records(run)).find((record) => record.nodeId === 'gate')
    if (found === undefined) throw new Error('the gate has not begun')
    return found
  }
  const atWorkOf = (here: EnginesScene, run: RunId): readonly string[] =>
    here.atWork.filter(({ runId }) => runId === run).map((work) => work.nodeId)
  /** The oldest goes on by its usual way. */
  const end = async (here: EnginesScene): Promise<void> => {
    here.atWork[0]?.finish(completed(null, ['out']))
    await here.pass(0)
  }
  const endAll = async (here: EnginesScene): Promise<void> => {
    while (here.atWork.length > 0) await end(here)
  }

  it('it leaves by its timeout way when its time is over, and not before', async () => {
    const here = await scene()
    const second = await crowded(here, gated(minuteOnly))
    await here.pass(59_000)
    expect((await gateOf(here, second)).status).toBe('CONCURRENCY_CONTROLLED')
    await here.pass(1_100)
    expect(await gateOf(here, second)).toMatchObject({
      ...{ status: 'TIMEOUT', ports: ['timeout'] },
      error: { code: 'wait_timeout', details: { waitedMs: 60_000 } },
    })
    expect(atWorkOf(here, second)).toEqual(['late'])
    await endAll(here)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('it fails as a timeout where it is told so, and the run with it', async () => {
    const here = await scene()
    const second = await crowded(here, gated({ ...minuteOnly, onTimeout: 'fail' }))
    await here.pass(61_000)
    expect((await gateOf(here, second)).status).toBe('TIMEOUT')
    expect(await here.run(second)).toMatchObject({ status: 'TIMED_OUT', error: { code: 'wait_timeout' } })
  })

  it('it has its turn when there is room in time, and gives up no more', async () => {
    const here = await scene()
    const soon = { amount: 30, unit: 'seconds' }
    const second = await crowded(here, gated({ ...minuteOnly, ...(kind === 'throttle' ? soon : {}) }))
    if (kind === 'throttle') await here.pass(30_000)
    await end(here)
    await here.pass(1_500)
    expect(atWorkOf(here, second)).toHaveLength(1)
    await here.pass(120_000)
    await endAll(here)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
    expect(await here.history(second)).not.toContain('TIMEOUT')
  })

  it('it waits as long as it takes without such a time', async () => {
    const here = await scene()
    const second = await crowded(here, gated({ waitTimeout: 60_000 }))
    expect((await gateOf(here, second)).notBefore).toBeNull()
    await here.pass(600_000)
    expect((await gateOf(here, second)).status).toBe('CONCURRENCY_CONTROLLED')
  })

  it('another engine ends its waiting when the one that put it there is gone', async () => {
    const here = await scene(2)
    const second = await crowded(here, gated(minuteOnly))
    for (const index of [0, 1]) {
      if (here.atWork.every(({ engine }) => engine !== index)) here.processes[index]?.die()
    }
    await here.pass(61_000)
    expect((await gateOf(here, second)).status).toBe('TIMEOUT')
  })

  it('it gives up at once when everything was down while its time went by', async () => {
    const here = await scene()
    const second = await crowded(here, gated(minuteOnly))
    here.processes[0]?.die()
    here.atWork.splice(0)
    await here.pass(1_000)
    expect((await gateOf(here, second)).status).toBe('CONCURRENCY_CONTROLLED')
    await here.pass(600_000)
    await here.launch()
    await here.pass(100)
    expect((await gateOf(here, second)).status).toBe('TIMEOUT')
  })

  it('a pause keeps it from giving up, until somebody resumes it', async () => {
    const here = await scene()
    const second = await crowded(here, gated(minuteOnly))
    await here.control(0, asked({ runId: second, action: 'pause', nodeId: null }))
    await here.pass(120_000)
    expect((await gateOf(here, second)).status).toBe('CONCURRENCY_CONTROLLED')
    await here.control(0, asked({ runId: second, action: 'resume', nodeId: null }))
    await here.pass(100)
    expect((await gateOf(here, second)).status).toBe('TIMEOUT')
  })

  it('what a pause set aside in line has its turn all the same, once it is resumed', async () => {
    const here = await scene()
    const soon = kind === 'throttle' ? { amount: 30, unit: 'seconds' } : {}
    const second = await crowded(here, gated({ ...minuteOnly, ...soon }))
    await here.control(0, asked({ runId: second, action: 'pause', nodeId: nodeId('gate') }))
    await end(here)
    await here.pass(50_000)
    expect(atWorkOf(here, second)).toEqual([])
    await here.pass(50_000)
    await here.control(0, asked({ runId: second, action: 'resume', nodeId: nodeId('gate') }))
    await here.pass(1_500)
    expect(atWorkOf(here, second)).toHaveLength(1)
    await endAll(here)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('its total time counts in line too, and comes first where it is shorter', async () => {
    const here = await scene()
    const second = await crowded(here, gated(minuteOnly, { timeout: { totalMs: 20_000 } }))
    await here.pass(21_000)
    expect(await gateOf(here, second)).toMatchObject({ status: 'TIMEOUT', error: { code: 'task_timeout' } })
  })

  it('“why is it waiting?” tells until when', async () => {
    const here = await scene()
    const second = await crowded(here, gated(minuteOnly))
    const [why] = await whyWaiting(here.store, { runId: second, nodeId: null, now: here.world.now })
    const { permits } = await gateOf(here, second)
    expect(why).toMatchObject({ until: (permits?.blockedSince ?? 0) + 60_000, permit: { position: 1 } })
  })
})
