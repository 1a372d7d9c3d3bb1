/** A run that a step waits for, paused together with that step, or for itself. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const longMs = 5_000
const long = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }
const sub = { kind: 'sub-workflow', parameters: { workflow: 'child' } }

async function ask(here: FlowScene, runId: RunId, action: 'pause' | 'resume' | 'cancel'): Promise<void> {
  const request = { runId, action, nodeId: null, by: null, reason: null, wait: false }
  await here.within(here.engine.controlRun(request))
  await here.pass(100)
}

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  /** A run whose only step waits for another one. */
  const family = async () => {
    const here = new FlowScene(await open())
    scenes.push(here)
    await here.launch()
    here.workflows.set('child', { document: documentOf({ id: 'child', nodes: { long } }), folder: null })
    const parent = await here.start({ nodes: { sub } })
    await here.pass(500)
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const runs = await here.store.list(0, 'runs', { filter, page: { after: null, limit: 9 } })
    const child = runs.find(({ parentRunId }) => parentRunId === parent)
    if (child === undefined) throw new Error('the step starts a run')
    return { here, parent, child }
  }

  it.for([
    { title: 'before its parent was', first: 'child' },
    { title: 'while its parent was', first: 'parent' },
  ] as const)(
    'a child that was paused for itself $title stays paused when the parent goes on',
    async ({ first }) => {
      const { here, parent, child } = await family()
      for (const runId of first === 'child' ? [child.id, parent] : [parent, child.id])
        await ask(here, runId, 'pause')
      await ask(here, parent, 'resume')
      expect((await here.run(parent)).status).toBe('WAITING')
      expect(await here.run(child.id)).toMatchObject({ status: 'PAUSED', waitReason: null })
      await ask(here, child.id, 'resume')
      await here.pass(longMs)
      expect((await here.run(parent)).status).toBe('SUCCEEDED')
    },
  )

  it('a child that was paused with its parent says so, and is resumed by it or for itself', async () => {
    const { here, parent, child } = await family()
    await ask(here, parent, 'pause')
    expect(await here.run(child.id)).toMatchObject({
      status: 'PAUSED',
      waitReason: { code: 'paused', pausedWith: `${parent}/sub` },
    })
    await ask(here, child.id, 'resume')
    expect(await here.run(child.id)).toMatchObject({ status: 'WAITING', waitReason: null })
    await ask(here, parent, 'resume')
    await here.pass(longMs)
    expect(await here.run(child.id)).toMatchObject({ status: 'SUCCEEDED', waitReason: null })
  })

  it.for(['cancel', 'pause'] as const)(
    'a child that is being rolled back goes on with that when its parent is asked to %s',
    async (action) => {
      const here = new FlowScene(await open())
      scenes.push(here)
      await here.launch()
      const undo = { task: long }
      const child = {
        nodes: {
          a: {
            kind: 'transform',
            parameters: { expression: '1' },
            sideEffect: 'idempotent',
            compensation: undo,
          },
          fails: { kind: 'stop', parameters: { status: 'failed' } },
        },
        edges: edgesOf('a>fails'),
      }
      here.workflows.set('child', { document: documentOf({ id: 'child', ...child }), folder: null })
      const parent = await here.start({ nodes: { sub } })
      await here.pass(500)
      const filter = { statuses: null, workflowId: null, includeCore: false }
      const runs = () => here.store.list(0, 'runs', { filter, page: { after: null, limit: 9 } })
      const childOf = async () => (await runs()).find(({ parentRunId }) => parentRunId === parent)
      expect((await childOf())?.status).toBe('COMPENSATING')
      const before = await childOf()
      await ask(here, parent, action)
      expect(await childOf()).toEqual(before)
      // Nothing is left to be brought about, or to be tried again.
      const all = { filter: { dueBefore: Number.MAX_SAFE_INTEGER }, page: { after: null, limit: 9 } }
      expect(await here.store.list(0, 'outbox', all)).toEqual([])
      await here.pass(longMs)
      expect((await childOf())?.status).toBe('COMPENSATED')
    },
  )
})
