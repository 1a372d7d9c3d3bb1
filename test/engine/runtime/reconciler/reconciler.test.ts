/** What takes too long ends as TIMEOUT, by its owner while it has one. */

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
    id: workflowId('slow'),
    title: 'Slow',
    nodes: { work: node },
    edges: {},
  }) as WorkflowDocument

const limits = { runningTimeoutMs: 100_000, dispatchTimeoutMs: 300_000 }
const letters = (here: EnginesScene) =>
  here.store.list(0, 'deadLetters', {
    filter: { reason: null, workflowId: null, runId: null },
    page: { after: null, limit: 10 },
  })

describe.each(Object.entries(sceneStores))('the reconciler on %s', (_name, open) => {
  const scene = async (engines: number): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    here.looksSeldom = true
    scenes.push(here)
    for (let count = 0; count < engines; count += 1) await here.launch(limits)
    return here
  }

  it('cancels work that runs too long, and tells of it in a dead letter [C47] [G13]', async () => {
    const here = await scene(1)
    const run = await here.start(documentOf({ kind: 'noop' }))
    await here.pass(99_000)
    expect(here.atWork).toHaveLength(1)
    await here.pass(120_000)
    expect(here.atWork).toEqual([])
    expect(await here.statuses(run)).toEqual(['TIMEOUT'])
    expect((await here.run(run)).status).toBe('TIMED_OUT')
    expect(await letters(here)).toMatchObject([
      { reason: 'running_timeout', lastStatus: 'RUNNING', nodeId: 'work', runId: run },
    ])
  })

  it('asks the owner in another process, which stops and says so [G13]', async () => {
    const here = await scene(2)
    const run = await here.start(documentOf({ kind: 'noop' }), {}, 1)
    await here.pass(10)
    const working = here.atWork[0]?.engine
    expect(working).toBe(1)
    await here.pass(220_000)
    expect(await here.statuses(run)).toEqual(['TIMEOUT'])
    const attempts = await here.store.load(0, 'attempts', { runId: run, invocationId: null })
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['cancelled'])
    expect(await letters(here)).toHaveLength(1)
  })

  it('leaves a step to its own timeout where its node names one', async () => {
    const here = await scene(1)
    await here.start(documentOf({ kind: 'noop', timeout: { attemptMs: 1_000_000 } }))
    await here.pass(400_000)
    expect(here.atWork).toHaveLength(1)
    await here.end()
  })

  it('counts no time of standing in line', async () => {
    const here = await scene(1)
    const document = documentOf({
      kind: 'noop',
      timeout: { attemptMs: 1_000_000 },
      concurrency: { running: 'TASK', onFull: 'reroute' },
    })
    await here.start(document)
    const second = await here.start(document)
    await here.pass(500_000)
    expect(await here.statuses(second)).toEqual(['CONCURRENCY_CONTROLLED'])
    await here.end()
    await here.pass(100_000)
    expect(await here.statuses(second)).toEqual(['RUNNING'])
    await here.end()
    expect(await letters(here)).toEqual([])
  })
})
