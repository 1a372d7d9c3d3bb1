/** Reading results: what is there, and a code of its own for each reason why there is none. */

import { afterEach, describe, expect, it } from 'vitest'
import type { NodeId, RunId } from '../../../src-engine/model/ids.ts'
import { nodeId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const oneStep = (fields: JsonObject = {}): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('one'),
    title: 'One step',
    nodes: { a: { kind: 'noop', ...fields } },
    edges: {},
  }) as unknown as WorkflowDocument

describe.each(Object.entries(sceneStores))('a result on %s', (_name, open) => {
  async function launched(): Promise<EnginesScene> {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch()
    return here
  }

  async function read(here: EnginesScene, run: RunId, node: NodeId | null = null): Promise<unknown> {
    const asked = here.engines[0]?.results.read({ runId: run, nodeId: node }).then(
      (payload) => (payload.kind === 'inline' ? JSON.parse(payload.json) : payload),
      (thrown: { readonly code: string; readonly hint: string }) => {
        expect(thrown.hint).not.toBe('')
        return thrown.code
      },
    )
    await here.pass(10)
    return asked
  }

  it('is there once its run and step have succeeded [S41]', async () => {
    const here = await launched()
    const id = await here.start(oneStep())
    expect(await read(here, id)).toBe('result_not_ready')
    expect(await read(here, id, nodeId('a'))).toBe('result_not_ready')
    await here.end()
    expect(await read(here, id)).toBe(id)
    expect(await read(here, id, nodeId('a'))).toBe(id)
  })

  it('is refused by name where it failed, and where nothing is [S41]', async () => {
    const here = await launched()
    const id = await here.start(oneStep())
    await here.end(new Error('no'))
    expect(await read(here, id)).toBe('result_failed')
    expect(await read(here, id, nodeId('a'))).toBe('result_failed')
    expect(await read(here, id, nodeId('b'))).toBe('invocation_not_found')
    expect(await read(here, runId('none'))).toBe('run_not_found')
  })

  it('of a step that concurrency control ended is none, and says so [P19]', async () => {
    const here = await launched()
    const alone = oneStep({ concurrency: { running: 'TASK', onFull: 'final', onFinal: 'skip' } })
    await here.start(alone)
    const second = await here.start(alone)
    await here.pass(1_000)
    expect((await here.records(second))[0]?.status).toBe('CONCURRENCY_CONTROLLED_FINAL')
    expect(await read(here, second, nodeId('a'))).toBe('result_none')
  })

  it('of a cancelled run is none', async () => {
    const here = await launched()
    const id = await here.start(oneStep())
    await Promise.all([here.engines[0]?.cancelRun(id), here.pass(1_000)])
    expect((await here.run(id)).status).toBe('CANCELLED')
    expect(await read(here, id, nodeId('a'))).toBe('result_none')
  })

  it('of a run that went on is the newest', async () => {
    const here = await launched()
    const id = await here.start(oneStep())
    await here.end(new Error('no'))
    const plain = {
      nodeId: null,
      input: null,
      version: 'same',
      document: null,
      by: null,
      reason: null,
    } as const
    await Promise.all([here.engines[0]?.retryRun({ runId: id, ...plain }), here.pass(100)])
    expect(await read(here, id, nodeId('a'))).toBe('result_not_ready')
    await here.end()
    expect(await read(here, id, nodeId('a'))).toBe(id)
  })
})
