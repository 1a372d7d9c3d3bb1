/** An engine that remembers a run as it was must not say no for what another engine has changed since. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { workflowId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const twoSteps = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('two-steps'),
  title: 'Two steps',
  nodes: { first: { kind: 'noop' }, second: { kind: 'noop' } },
  edges: { next: { from: { node: 'first', port: 'out' }, to: { node: 'second', port: 'in' } } },
} as unknown as WorkflowDocument

describe.each(Object.entries(sceneStores))('requests about a run on %s', (_name, open) => {
  const scene = async (): Promise<EnginesScene> => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    await made.launch()
    await made.launch()
    return made
  }

  type Wish = { readonly engine: number; readonly runId: RunId; readonly action: 'pause' | 'resume' }
  const ask = async (here: EnginesScene, { engine, ...wish }: Wish) => {
    const asked = here.engines[engine]?.controlRun({
      ...wish,
      nodeId: null,
      by: 'somebody',
      reason: null,
      wait: false,
    })
    // Whoever refuses does so while time passes: that is no unhandled rejection.
    const answer = asked?.then(
      ({ status }): string => status,
      (thrown: { readonly code: string }) => thrown.code,
    )
    await here.pass(100)
    return answer
  }

  it('an engine resumes what another one paused', async () => {
    const here = await scene()
    const runId = await here.start(twoSteps)
    expect(await ask(here, { engine: 1, runId, action: 'pause' })).toBe('RUNNING')
    // Engine 0 has the step at work, and the run in memory as it was before the pause.
    expect(await ask(here, { engine: 0, runId, action: 'resume' })).toBe('RUNNING')
    expect((await here.run(runId)).pauseRequestedAt).toBeNull()
    await here.end()
    await here.end()
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
  })

  it('what can’t be is refused, and the run goes on', async () => {
    const here = await scene()
    const runId = await here.start(twoSteps)
    expect(await ask(here, { engine: 0, runId, action: 'resume' })).toBe('run_not_paused')
    expect(await ask(here, { engine: 1, runId, action: 'resume' })).toBe('run_not_paused')
    await here.end()
    await here.end()
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
    expect(await ask(here, { engine: 0, runId, action: 'pause' })).toBe('run_already_final')
  })
})
