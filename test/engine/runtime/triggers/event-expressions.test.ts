/** What expressions of event triggers see and give, and runs that start each other. */

import { afterEach, expect, test } from 'vitest'
import { triggerDepthMax } from '../../../../src-engine/model/limits.ts'
import { firingPrefix, readFiring } from '../../../../src-engine/model/trigger.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const on = (parameters: object) => ({ kind: 'event', parameters: { name: 'paid', ...parameters } })

async function played(triggers: object, nodes: object = { a: { kind: 'noop' } }, chores = false) {
  const scene = new FlowScene(createMemoryStore())
  scene.chores = chores
  scenes.push(scene)
  await scene.launch()
  const document = documentOf({ nodes, triggers } as never)
  await scene.within(scene.engine.publishing.publish({ document, baseDirectory: null }))
  const emit = (payload: object) =>
    scene.within(
      scene.engine.emitEvent({
        name: 'paid',
        payload: payload as never,
        messageId: null,
        correlation: null,
        runId: null,
      }),
    )
  const firings = async () => {
    const page = { after: null, limit: 200 }
    const found = await scene.store.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
    return found.flatMap(({ value }) => readFiring(value) ?? []).reverse()
  }
  return { scene, emit, firings }
}

test('a filter is an expression on the event, and the input may be one too', async () => {
  const { scene, emit, firings } = await played({
    t: on({
      filter: 'event.payload.total > 100 and event.name = "paid"',
      input: '{ "half": event.payload.total / 2 }',
    }),
  })
  await emit({ total: 50 })
  await emit({ total: 300 })
  await scene.pass(1_000)
  const found = await firings()
  expect(found.map(({ reason, words }) => [reason, words])).toEqual(
    expect.arrayContaining([
      ['filtered', 'Its filter left it out.'],
      [null, 'The event “paid” was emitted.'],
    ]),
  )
  const run = await scene.run(found.find(({ reason }) => reason === null)?.runId as never)
  expect(run).toMatchObject({ status: 'SUCCEEDED', input: { kind: 'inline', json: '{"half":150}' } })
})

test('an expression that fails starts nothing and is told', async () => {
  const { scene, emit, firings } = await played({
    filters: on({ filter: '$error("no such thing")' }),
    inputs: on({ input: '$error("nor this")' }),
  })
  await emit({})
  await scene.pass(1_000)
  const told = (await firings()).map(({ reason, words }) => `${reason}: ${words}`).toSorted()
  expect(told).toEqual([
    expect.stringContaining('expression_failed: Its filter failed: '),
    expect.stringContaining('expression_failed: The expression for its input failed: '),
  ])
})

test('what doesn’t fit the form of the workflow starts nothing and is told', async () => {
  const scene = new FlowScene(createMemoryStore())
  scenes.push(scene)
  await scene.launch()
  const input = { type: 'object', properties: { order: { type: 'number' } }, required: ['order'] }
  const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers: { t: on({}) }, input })
  await scene.within(scene.engine.publishing.publish({ document, baseDirectory: null }))
  const event = { name: 'paid', messageId: null, correlation: null, runId: null }
  for (const payload of [{ order: 'one' }, { order: 1 }])
    await scene.within(scene.engine.emitEvent({ ...event, payload }))
  await scene.pass(1_000)
  const page = { after: null, limit: 9 }
  const found = await scene.store.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
  const reasons = found.map(({ value }) => readFiring(value)?.reason ?? null)
  expect(new Set(reasons)).toEqual(new Set(['input_invalid', null]))
  expect(reasons).toHaveLength(2)
})

test('runs that start each other come to an end, and the last says why', async () => {
  const { scene, emit, firings } = await played(
    { t: on({}) },
    { again: { kind: 'emit-event', parameters: { name: 'paid', payload: 'input' } } },
  )
  await emit({ n: 1 })
  await scene.pass(60_000)
  const all = await firings()
  expect(all).toHaveLength(triggerDepthMax + 1)
  expect(all.filter(({ reason }) => reason === 'loop')).toHaveLength(1)
  expect(Math.max(...all.map(({ depth }) => depth))).toBe(triggerDepthMax + 1)
})

test('a circle through batches comes to an end, too', async () => {
  const again = { kind: 'emit-event', parameters: { name: 'paid', payload: '1' } }
  const { scene, emit, firings } = await played({ t: on({ batchMax: 2 }) }, { one: again, two: again }, true)
  await emit({ n: 1 })
  await emit({ n: 2 })
  await scene.pass(30_000)
  const all = await firings()
  expect(all.filter(({ reason }) => reason === 'loop')).toHaveLength(2)
  expect(all).toHaveLength(triggerDepthMax + 2)
})
