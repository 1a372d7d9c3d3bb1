/** Steps that wait for web calls: early, late, repeated, refused and crashed ones, on each store. */

import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { InvocationId, RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { Engine } from '../../../../src-engine/runtime/engine.ts'
import { referencesOnly } from '../../../../src-engine/runtime/vault/attempt-secrets.ts'
import type { HttpAnswer } from '../../../../src-engine/triggers/webhook/answer-shape.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { FlowScene } from '../control-flow/flow-scene.ts'

const waiting = (parameters: JsonObject = {}): JsonObject => ({ kind: 'wait-webhook', parameters })
const delay = (minutes: number) => ({ kind: 'delay', parameters: { amount: minutes, unit: 'minutes' } })
const secretKey = 'right key'

interface Said {
  readonly body?: JsonValue
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly query?: string
}

/** What holds of them on a store; `opened` gives a scene with a store of its own. */
export function callbackSuite(store: string, opened: () => Promise<FlowScene>): void {
  describe(`calls of steps on ${store}`, () => {
    const scene = async (): Promise<FlowScene> => {
      const made = await opened()
      made.secrets = referencesOnly
      await made.launch()
      return made
    }
    const pending = (
      here: FlowScene,
      id: string,
      { by = here.engine, ...said }: Said & { readonly by?: Engine } = {},
    ): Promise<HttpAnswer> => {
      const text = said.text ?? JSON.stringify(said.body ?? { paid: true })
      const headers = { 'content-type': 'application/json', ...said.headers }
      const call = {
        ...{ id: 1, tokenHash: 'hash', method: said.method ?? 'POST', path: '', query: said.query ?? '' },
        ...{ headers, bodyBase64: Buffer.from(text).toString('base64'), remote: '10.0.0.9' },
      }
      return by.webhooks.answerCallback({ id: id as InvocationId, call }, async (name) =>
        name === 'CALLER' ? secretKey : null,
      )
    }
    const call = (here: FlowScene, id: string, said: Said = {}) => here.within(pending(here, id, said))
    const started = async (parameters: JsonObject = {}) => {
      const here = await scene()
      const run = await here.start({ nodes: { wait: waiting(parameters) } })
      await here.pass(100)
      return { here, run, id: `${run}/wait` }
    }
    const signalsOf = async (here: FlowScene, run: RunId) => (await here.run(run)).signals

    it('a parked step holds no slot and goes on with what was called', async () => {
      const { here, run, id } = await started({ answerStatus: 201, answerBody: '{"ok":true}' })
      expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
      expect((await here.run(run)).status).toBe('WAITING')
      const answer = await call(here, id, { body: { paid: 7 }, query: 'by=ada' })
      expect(answer).toMatchObject({ status: 201, body: '{"ok":true}' })
      expect(answer.headers['content-type']).toContain('application/json')
      await here.pass(100)
      expect(await here.outputOf(run)).toMatchObject({
        method: 'POST',
        query: { by: 'ada' },
        body: { paid: 7 },
      })
    })

    it('its address is known to the steps before it, and an early call is kept across a crash', async () => {
      const here = await scene()
      const told = { kind: 'transform', parameters: { expression: 'run.callbacks.wait' } }
      const nodes = { told, delay: delay(5), wait: waiting() }
      const edges = edgesOf('told>delay', 'delay>wait')
      const run = await here.start({ nodes, edges })
      await here.pass(100)
      const id = `${run}/wait`
      const records = await here.store.load(0, 'invocations', { runId: run })
      expect(records.find((record) => record.nodeId === 'told')?.output).toMatchObject({
        json: JSON.stringify(`https://hooks.test/${id}`),
      })
      expect((await call(here, id, { body: 'early' })).status).toBe(200)
      expect(await signalsOf(here, run)).toHaveLength(1)
      // Told again before the step has begun, it counts once; another call finds nobody who waits.
      expect((await call(here, id, { body: 'early' })).status).toBe(200)
      expect((await call(here, id, { body: 'other' })).status).toBe(410)
      here.crash()
      await here.launch()
      await here.pass(400_000)
      expect((await here.run(run)).status).toBe('SUCCEEDED')
      expect(await here.outputOf(run)).toMatchObject({ body: 'early' })
      expect(await signalsOf(here, run)).toEqual([])
      expect((await call(here, id, { body: 'early' })).status).toBe(200)
    })

    it('a message that comes again gets the same answer; another one after the end hears that nobody waits', async () => {
      const { here, run, id } = await started({ answerBody: 'Got it.' })
      const headers = { 'idempotency-key': 'm1' }
      const first = await call(here, id, { headers, body: 1 })
      expect(await call(here, id, { headers, body: 1 })).toEqual(first)
      await here.pass(100)
      expect((await here.run(run)).status).toBe('SUCCEEDED')
      expect(await call(here, id, { headers, body: 1 })).toEqual(first)
      expect((await call(here, id, { headers: { 'idempotency-key': 'm2' } })).status).toBe(410)
      expect((await call(here, `${run}/elsewhere`)).status).toBe(410)
      expect((await call(here, 'run_none/wait')).status).toBe(410)
    })

    it.each([1, 2])('of calls that come at a time one is taken, by %i processes', async (processes) => {
      const { here, run, id } = await started()
      while (here.engines.length < processes) await here.launch()
      const calls = [1, 2, 3, 4, 5].map((body) => {
        const by = here.engines[body % processes]
        return pending(here, id, by === undefined ? { body } : { body, by })
      })
      const answers = await here.within(Promise.all(calls))
      expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
        200, 410, 410, 410, 410,
      ])
      await here.pass(100)
      const taken = answers.findIndex(({ status }) => status === 200) + 1
      expect(await here.outputOf(run)).toMatchObject({ body: taken })
    })

    it('several calls are handed on as a list, whether they came early or at a time', async () => {
      const here = await scene()
      const nodes = { delay: delay(5), wait: waiting({ calls: 3 }) }
      const run = await here.start({ nodes, edges: edgesOf('delay>wait') })
      await here.pass(100)
      const id = `${run}/wait`
      await call(here, id, { body: 'a', headers: { 'webhook-id': 'm1' } })
      await call(here, id, { body: 'a', headers: { 'webhook-id': 'm1' } })
      await here.pass(400_000)
      expect(await here.statuses(run)).toMatchObject({ wait: 'WAITING' })
      const both = [pending(here, id, { body: 'same' }), pending(here, id, { body: 'same' })]
      expect((await here.within(Promise.all(both))).map(({ status }) => status)).toEqual([200, 200])
      await here.pass(100)
      const output = (await here.outputOf(run)) as readonly { readonly body: JsonValue }[]
      expect(output.map(({ body }) => body)).toEqual(['a', 'same', 'same'])
      expect((await call(here, id, { body: 'a', headers: { 'webhook-id': 'm1' } })).status).toBe(200)
      expect((await call(here, id, { body: 'fourth' })).status).toBe(410)
    })

    it('what comes too late goes by the timeout way or fails, and calls then find nobody', async () => {
      const here = await scene()
      const wait = waiting({ onTimeout: 'port', amount: 1, unit: 'hours' })
      const late = { kind: 'transform', parameters: { expression: '"late"' } }
      const run = await here.start({ nodes: { wait, late }, edges: edgesOf('wait:timeout>late') })
      const failing = await here.start({
        nodes: { wait: waiting({ onTimeout: 'fail', amount: 1, unit: 'hours' }) },
      })
      await here.pass(3_700_000)
      expect(await here.outputOf(run)).toBe('late')
      expect((await here.run(failing)).error).toMatchObject({ code: 'signal_timeout' })
      expect((await call(here, `${run}/wait`)).status).toBe(410)
    })

    it('what doesn’t fit is refused in words, and the step waits on', async () => {
      const schema = { type: 'object', required: ['paid'], properties: { paid: { type: 'boolean' } } }
      const { here, run, id } = await started({ check: 'schema', schema, maxBodyBytes: 40 })
      expect(await call(here, id, { body: {} })).toMatchObject({
        status: 422,
        body: expect.stringContaining('paid'),
      })
      expect((await call(here, id, { method: 'GET' })).status).toBe(405)
      expect((await call(here, id, { body: { paid: 'x'.repeat(50) } })).status).toBe(413)
      expect((await call(here, id, { text: '{' })).status).toBe(400)
      expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
      expect((await call(here, id)).status).toBe(200)
      const conditional = await started({ check: 'condition', condition: 'input.body.status = "paid"' })
      expect((await call(conditional.here, conditional.id, { body: { status: 'open' } })).status).toBe(422)
      expect((await call(conditional.here, conditional.id, { body: { status: 'paid' } })).status).toBe(200)
    })

    it('who doesn’t prove who they are hears the same, whatever was wrong', async () => {
      const secret = '{{ secrets.CALLER }}'
      const basic = `Basic ${Buffer.from(`ada:${secretKey}`).toString('base64')}`
      const mac = createHmac('sha256', secretKey).update('{"paid":true}').digest('hex')
      const cases: readonly (readonly [JsonObject, Readonly<Record<string, string>>])[] = [
        [{ kind: 'bearer', secret: '{{ secrets.CALLER }}' }, { authorization: 'Bearer right' }],
        [{ kind: 'basic', username: 'ada', secret }, { authorization: basic }],
        [{ kind: 'hmac', secret }, { 'x-signature': mac }],
      ]
      for (const [auth, headers] of cases) {
        const { here, run, id } = await started({ auth })
        const wrong = await call(here, id)
        expect(wrong).toMatchObject({ status: 401, body: 'This call is not believed.\n' })
        if (auth['kind'] === 'bearer') expect((await call(here, id, { headers })).status).toBe(401)
        const right = auth['kind'] === 'bearer' ? { authorization: 'Bearer right' } : headers
        if (auth['kind'] !== 'bearer') expect((await call(here, id, { headers: right })).status).toBe(200)
        await here.pass(100)
        if (auth['kind'] !== 'bearer') {
          const output = (await here.outputOf(run)) as { readonly headers: JsonObject }
          expect(JSON.stringify(output)).not.toContain(mac)
          expect(output.headers['authorization']).toBeUndefined()
        }
      }
    })

    it('a secret that isn’t there believes nobody', async () => {
      const { here, id } = await started({ auth: { kind: 'bearer', secret: '{{ secrets.GONE }}' } })
      expect((await call(here, id, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
    })

    it('where nobody listens it fails at once, and says so', async () => {
      const here = await scene()
      here.isListening = false
      const run = await here.start({ nodes: { wait: waiting() } })
      await here.pass(100)
      expect((await here.run(run)).error).toMatchObject({ code: 'callback_unreachable' })
    })

    it('a crash around the commit leaves the call taken once, or its caller told to repeat', async () => {
      for (const name of ['signal.before-commit', 'signal.after-commit'] as const) {
        const here = await scene()
        const run = await here.start({ nodes: { wait: waiting() } })
        await here.pass(100)
        await here.launch({ name, nth: (here.passed.get(name) ?? 0) + 1 })
        const id = `${run}/wait`
        // Whoever called hears nothing of a process that is gone.
        await here.settled(pending(here, id), () => here.isDead)
        expect(here.isDead).toBe(true)
        await here.launch()
        await here.pass(1_000)
        expect((await call(here, id)).status).toBe(200)
        await here.pass(1_000)
        expect((await here.run(run)).status).toBe('SUCCEEDED')
        expect(await here.outputOf(run)).toMatchObject({ body: { paid: true } })
      }
    })

    it('each item of a map has an address of its own; a paused step takes what came once it goes on', async () => {
      const here = await scene()
      const nodes = {
        each: { kind: 'map', parameters: { items: '[1, 2]' } },
        told: { kind: 'transform', parent: 'each', parameters: { expression: 'run.callbacks.wait' } },
        wait: { ...waiting(), parent: 'each' },
      }
      const run = await here.start({ nodes, edges: edgesOf('told>wait') })
      await here.pass(200)
      const told = (await here.store.load(0, 'invocations', { runId: run })).filter(
        (record) => record.nodeId === 'told',
      )
      expect(
        new Set(told.map(({ output }) => (output?.kind === 'inline' ? JSON.parse(output.json) : null))),
      ).toEqual(new Set([0, 1].map((index) => `https://hooks.test/${run}/wait@each:${index}`)))
      const control = { runId: run, nodeId: nodeId('wait'), by: null, reason: null, wait: false } as const
      await call(here, `${run}/wait@each:1`, { body: 'second' })
      await here.within(here.engine.controlRun({ ...control, action: 'pause' }))
      await call(here, `${run}/wait@each:0`, { body: 'first' })
      await here.pass(100)
      expect((await here.run(run)).status).not.toBe('SUCCEEDED')
      await here.within(here.engine.controlRun({ ...control, action: 'resume' }))
      await here.pass(200)
      const output = (await here.outputOf(run)) as readonly { readonly body: JsonValue }[]
      expect(output.map(({ body }) => body)).toEqual(['first', 'second'])
    })
  })
}
