/** Dead letters of what failed to undo a step: their replay goes on with the rollback, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { documentOf, setRules } from '../policy/policy-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const undone: WorkflowNode = {
  kind: 'noop',
  compensation: { task: { kind: 'noop', parameters: {} }, retry: { maxAttempts: 1 } },
}
const chain = documentOf(
  { a: undone, b: undone, c: { kind: 'noop' } },
  { edges: edgesOf('a>b', 'b>c') as never },
)

describe.each(Object.entries(sceneStores))('dead letters of a rollback on %s', (_name, open) => {
  const scene = async () => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    const engine = await here.launch()
    const end = async (error?: Error): Promise<void> => {
      await here.pass(1_000)
      await here.end(error)
      await here.pass(1_000)
    }
    /** To where what undoes `b` has failed. */
    const fail = async (): Promise<RunId> => {
      const run = await here.start(chain)
      for (const error of [undefined, undefined, new Error('c failed'), new Error('no refund')])
        await end(error)
      return run
    }
    const letters = async (role: string | undefined) => {
      const filter = { reason: null, workflowId: null, runId: null }
      const all = await here.store.list(0, 'deadLetters', { filter, page: { after: null, limit: 9 } })
      return all.filter(({ body }) => (body as { readonly role?: string }).role === role)
    }
    const replay = async (input: { readonly value: unknown } | null) => {
      const [letter] = await letters('compensation')
      const asked = engine.deadLetters.replay({ id: letter?.id ?? '', input: input as never, by: 'Ada' })
      const outcome = asked.catch((thrown: SagasmithError) => thrown)
      await here.pass(1_000)
      return outcome
    }
    const undoOf = async (run: RunId, node: string) =>
      (await here.records(run)).findLast(({ nodeId, role }) => role !== 'forward' && nodeId === node)
    return { here, engine, fail, end, letters, replay, undoOf }
  }

  it('its replay tries the compensation again in its chain, and the rest is undone after it', async () => {
    const { here, fail, end, letters, replay, undoOf } = await scene()
    const run = await fail()
    expect((await here.run(run)).status).toBe('COMPENSATION_FAILED')
    expect(await letters('compensation')).toMatchObject([{ invocationId: `${run}/b~undo`, nodeId: 'b' }])
    expect(await replay(null)).toMatchObject({ runId: run })
    expect(await undoOf(run, 'b')).toMatchObject({ id: `${run}/b~undo2`, status: 'RUNNING' })
    expect(await letters('compensation')).toEqual([])
    expect(await letters(undefined)).toHaveLength(1)
    await end()
    await end()
    expect((await here.run(run)).status).toBe('COMPENSATED')
    const filter = { statuses: null, workflowId: null, includeCore: false }
    expect(await here.store.list(0, 'runs', { filter, page: { after: null, limit: 9 } })).toHaveLength(1)
  })

  it('with another input that arrives at what undoes, also when that is tried once more', async () => {
    const { here, engine, fail, end, replay, undoOf } = await scene()
    const run = await fail()
    await replay({ value: { amount: 5 } })
    await end(new Error('no refund again'))
    expect(await undoOf(run, 'b')).toMatchObject({ status: 'FAILED', input: { json: '{"amount":5}' } })
    const again = engine.saga.act({ runId: run, action: 'retry', of: null, by: null, reason: null })
    await here.pass(1_000)
    await again
    await end()
    expect(await undoOf(run, 'b')).toMatchObject({
      id: `${run}/b~undo3`,
      status: 'SUCCESS',
      input: { json: '{"amount":5}' },
    })
    await end()
    // What arrives at the others is what always did.
    expect((await undoOf(run, 'a'))?.input).toMatchObject({ json: expect.stringContaining('"uncertain"') })
  })

  it('no step is undone any more by the letter of a rollback that has gone on', async () => {
    const { here, end, letters, replay } = await scene()
    await setRules(here, [{ id: 'stay', match: { roles: ['compensation'] }, decision: 'DENY' }])
    const run = await here.start(chain)
    for (const error of [undefined, undefined, new Error('c failed')]) await end(error)
    expect((await here.run(run)).status).toBe('COMPENSATED')
    expect(await replay(null)).toMatchObject({ code: 'rollback_not_possible' })
    expect(await letters('compensation')).toHaveLength(2)
    expect(here.begun).toHaveLength(3)
  })

  it('whoever has passed over what failed has dealt with its letter', async () => {
    const { here, engine, fail, letters } = await scene()
    const run = await fail()
    const skipped = engine.saga.act({ runId: run, action: 'skip', of: null, by: null, reason: null })
    await here.pass(1_000)
    await skipped
    expect(await letters('compensation')).toEqual([])
  })
})
