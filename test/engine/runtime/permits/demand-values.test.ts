/** Values that are not to stay, where the same demand twice is one: each run has its own, and none outlives its run. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { blobHash, nodeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { ControlAction } from '../../../../src-engine/protocol/run-control.ts'
import { createPayloadStore } from '../../../../src-engine/runtime/payload-store.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (id: string, nodes: JsonObject, edges: JsonObject): WorkflowDocument =>
  ({
    ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: workflowId(id), title: id, nodes, edges },
  }) as unknown as WorkflowDocument

/** Later than the replayer's next look at what is due. */
const look = 6 * 60_000
const blocker = documentOf('blocker', { block: { kind: 'noop', priority: 'CRITICAL' } }, {})
const asking = (more: JsonObject): WorkflowDocument =>
  documentOf(
    'asking',
    { work: { kind: 'noop', concurrency: { registration: 'TASK' }, ...more }, end: { kind: 'noop' } },
    edgesOf('work>end'),
  )
const unkept = asking({ keepOutput: 'none' })

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  /** Its one slot is taken: what is started waits. */
  const busyScene = async (): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch({ maxConcurrentTasks: 1 })
    await here.start(blocker)
    await here.pass(10)
    return here
  }
  const twoDemands = async (here: EnginesScene) => {
    const [first, second] = [await here.start(unkept), await here.start(unkept)]
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['WAITING'])
    return { first, second }
  }
  /** The first demand has come to something, and the second, which waits for that, is paused. */
  const withSecondPaused = async () => {
    const here = await busyScene()
    const { first, second } = await twoDemands(here)
    await control(here, second, 'pause')
    await here.end()
    workOf(here, first)?.finish(completed('secret'))
    await here.pass(0)
    return { here, first, second }
  }
  const outputOf = async (here: EnginesScene, run: RunId) => {
    const output = (await here.records(run)).find((record) => record.nodeId === 'work')?.output
    if (output?.kind !== 'blob') throw new Error('it gave nothing that lies by itself')
    return output
  }
  const isThere = (here: EnginesScene, hash: Parameters<EnginesScene['store']['getBlob']>[0]) =>
    here.store.getBlob(hash).then(
      () => true,
      () => false,
    )
  const control = (here: EnginesScene, runId: RunId, action: ControlAction) =>
    here.control(0, { runId, nodeId: nodeId('work'), action, wait: false, by: null, reason: null })

  /** Ends all that a run has at work, each with this. */
  const endAll = async (here: EnginesScene, run: RunId, output: string): Promise<void> => {
    for (let work = workOf(here, run); work !== undefined; work = workOf(here, run)) {
      work.finish(completed(output))
      await here.pass(0)
    }
  }
  const workOf = (here: EnginesScene, run: RunId) => here.atWork.find(({ runId }) => runId === run)

  /** Whether steps' records and events, or what lies beside them, quote the canary; what the run was given aside. */
  const told = async (here: EnginesScene, run: RunId): Promise<boolean> => {
    const events = (await eventsOfRun(here.store, run)).filter(
      ({ body }) => body.type === 'invocation.changed',
    )
    const text = JSON.stringify([events, await here.records(run)])
    const hashes = new Set(
      [...text.matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => blobHash(hash ?? '')),
    )
    const values = await Promise.all(
      [...hashes].map((hash) =>
        here.store.getBlob(hash).then(
          (bytes) => new TextDecoder().decode(bytes),
          () => '',
        ),
      ),
    )
    return `${text}${values.join('')}`.includes('canary')
  }

  it('a run that got the result of another one has it as long as it goes on itself', async () => {
    const here = await busyScene()
    const { first, second } = await twoDemands(here)
    await here.end()
    workOf(here, first)?.finish(completed('secret'))
    await here.pass(0)
    const [made, got] = [await outputOf(here, first), await outputOf(here, second)]
    expect(got).toMatchObject({ fleeting: { summary: null } })
    await endAll(here, first, 'plain')
    expect((await here.run(first)).status).toBe('SUCCEEDED')
    expect([await isThere(here, made.hash), await isThere(here, got.hash)]).toEqual([false, true])
    expect(await createPayloadStore(here.store).value(got)).toBe('secret')
    await endAll(here, second, 'plain')
    expect((await here.run(second)).status).toBe('SUCCEEDED')
    expect(await isThere(here, got.hash)).toBe(false)
    expect(here.begun.filter((run) => run === second)).toHaveLength(1)
  })

  it('what somebody waits for stays until they have it', async () => {
    const { here, first, second } = await withSecondPaused()
    const made = await outputOf(here, first)
    await endAll(here, first, 'plain')
    await here.pass(look)
    expect((await here.run(first)).status).toBe('SUCCEEDED')
    expect(await isThere(here, made.hash)).toBe(true)
    await control(here, second, 'resume')
    await here.pass(10_000)
    expect(await createPayloadStore(here.store).value(await outputOf(here, second))).toBe('secret')
    await here.pass(look)
    expect(await isThere(here, made.hash)).toBe(false)
  })

  it('what it is asked for with is kept as what it gives is', async () => {
    const here = await busyScene()
    const first = await here.start(unkept, { name: 'canary' })
    const second = await here.start(unkept, { name: 'canary', age: 'canary' })
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['WAITING'])
    expect(await told(here, first)).toBe(true)
    await here.end()
    for (const run of [first, second]) await endAll(here, run, 'plain')
    await here.pass(look)
    for (const run of [first, second]) expect(await told(here, run)).toBe(false)
  })

  it('what it is asked for with goes also where it never ran', async () => {
    const here = await busyScene()
    const run = await here.start(asking({ keepOutput: 'none', skipIf: 'true' }), { name: 'canary' })
    await here.pass(10)
    expect(await told(here, run)).toBe(true)
    await here.end()
    await endAll(here, run, 'plain')
    await here.pass(look)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(await told(here, run)).toBe(false)
  })

  it('what may quote what is to be taken out is not written before that is known', async () => {
    const here = await busyScene()
    const taking = asking({ redact: ['$'] })
    const runs = [
      await here.start(taking, { name: 'canary' }),
      await here.start(taking, { name: 'canary', age: 1 }),
    ]
    await here.pass(10)
    for (const run of runs) expect(await told(here, run)).toBe(false)
    await here.end()
    workOf(here, runs[0] as RunId)?.finish(completed('canary'))
    await here.pass(0)
    for (const run of runs) await endAll(here, run, 'plain')
    for (const run of runs) expect(await here.run(run)).toMatchObject({ status: 'SUCCEEDED' })
    for (const run of runs) expect(await told(here, run)).toBe(false)
  })

  it('who is refused for other arguments is not told values that are not to stay', async () => {
    const here = await busyScene()
    const concurrency = { registration: 'TASK', onDifferentNonKeyArguments: 'raise' }
    const refusing = asking({ keepOutput: 'none', concurrency })
    await here.start(refusing, { name: 'canary' })
    const second = await here.start(refusing, { name: 'canary 2' })
    await here.pass(10)
    const { status, error } = await here.run(second)
    expect([status, error?.code]).toEqual(['FAILED', 'concurrency_different_arguments'])
    expect(JSON.stringify(error)).not.toContain('canary')
    expect(error?.message).toContain('name differs')
  })

  it('who waited for what has gone is a demand of its own', async () => {
    const { here, first, second } = await withSecondPaused()
    await here.store.dropBlobs([(await outputOf(here, first)).hash])
    await endAll(here, first, 'plain')
    await control(here, second, 'resume')
    await here.pass(10_000)
    await endAll(here, second, 'again')
    expect((await here.run(second)).status).toBe('SUCCEEDED')
    expect(here.begun.filter((run) => run === second)).toHaveLength(2)
  })
})
