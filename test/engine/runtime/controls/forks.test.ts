/** A run that goes on from an instant of another one, and the trial of one step; on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { ForkAnswer, ForkRequest } from '../../../../src-engine/protocol/debugging.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const line = (last = 'input + 3'): JsonObject => ({
  nodes: { a: transform('input.n + 1'), b: transform('input * 10'), c: transform(last) },
  edges: edgesOf('a>b', 'b>c'),
})
const plain = {
  seq: null,
  nodeId: null,
  input: null,
  document: null,
  until: null,
  by: 'ada',
  reason: null,
} as const

describe.each(Object.entries(sceneStores))('a fork on %s', (_name, open) => {
  const flow = async (): Promise<FlowScene> => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    await scene.launch()
    return scene
  }
  const fork = async (
    here: FlowScene,
    request: Partial<ForkRequest> & { readonly runId: RunId },
  ): Promise<ForkAnswer> => {
    const answer = await here.within(here.engine.forkRun({ ...plain, ...request }))
    await here.pass(5_000)
    return answer
  }
  const given = (value: JsonValue) => ({ value })
  const executed = async (here: FlowScene, run: RunId): Promise<readonly (string | undefined)[]> =>
    (await here.executions(run)).map(([step]) => step?.replace(/#.*/, ''))

  it('begins anew from a step, with another input, and leaves the run that it comes from as it is', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    const answer = await fork(here, { runId: first.id, nodeId: nodeId('b'), input: given(100) })
    expect(answer).toMatchObject({ of: first.id, again: ['b'], taken: ['a'], staysThere: [] })
    const made = await here.run(answer.runId)
    expect(made).toMatchObject({
      status: 'SUCCEEDED',
      output: { json: '1003' },
      origin: { kind: 'fork', runId: first.id, nodeId: 'b' },
    })
    expect(await executed(here, answer.runId)).toEqual(['b', 'c'])
    expect(await here.run(first.id)).toEqual(first)
  })

  it('goes on from an instant: what ended after it begins anew', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    const events = await eventsOfRun(here.store, first.id)
    const end = events.find(
      ({ invocationId, body }) =>
        invocationId?.endsWith('/a') === true && body.type === 'invocation.changed' && body.to === 'SUCCESS',
    )
    const answer = await fork(here, { runId: first.id, seq: end?.seq ?? 0 })
    expect(await here.run(answer.runId)).toMatchObject({ status: 'SUCCEEDED', output: { json: '23' } })
    expect(await executed(here, answer.runId)).toEqual(['b', 'c'])
  })

  it('of a run that is under way takes over what has ended, and has no part in the rest', async () => {
    const here = await flow()
    const parts = {
      nodes: { a: transform('input.n'), b: { kind: 'wait-signal', parameters: { name: 'go' } } },
      edges: edgesOf('a>b'),
    }
    const first = await here.start(parts, { n: 4 })
    await here.pass(1_000)
    const { runId } = await fork(here, { runId: first })
    expect(await here.statuses(runId)).toMatchObject({ a: 'SUCCESS', b: 'WAITING' })
    const signal = { messageId: 'm', name: 'go', correlation: null, payload: 7 }
    await here.within(here.engine.sendSignal({ runId, ...signal }))
    await here.pass(1_000)
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
    expect((await here.run(first)).status).toBe('WAITING')
  })

  it('goes on with another version where what is kept means the same there', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    const edited = documentOf(line('input + 1000')) as unknown as JsonObject
    const { runId } = await fork(here, { runId: first.id, nodeId: nodeId('c'), document: edited })
    expect(await here.run(runId)).toMatchObject({ status: 'SUCCEEDED', output: { json: '1020' } })
    const other = documentOf({ ...line(), nodes: { ...(line()['nodes'] as JsonObject), a: transform('1') } })
    const before = (await here.store.list(0, 'runs', everything)).length
    await expect(
      fork(here, { runId: first.id, nodeId: nodeId('c'), document: other as unknown as JsonObject }),
    ).rejects.toMatchObject({ code: 'kept_results_do_not_fit' })
    // What is refused leaves nothing behind.
    expect(await here.store.list(0, 'runs', everything)).toHaveLength(before)
  })

  it('is refused where nothing would begin, and for what isn’t there', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    await expect(fork(here, { runId: first.id })).rejects.toMatchObject({ code: 'nothing_to_retry' })
    await expect(fork(here, { runId: first.id, nodeId: nodeId('z') })).rejects.toMatchObject({
      code: 'invocation_not_found',
    })
    await expect(fork(here, { runId: first.id, until: nodeId('z') })).rejects.toMatchObject({
      code: 'invocation_not_found',
    })
  })

  it('keeps a map that had ended, and does one anew that had not', async () => {
    const here = await flow()
    const parts = {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 1 } },
        step: { ...transform('item * 2'), parent: 'each' },
        sum: transform('$sum(input)'),
      },
      edges: edgesOf('each>sum'),
    }
    const first = await here.play(parts, [1, 2, 3])
    const again = await fork(here, { runId: first.id, nodeId: nodeId('sum') })
    expect(await executed(here, again.runId)).toEqual(['sum'])
    expect(await here.outputOf(again.runId)).toBe(12)
    const events = await eventsOfRun(here.store, first.id)
    const item = events.find(
      ({ invocationId, body }) =>
        body.type === 'invocation.changed' &&
        body.to === 'SUCCESS' &&
        invocationId?.includes('step@each:0') === true,
    )
    const midway = await fork(here, { runId: first.id, seq: item?.seq ?? 0 })
    expect(await here.outputOf(midway.runId)).toBe(12)
    expect((await executed(here, midway.runId)).filter((step) => step?.startsWith('step'))).toHaveLength(3)
  })

  it('tries one step alone on what a run had, and nothing that follows it', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    const only = { until: nodeId('b'), nodeId: nodeId('b'), only: true }
    const { runId } = await fork(here, { runId: first.id, ...only, input: given(5) })
    const made = await here.run(runId)
    expect(made).toMatchObject({ status: 'SUCCEEDED', output: { json: '50' }, workflowId: 'w.trial' })
    expect(await executed(here, runId)).toEqual(['b'])
    expect(await here.statuses(runId)).not.toHaveProperty('c')
  })

  it('tries a step that was drawn after the run, and an edited one', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    const drawn = documentOf({
      nodes: { ...(line('1')['nodes'] as JsonObject), d: transform('input - 1') },
      edges: edgesOf('a>b', 'b>c', 'b>d'),
    }) as unknown as JsonObject
    const d = await fork(here, {
      runId: first.id,
      document: drawn,
      until: nodeId('d'),
      nodeId: nodeId('d'),
      only: true,
    })
    expect(await here.outputOf(d.runId)).toBe(19)
    const c = await fork(here, {
      runId: first.id,
      document: drawn,
      until: nodeId('c'),
      nodeId: nodeId('c'),
      only: true,
    })
    expect(await here.outputOf(c.runId)).toBe(1)
  })

  it('a step alone is refused where the run has not all that it needs', async () => {
    const here = await flow()
    const parts = { ...line(), nodes: { ...(line()['nodes'] as JsonObject), b: transform('$error("no")') } }
    const first = await here.play(parts, { n: 1 })
    expect(first.status).toBe('FAILED')
    await expect(
      fork(here, { runId: first.id, until: nodeId('c'), nodeId: nodeId('c'), only: true }),
    ).rejects.toMatchObject({ code: 'trial_needs_more', details: { nodeIds: ['b'] } })
  })

  it('stops at its own breakpoints', async () => {
    const here = await flow()
    const first = await here.play(line(), { n: 1 })
    const breakpoints = [{ nodeId: nodeId('c'), condition: null }]
    const { runId } = await fork(here, { runId: first.id, nodeId: nodeId('b'), breakpoints })
    expect(await here.run(runId)).toMatchObject({ status: 'PAUSED', waitReason: { code: 'breakpoint' } })
  })
})

const everything = {
  filter: { statuses: null, workflowId: workflowId('w'), includeCore: false },
  page: { after: null, limit: 50 },
} as const
