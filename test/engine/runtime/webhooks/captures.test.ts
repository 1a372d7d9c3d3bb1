/** Test addresses: what is kept of their calls, who may see what, and sending one again, on each store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { webhookCaptureBytesMax, webhookCapturesMax } from '../../../../src-engine/model/limits.ts'
import { day, minute } from '../../../../src-engine/model/time.ts'
import { capturePrefix } from '../../../../src-engine/model/webhook-capture.ts'
import { webhookTestPrefix } from '../../../../src-engine/runtime/webhooks/open-tests.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { CallScene, key, name, signed, twoSteps } from './call-scene.ts'

const scenes: CallScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const forMs = 10 * minute

async function registers(store: Store, prefix: string): Promise<readonly string[]> {
  const page = { after: null, limit: 200 }
  return (await store.list(0, 'registers', { filter: { prefix }, page })).map(({ key: found }) => found)
}

for (const [store, open] of Object.entries(sceneStores)) {
  const sceneOf = async (): Promise<CallScene> => {
    const scene = new CallScene(await open())
    scenes.push(scene)
    await scene.launch()
    return scene
  }
  const tried = async (parameters: JsonObject = { auth: signed }): Promise<CallScene> => {
    const scene = await sceneOf()
    await scene.publish(parameters)
    await scene.within(scene.engine.webhooks.openTest({ name, parameters: null, forMs }))
    return scene
  }
  const captured = (scene: CallScene) => scene.within(scene.engine.webhooks.captures(name))

  describe(`test addresses on ${store}`, () => {
    it('keep what came, say what the real address would, and start nothing', async () => {
      const scene = await tried()
      expect(await scene.capture()).toMatchObject({ status: 202, body: '{"isCaptured":true}' })
      await scene.pass(1_000)
      await scene.capture(scene.callOf({ signature: 'v1,AAAA' }))
      await scene.pass(1_000)
      await scene.capture({ ...scene.callOf(), method: 'GET' })
      expect(await captured(scene)).toMatchObject([
        { method: 'GET', outcome: { kind: 'refused', status: 405 } },
        { method: 'POST', outcome: { kind: 'refused', status: 401, words: 'This call is not believed.' } },
        { method: 'POST', contentType: 'application/json', bodyBytes: 11, outcome: { kind: 'starts' } },
      ])
      expect(await scene.runs()).toEqual([])
      expect(await scene.firings()).toEqual([])
    })

    it('show a call without signatures, passwords and the secret itself', async () => {
      const scene = await tried()
      const body = JSON.stringify({
        order: 7,
        note: `mine is ${key}`,
        password: 'open',
        list: [{ token: 'x' }],
      })
      const call = scene.callOf({ body })
      const headers = { ...call.headers, authorization: 'Bearer me', 'x-api-key': 'k', cookie: 'c' }
      await scene.capture({
        ...call,
        headers,
        query: `access_token=q&page=2&said=${encodeURIComponent(key)}`,
      })
      const [capture] = await captured(scene)
      const shown = await scene.within(scene.engine.webhooks.showCapture(capture?.id ?? ''))
      expect(shown.capture).toEqual(capture)
      expect(shown.call).toEqual({
        method: 'POST',
        path: 'orders',
        query: { access_token: '(redacted)', page: '2', said: '(redacted)' },
        headers: {
          ...call.headers,
          'webhook-signature': '(redacted)',
          authorization: '(redacted)',
          'x-api-key': '(redacted)',
          cookie: '(redacted)',
        },
        body: {
          order: 7,
          note: 'mine is (redacted)',
          password: '(redacted)',
          list: [{ token: '(redacted)' }],
        },
      })
      const kept = await scene.store.load(0, 'register', { key: capturePrefix + (capture?.id ?? '') })
      expect(JSON.stringify(kept)).not.toContain(key)
    })

    it('keep the last calls only, and of a large one that it came', async () => {
      const scene = await tried()
      const body = JSON.stringify({ text: 'x'.repeat(webhookCaptureBytesMax) })
      await scene.capture(scene.callOf({ id: 'large', body }))
      const [large] = await captured(scene)
      expect(large).toMatchObject({ isCut: true, bodyBytes: body.length, outcome: { kind: 'starts' } })
      const ask = { captureId: large?.id ?? '', by: null }
      await expect(scene.within(scene.engine.webhooks.resend(ask))).rejects.toMatchObject({
        code: 'capture_cut',
      })
      for (let count = 0; count < webhookCapturesMax + 2; count += 1) {
        await scene.pass(10)
        await scene.capture(scene.callOf({ id: `msg_${count}` }))
      }
      const kept = await captured(scene)
      expect(kept).toHaveLength(webhookCapturesMax)
      expect(kept.some(({ isCut }) => isCut)).toBe(false)
      expect(await registers(scene.store, capturePrefix)).toHaveLength(webhookCapturesMax)
      expect(await scene.within(scene.engine.webhooks.clearCaptures(name))).toBe(webhookCapturesMax)
      expect(await captured(scene)).toEqual([])
    })

    it('take calls for a time, and their calls are kept for a day', async () => {
      const scene = await tried()
      await scene.capture()
      expect(await scene.within(scene.engine.webhooks.tests())).toMatchObject([name])
      await scene.pass(forMs)
      expect((await scene.capture()).status).toBe(404)
      expect(await scene.within(scene.engine.webhooks.tests())).toEqual([])
      expect(await captured(scene)).toHaveLength(1)
      const [capture] = await captured(scene)
      const upTo = (capture?.at ?? 0) + day
      const { due } = await scene.store.load(0, 'dueRegisters', { upTo, limit: 10 })
      expect(due.map(({ key: found, dueAt }) => [found, dueAt])).toEqual([
        [`${webhookTestPrefix}w/hook`, (capture?.at ?? 0) + forMs],
        [capturePrefix + (capture?.id ?? ''), upTo],
      ])
    })

    it('take calls of a trigger as a form has it, before it is published; closed, they take none', async () => {
      const scene = await sceneOf()
      const { webhooks } = scene.engine
      const asked = (parameters: JsonObject | null) =>
        scene.within(webhooks.openTest({ name, parameters, forMs }))
      await expect(asked(null)).rejects.toMatchObject({ code: 'trigger_not_found' })
      await expect(asked({ path: '' })).rejects.toMatchObject({ code: 'bad_request' })
      await asked({ path: 'orders' })
      expect((await scene.capture()).status).toBe(202)
      // Nobody has said yet which secret it is.
      const [capture] = await captured(scene)
      expect(capture).toMatchObject({ outcome: { kind: 'refused', status: 401 } })
      const again = scene.within(webhooks.resend({ captureId: capture?.id ?? '', by: null }))
      await expect(again).rejects.toMatchObject({ code: 'trigger_not_found' })
      await scene.within(webhooks.closeTest(name))
      expect((await scene.capture()).status).toBe(404)
    })

    it('have a captured call sent again, which starts what it would have started', async () => {
      const scene = await tried()
      await scene.capture(scene.callOf({ signature: 'v1,AAAA' }))
      const [capture] = await captured(scene)
      const ask = { captureId: capture?.id ?? '', by: 'Ann' }
      const first = await scene.within(scene.engine.webhooks.resend(ask))
      const second = await scene.within(scene.engine.webhooks.resend(ask))
      expect(first).toMatchObject({
        words: 'Ann sent a captured call again.',
        sources: [
          { kind: 'hand', by: 'Ann' },
          { kind: 'call', method: 'POST', path: 'orders' },
        ],
      })
      expect(second?.runId).not.toBe(first?.runId)
      await scene.pass(1_000)
      const runs = await scene.runs()
      expect(runs.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
      expect(JSON.parse(runs[0]?.input.kind === 'inline' ? runs[0].input.json : '')).toMatchObject({
        method: 'POST',
        body: { order: 7 },
      })
      await expect(
        scene.within(scene.engine.webhooks.resend({ captureId: 'gone', by: null })),
      ).rejects.toMatchObject({ code: 'capture_not_found' })
    })
  })

  describe(`filters and inputs of calls on ${store}`, () => {
    const published = async (parameters: JsonObject): Promise<CallScene> => {
      const scene = await sceneOf()
      await scene.publish({ auth: signed, ...parameters }, twoSteps)
      return scene
    }
    const inputs = async (scene: CallScene) =>
      (await scene.runs()).map(({ input }) => (input.kind === 'inline' ? JSON.parse(input.json) : null))

    it.each([
      ['fields', { body: { order: 8 } }],
      ['an expression', 'event.payload.body.order = 8'],
    ])('leave calls out by %s: they start nothing, and the record says so', async (_, filter) => {
      const scene = await published({ filter })
      expect(await scene.call()).toMatchObject({ status: 200, body: '{"isIgnored":true}' })
      expect(await scene.runs()).toEqual([])
      const leftOut = { kind: 'webhook', runId: null, reason: 'filtered', words: 'Its filter left it out.' }
      expect(await scene.firings()).toMatchObject([leftOut])
      expect(await scene.call()).toMatchObject({ status: 200, body: '{"isIgnored":true}' })
      expect(await scene.firings()).toMatchObject([leftOut, leftOut])
      expect((await scene.call({ id: 'msg_2', body: '{"order":8}' })).status).toBe(202)
      expect(await scene.runs()).toHaveLength(1)
    })

    it('make of a call what the run gets', async () => {
      const input = '{ "body": event.payload.body, "by": event.payload.method & " " & event.name }'
      const scene = await published({ input })
      await scene.call()
      expect(await inputs(scene)).toEqual([{ body: { order: 7 }, by: 'POST orders' }])
      const fixed = await published({ input: { body: { order: 1 } } })
      await fixed.call()
      expect(await inputs(fixed)).toEqual([{ body: { order: 1 } }])
    })

    it('say why nothing started where they fail, once', async () => {
      const scene = await published({ filter: '$error("no idea")' })
      expect(await scene.call()).toMatchObject({ status: 422 })
      expect(await scene.call({ signedAt: 5 })).toMatchObject({ status: 422 })
      expect(await scene.firings()).toMatchObject([{ runId: null, reason: 'expression_failed' }])
      const failing = await published({ input: '$error("no idea")' })
      expect((await failing.call()).status).toBe(422)
      expect(await failing.firings()).toMatchObject([{ reason: 'expression_failed' }])
    })

    it('hold for a captured call that is sent again', async () => {
      const scene = await published({ filter: { body: { order: 8 } }, input: 'event.payload.body' })
      const { webhooks } = scene.engine
      await scene.within(webhooks.openTest({ name, parameters: null, forMs }))
      await scene.capture()
      await scene.pass(10)
      await scene.capture(scene.callOf({ id: 'msg_2', body: '{"order":8}' }))
      const [wanted, other] = await captured(scene)
      expect([wanted?.outcome.kind, other?.outcome.kind]).toEqual(['starts', 'ignored'])
      const resend = (id = '') => scene.within(webhooks.resend({ captureId: id, by: null }))
      expect(await resend(other?.id)).toMatchObject({ runId: null, reason: 'filtered' })
      expect(await resend(wanted?.id)).toMatchObject({ reason: null })
      expect(await inputs(scene)).toEqual([{ order: 8 }])
    })
  })
}
