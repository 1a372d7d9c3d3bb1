import { afterEach, expect, test } from 'vitest'
import { eventPrefix, readEventRecord } from '../../../../src-engine/model/event-record.ts'
import { capturePrefix } from '../../../../src-engine/model/webhook-capture.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { machineOn } from '../sealing/seal-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

test('what events carry is sealed where values are, and read by who has the key', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const scene = new FlowScene(store)
  scenes.push(scene)
  const engine = await scene.launch()
  const trigger = { kind: 'event', parameters: { name: 'paid' } }
  const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers: { t: trigger } })
  await scene.within(engine.publishing.publish({ document, baseDirectory: null }))
  const event = {
    name: 'paid',
    payload: { secret: 'canary-7' },
    messageId: null,
    correlation: null,
    runId: null,
  }
  await scene.within(engine.emitEvent(event))
  await scene.pass(1_000)
  const query = { filter: { prefix: eventPrefix }, page: { after: null, limit: 9 } }
  const [sealed] = await raw.list(0, 'registers', query)
  expect(JSON.stringify(sealed)).not.toContain('canary')
  expect(readEventRecord(sealed?.value)).toMatchObject({ name: 'paid', payload: { kind: 'sealed' } })
  const [opened] = await store.list(0, 'registers', query)
  expect(readEventRecord(opened?.value)?.payload).toEqual({ kind: 'inline', json: '{"secret":"canary-7"}' })
  expect(await store.load(0, 'register', { key: opened?.key ?? '' })).toEqual(opened)
})

test('what a test address captured is sealed too', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const scene = new FlowScene(store)
  scenes.push(scene)
  const { webhooks } = await scene.launch()
  const name = { workflowId: documentOf({ nodes: {} }).id, triggerId: 'hook' }
  const parameters = { path: 'orders', auth: { kind: 'none' } }
  await scene.within(webhooks.openTest({ name, parameters, forMs: 60_000 }))
  const call = {
    ...{ id: 1, tokenHash: '', method: 'POST', path: 'orders', query: '', remote: '10.0.0.9' },
    headers: { 'content-type': 'text/plain' },
    bodyBase64: Buffer.from('canary-9').toString('base64'),
  }
  const { signal } = new AbortController()
  await scene.within(webhooks.capture({ name, call, signal }, async () => null))
  const page = { after: null, limit: 9 }
  const sealed = await raw.list(0, 'registers', { filter: { prefix: capturePrefix }, page })
  expect(sealed).toHaveLength(1)
  expect(JSON.stringify(sealed)).not.toContain('canary')
  const [capture] = await scene.within(webhooks.captures(name))
  const shown = await scene.within(webhooks.showCapture(capture?.id ?? ''))
  expect(shown.call).toMatchObject({ body: 'canary-9' })
})
