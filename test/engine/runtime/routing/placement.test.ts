/** Where work may run: pools, labels and abilities are enforced by the claim. */

import { afterEach, describe, expect, it } from 'vitest'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (node: WorkflowNode): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('placed'),
    title: 'Placed',
    nodes: { work: node },
    edges: {},
  }) as WorkflowDocument

describe.each(Object.entries(sceneStores))('placement on %s', (_name, open) => {
  const scene = async (): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch()
    await here.launch({ pools: ['gpu'], labels: ['placement.zone=eu'] })
    return here
  }

  it('gives work to a runner of its pool, whoever registered it', async () => {
    const here = await scene()
    await here.start(documentOf({ kind: 'noop', pool: 'gpu' }))
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    await here.end()
  })

  it('gives work to a runner that has its labels', async () => {
    const here = await scene()
    const eu = { labels: { 'placement.zone': 'eu' } }
    const us = { labels: { 'placement.zone': 'us' } }
    await here.start(documentOf({ kind: 'noop', pool: 'gpu', route: eu }))
    const nowhere = await here.start(documentOf({ kind: 'noop', pool: 'gpu', route: us }))
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    expect(await here.statuses(nowhere)).toEqual(['REGISTERED'])
    await here.end()
  })

  it('keeps work queued that needs what nobody offers', async () => {
    const here = await scene()
    const run = await here.start(documentOf({ kind: 'noop', route: { requires: ['render'] } }))
    await here.pass(30_000)
    expect(here.atWork).toEqual([])
    expect(await here.statuses(run)).toEqual(['REGISTERED'])
  })

  it('takes work of a second pool that the node prefers', async () => {
    const here = await scene()
    await here.start(documentOf({ kind: 'noop', route: { preferredPool: 'gpu' } }))
    await here.pass(6_000)
    expect(here.atWork).toHaveLength(1)
    await here.end()
  })
})
