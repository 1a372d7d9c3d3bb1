/** Conditions from outside of the engine, what is kept of them, and what documents may not say. */

import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { firingPrefix } from '../../../../src-engine/model/trigger.ts'
import { validateWorkflow } from '../../../../src-engine/model/validate-workflow.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { machineOn } from '../sealing/seal-scene.ts'
import { CallScene, signed } from '../webhooks/call-scene.ts'

const scenes: CallScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const nodes = { a: { kind: 'noop' } }
const hook = { kind: 'webhook', parameters: { path: 'orders', auth: signed } }
const paid = { kind: 'event', parameters: { name: 'paid' } }
const composite = (parameters: JsonObject) => ({ kind: 'composite', parameters })

async function playing(store: Store, triggers: object) {
  const scene = new CallScene(store)
  scenes.push(scene)
  await scene.launch()
  const document = documentOf({ nodes, triggers } as never)
  await scene.within(scene.engine.publishing.publish({ document, baseDirectory: null }))
  const emit = async (payload: JsonObject) => {
    const event = { name: 'paid', payload, messageId: null, correlation: null, runId: null }
    await scene.within(scene.engine.emitEvent(event))
    await scene.pass(1_000)
  }
  const inputs = async () =>
    (await scene.runs()).map(({ input }) =>
      input.kind === 'inline' ? (JSON.parse(input.json) as unknown) : null,
    )
  return { scene, emit, inputs }
}

test('a web call and an event come together; who called is told that the call was taken, again too', async () => {
  const both = composite({
    conditions: ['hook', 'paid'],
    input: '{ "order": event.payload.hook.body.order }',
  })
  const { scene, emit, inputs } = await playing(createMemoryStore(), { hook, paid, both })
  expect(await scene.call()).toMatchObject({ status: 202, body: 'It was taken.\n' })
  expect((await scene.call({ signedAt: 20 })).status).toBe(202)
  expect((await scene.call()).status).toBe(409)
  expect(await inputs()).toEqual([])
  await emit({ n: 1 })
  expect(await inputs()).toEqual([{ order: 7 }])
  await emit({ n: 2 })
  const last = await scene.call({ id: 'msg_2', body: '{"order":8}' })
  expect(last.status).toBe(202)
  expect(JSON.parse(last.body)).toHaveProperty('runId')
  expect(await inputs()).toContainEqual({ order: 8 })
})

test('what conditions carry is sealed where values are', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const both = composite({ conditions: ['hook', 'paid'] })
  const { scene, emit, inputs } = await playing(store, { hook, paid, both })
  await emit({ secret: 'canary-7' })
  const page = { after: null, limit: 9 }
  const kept = await raw.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
  expect(kept).toHaveLength(1)
  expect(kept[0]?.value as unknown as FiringRecord).toMatchObject({ carried: { kind: 'sealed' } })
  expect(JSON.stringify(await raw.list(0, 'registers', { filter: { prefix: '' }, page }))).not.toContain(
    'canary',
  )
  await scene.call()
  expect(await inputs()).toMatchObject([{ paid: { secret: 'canary-7' }, hook: { body: { order: 7 } } }])
})

test('an expression for the input that fails starts nothing, uses them up, and is told', async () => {
  const both = composite({ conditions: ['hook', 'paid'], input: '$error("oh")' })
  const { scene, emit, inputs } = await playing(createMemoryStore(), { hook, paid, both })
  await scene.call()
  await emit({})
  expect(await inputs()).toEqual([])
  const found = (await scene.firings()).find(({ triggerId }) => triggerId === 'both')
  expect(found).toMatchObject({ reason: 'expression_failed', words: expect.stringContaining('oh') })
})

const wrong: readonly (readonly [JsonObject, string, string])[] = [
  [{ conditions: [] }, 'wrong_parameter', 'conditions'],
  [{ conditions: ['hook', 'gone'] }, 'trigger_condition_unknown', 'conditions[1]'],
  [{ conditions: ['both'] }, 'trigger_condition_kind', 'conditions[0]'],
  [{ conditions: ['hand'] }, 'trigger_condition_kind', 'conditions[0]'],
  [{ conditions: ['hook', 'hook'] }, 'trigger_condition_twice', 'conditions[1]'],
  [{ conditions: ['hook'], mode: 'none' }, 'wrong_parameter', 'mode'],
]

test.each(wrong)('%j is refused', (...[parameters, code, field]) => {
  const triggers = { hook, hand: { kind: 'manual' }, both: composite(parameters) }
  const document = documentOf({ nodes, triggers })
  const found = validateWorkflow(document, taskSpecsByKind, { triggerSpecs: triggerSpecsByKind })
  expect(found.map((problem) => [problem.code, problem.field])).toEqual([
    [code, `triggers.both.parameters.${field}`],
  ])
})

test('two that are the same may be conditions of different triggers', () => {
  const triggers = {
    ...{ one: paid, two: paid, hook },
    first: composite({ conditions: ['one', 'hook'] }),
    second: composite({ conditions: ['two', 'hook'] }),
  }
  const document = documentOf({ nodes, triggers })
  expect(validateWorkflow(document, taskSpecsByKind, { triggerSpecs: triggerSpecsByKind })).toEqual([])
})
