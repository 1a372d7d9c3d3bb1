/** Calls of published webhooks: who is believed, what starts, and what callers hear, on each store. */

import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { HttpAnswer } from '../../../../src-engine/triggers/webhook/answer-shape.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import type { CallScene } from './call-scene.ts'
import { key, name, signed, twoSteps } from './call-scene.ts'

const jsonOf = ({ body }: HttpAnswer): JsonObject => JSON.parse(body) as JsonObject

/** What holds of calls on a store; `opened` gives a scene with a store of its own. */
export function callSuite(store: string, opened: () => Promise<CallScene>): void {
  const published = async (
    parameters: JsonObject = { auth: signed },
    parts?: JsonObject,
  ): Promise<CallScene> => {
    const scene = await opened()
    await scene.launch()
    await scene.publish(parameters, parts)
    return scene
  }

  describe(`calls on ${store}`, () => {
    it('a believed one starts a run with what came, and its record names both', async () => {
      const scene = await published()
      const answer = await scene.call()
      expect(answer.status).toBe(202)
      const [run, ...others] = await scene.runs()
      expect(others).toEqual([])
      expect(jsonOf(answer)).toEqual({ runId: run?.id })
      const [firing] = await scene.firings()
      expect(run?.cause).toMatchObject({ kind: 'trigger:webhook', by: firing?.id })
      expect(firing).toMatchObject({
        runId: run?.id,
        sources: [{ kind: 'call', method: 'POST', path: 'orders', remote: '10.0.0.9' }],
      })
      expect(JSON.parse(run?.input.kind === 'inline' ? run.input.json : '')).toMatchObject({
        method: 'POST',
        body: { order: 7 },
      })
      await scene.pass(1_000)
      expect((await scene.runs())[0]?.status).toBe('SUCCEEDED')
    })

    it('a message that is sent again starts nothing again; the very call played again is refused', async () => {
      const scene = await published()
      const first = jsonOf(await scene.call())
      const again = await scene.call({ signedAt: 20 })
      expect(again.status).toBe(200)
      expect(jsonOf(again)).toEqual({ ...first, isDuplicate: true })
      expect((await scene.call()).status).toBe(409)
      expect((await scene.call({ signedAt: 20 })).status).toBe(409)
      expect(await scene.runs()).toHaveLength(1)
      expect(jsonOf(await scene.call({ id: 'msg_2' }))['runId']).not.toBe(first['runId'])
    })

    it('a message that several processes hear at a time starts one run', async () => {
      const scene = await published()
      await scene.launch()
      const sent = Array.from({ length: 12 }, (_, at) => ({ signedAt: at % 6 }))
      const answers = await scene.within(
        Promise.all(
          sent.map((one, at) =>
            scene.pending(one, new AbortController().signal, scene.engines[at % scene.engines.length]),
          ),
        ),
      )
      expect(await scene.runs()).toHaveLength(1)
      expect(await scene.firings()).toHaveLength(1)
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 202)).toHaveLength(1)
      expect(statuses.every((status) => [200, 202, 409, 503].includes(status))).toBe(true)
    })

    it.each([
      ['a wrong signature', { signature: 'v1,AAAA' }],
      ['a signature of long ago', { signedAt: -301 }],
      ['one from the future', { signedAt: 301 }],
      ['none', { signature: '' }],
    ])('refuses %s, starts nothing, and says the same of all', async (_, sent) => {
      const scene = await published()
      expect(await scene.call(sent)).toMatchObject({ status: 401, body: 'This call is not believed.\n' })
      expect(await scene.runs()).toEqual([])
      expect(await scene.firings()).toEqual([])
    })

    it('refuses everybody while its secret isn’t there', async () => {
      const scene = await published({ auth: { ...signed, secret: 'elsewhere' } })
      expect((await scene.call()).status).toBe(401)
      expect(await scene.runs()).toEqual([])
    })

    it('is nothing once it is off, or gone', async () => {
      const scene = await published()
      const document = documentOf(twoSteps)
      await scene.within(scene.engine.publishing.publish({ document, baseDirectory: null }))
      expect((await scene.call()).status).toBe(404)
      expect(await scene.within(scene.engine.webhooks.list())).toEqual([])
    })

    it('refuses what it can’t read, and what doesn’t fit the workflow’s form', async () => {
      const input = { type: 'object', required: ['body'], properties: { body: { type: 'string' } } }
      const scene = await published({ auth: signed }, { ...twoSteps, input })
      expect(await scene.call({ body: '{"order"' })).toMatchObject({
        status: 400,
        body: 'The body is no JSON.\n',
      })
      expect(await scene.runs()).toEqual([])
      const misfit = await scene.call({ id: 'msg_2' })
      expect(misfit.status).toBe(422)
      expect(await scene.firings()).toMatchObject([{ runId: null, reason: 'input_invalid' }])
      expect((await scene.call({ id: 'msg_3', body: 'hello', type: 'text/plain' })).status).toBe(202)
    })

    it('answers at the end with the run’s output, as the answer that it is', async () => {
      const scene = await published({ auth: signed, respond: { kind: 'end' } })
      expect(await scene.call()).toMatchObject({ status: 201, body: 'made' })
      // Sent again, it hears the same.
      expect(await scene.call({ signedAt: 9 })).toMatchObject({ status: 201, body: 'made' })
    })

    it('answers with the output of a step, before the run has ended', async () => {
      const waiting = {
        nodes: { ...twoSteps.nodes, last: { kind: 'delay', parameters: { amount: 10, unit: 'minutes' } } },
        edges: edgesOf('first>last'),
      }
      const scene = await published({ auth: signed, respond: { kind: 'node', node: 'first' } }, waiting)
      expect(await scene.call()).toMatchObject({ status: 200, body: '{"order":7}' })
      expect((await scene.runs())[0]?.status).not.toBe('SUCCEEDED')
    })

    it('tells who waits longer than it may the run’s id, and of a failed run why', async () => {
      const waiting = { nodes: { last: { kind: 'delay', parameters: { amount: 10, unit: 'minutes' } } } }
      const parameters = { auth: signed, respond: { kind: 'end' }, answerTimeoutMs: 5_000 }
      const late = await published(parameters, waiting)
      const answer = await late.call()
      expect(answer.status).toBe(202)
      expect(jsonOf(answer)).toEqual({ runId: (await late.runs())[0]?.id })
      const failing = {
        nodes: { last: { kind: 'stop', parameters: { status: 'failed', message: 'no stock' } } },
      }
      const failed = await published(parameters, failing)
      const told = await failed.call()
      expect(told.status).toBe(500)
      expect(jsonOf(told)).toMatchObject({ runId: (await failed.runs())[0]?.id })
      expect(jsonOf(told)['message']).toContain('no stock')
    })

    it('answers Slack’s question, and starts nothing for it', async () => {
      const scene = await published({ auth: { ...signed, kind: 'slack' } })
      const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
      const timestamp = Math.floor(scene.world.now / 1_000)
      const signature = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex')
      const call = {
        ...scene.callOf({ body }),
        headers: {
          'content-type': 'application/json',
          'x-slack-request-timestamp': String(timestamp),
          'x-slack-signature': `v0=${signature}`,
        },
      }
      const answering = scene.engine.webhooks.answer(
        { name, call, signal: new AbortController().signal },
        async () => key,
      )
      expect(await scene.within(answering)).toMatchObject({ status: 200, body: 'abc\n' })
      expect(await scene.runs()).toEqual([])
    })
  })
}
