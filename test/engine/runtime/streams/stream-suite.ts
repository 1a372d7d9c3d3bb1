/** Streams that triggers read: each entry is one run, over restarts, crashes and several readers, on each store. */

import { describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { DefinitionHash } from '../../../../src-engine/model/ids.ts'
import { createSeededRandom } from '../../../../src-engine/runtime/seeded-random.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import type { StreamScene } from './stream-scene.ts'

type OpenScene = () => Promise<StreamScene>

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => String(n))

/** What holds of streams on a store; `opened` gives a scene with a store of its own. */
/** `stories`: how often it is played with crashes at random moments; each store of a list may have a part of them. */
export function streamSuite(name: string, opened: OpenScene, { stories = 8 } = {}): void {
  const reading = async (parameters = {}): Promise<StreamScene> => {
    const scene = await opened()
    await scene.reader()
    await scene.publish(parameters)
    await scene.pass(5_000)
    return scene
  }

  describe(`streams on ${name}`, () => {
    it('starts a run for each entry that is added, at once and in their order, and acknowledges it', async () => {
      const scene = await reading()
      const ids = numbers(5).map((n) => scene.stream.add({ n }))
      await scene.pass(500)
      expect(await scene.told()).toEqual(numbers(5))
      expect(scene.stream.acknowledged).toEqual(ids)
      expect((await scene.inputs())[0]).toEqual({
        id: ids[0],
        at: new Date(Number(ids[0]?.split('-')[0])).toISOString(),
        fields: { n: '0' },
        stream: 'orders',
      })
      const [first] = ids
      const told = (await scene.firings()).find(({ words }) => words.includes(String(first)))
      expect(told).toMatchObject({
        words: `The entry ${first} of “orders” was added.`,
        sources: [{ kind: 'entry', stream: 'orders', first, last: first, count: 1 }],
      })
      await scene.pass(20_000)
      expect(await scene.standing()).toMatchObject({ code: null, open: 0 })
    })

    it.each([
      ['$', []],
      ['0', ['0', '1']],
    ])('a new group that begins after %s gets of what is there %j', async (startAt, expected) => {
      const scene = await opened()
      for (const n of numbers(2)) scene.stream.add({ n })
      await scene.reader()
      await scene.publish({ startAt })
      await scene.pass(5_000)
      expect(await scene.told()).toEqual(expected)
    })

    it('goes on where the group is when the trigger is changed, or was off', async () => {
      const scene = await reading()
      scene.stream.add({ n: 'a' })
      await scene.pass(5_000)
      await scene.publish({ filter: { fields: { n: 'c' } }, startAt: '0' })
      await scene.pass(5_000)
      const [trigger] = (await scene.within(scene.engine.triggers['triggers.list']({ workflowId: null })))
        .triggers
      if (trigger === undefined) throw new Error('there is no trigger')
      await scene.within(scene.engine.triggers['triggers.switch']({ ...trigger, on: false }))
      await scene.pass(10_000)
      expect(scene.stream.opened).toBe(0)
      for (const n of ['b', 'c']) scene.stream.add({ n })
      await scene.pass(10_000)
      expect(await scene.told()).toEqual(['a'])
      await scene.within(scene.engine.triggers['triggers.switch']({ ...trigger, on: true }))
      await scene.pass(10_000)
      expect(await scene.told()).toEqual(['a', 'c'])
      const reasons = (await scene.firings()).map(({ reason }) => reason)
      expect(reasons.filter((reason) => reason !== null)).toEqual(['filtered'])
      expect(scene.stream.pending()).toEqual([])
    })

    it('makes of an entry what the run gets, and says once why it can’t', async () => {
      const input =
        'event.payload.fields.n = "1" ? $error("no") : {"n": event.payload.fields.n, "of": event.name}'
      const scene = await reading({ input })
      for (const n of numbers(3)) scene.stream.add({ n })
      await scene.pass(60_000)
      expect(await scene.inputs()).toEqual([
        { n: '0', of: 'orders' },
        { n: '2', of: 'orders' },
      ])
      const reasons = (await scene.firings()).map(({ reason }) => reason)
      expect(reasons).toHaveLength(3)
      expect(reasons.filter((reason) => reason !== null)).toEqual(['expression_failed'])
      expect(scene.stream.pending()).toEqual([])
    })

    it('counts those with the same key once, for as long as a key is known', async () => {
      const scene = await reading({ key: 'event.payload.fields.order', keyMs: 60_000 })
      for (const [n, order] of ['7', '7', '8', ''].entries())
        scene.stream.add({ n: String(n), ...(order === '' ? {} : { order }) })
      await scene.pass(5_000)
      expect(await scene.told()).toEqual(['0', '2', '3'])
      expect((await scene.firings()).filter(({ reason }) => reason === 'repeated')).toHaveLength(1)
      await scene.pass(60_000)
      scene.stream.add({ n: '4', order: '7' })
      await scene.pass(5_000)
      expect(await scene.told()).toEqual(['0', '2', '3', '4'])
      expect(scene.stream.pending()).toEqual([])
    })

    it('has entries start a run together: as many as are wanted, or those that came in time', async () => {
      const scene = await reading({ batchMax: 3, batchMs: 10_000 })
      for (const n of numbers(4)) scene.stream.add({ n })
      await scene.pass(1_000)
      expect(await scene.told()).toEqual(['0+1+2'])
      expect(scene.stream.pending()).toHaveLength(1)
      await scene.pass(8_000)
      expect(await scene.told()).toEqual(['0+1+2'])
      await scene.pass(3_000)
      expect(await scene.told()).toEqual(['0+1+2', '3'])
      expect(scene.stream.pending()).toEqual([])
      expect((await scene.firings()).at(-1)?.words).toMatch(/^3 entries of “orders” came together, from /)
    })

    it('within a batch too, the same counts once', async () => {
      const scene = await reading({ batchMax: 2, key: 'event.payload.fields.order' })
      for (const [n, order] of ['7', '7', '8'].entries()) scene.stream.add({ n: String(n), order })
      await scene.pass(1_000)
      expect(await scene.told()).toEqual(['0+2'])
      expect(scene.stream.pending()).toEqual([])
    })

    it('what a batch has gathered is gathered again after a crash', async () => {
      const scene = await reading({ batchMax: 3 })
      for (const n of numbers(2)) scene.stream.add({ n })
      await scene.pass(1_000)
      scene.crash()
      await scene.pass(20_000)
      await scene.reader()
      scene.stream.add({ n: '2' })
      await scene.pass(20_000)
      expect(await scene.told()).toEqual(['0+1+2'])
    })

    it('acknowledges only what succeeded, if asked to, and reads no more than may be pending', async () => {
      const scene = await opened()
      let isBroken = true
      scene.instead.set('noop', {
        execute: async () => {
          if (isBroken) throw new SagasmithError('task_failed', { message: 'broken' })
          return completed(null)
        },
      })
      await scene.reader()
      await scene.publish({ ack: 'succeeded', pendingMax: 2 })
      await scene.pass(5_000)
      const ids = numbers(3).map((n) => scene.stream.add({ n }))
      await scene.pass(20_000)
      expect((await scene.runs()).map(({ status }) => status)).toEqual(['FAILED', 'FAILED'])
      expect(scene.stream.acknowledged).toEqual([])
      const { code, open, words } = await scene.standing()
      expect([code, open]).toEqual(['stream_pending_full', 2])
      expect(words.join(' ')).toContain('2 of its entries wait for their runs to succeed')
      // Over a restart, nothing is started twice.
      scene.crash()
      await scene.pass(20_000)
      await scene.reader()
      await scene.pass(40_000)
      expect(await scene.told()).toEqual(['0', '1'])
      isBroken = false
      for (const { id: runId } of await scene.runs()) {
        const request = { runId, nodeId: null, input: null, version: 'same', document: null } as const
        await scene.within(scene.engine.retryRun({ ...request, by: null, reason: null }))
      }
      await scene.pass(20_000)
      expect(scene.stream.acknowledged).toEqual(ids)
      expect(await scene.told()).toEqual(numbers(3))
      expect(await scene.standing()).toMatchObject({ code: null, open: 0 })
    })

    it('never repeats, if asked to: the group is told before anything is done', async () => {
      const scene = await reading({ ack: 'before' })
      const id = scene.stream.add({ n: '0' })
      await scene.pass(1_000)
      expect(scene.stream.acknowledged).toEqual([id])
      expect(await scene.told()).toEqual(['0'])
      expect(await scene.standing()).toMatchObject({ open: 0 })
    })

    it('takes over what another program of the group has left for long enough', async () => {
      const scene = await reading({ claimIdleMs: 60_000 })
      const ids = numbers(2).map((n) => scene.stream.add({ n }))
      scene.stream.takeElsewhere('worker-1', 2)
      await scene.pass(30_000)
      expect(await scene.told()).toEqual([])
      await scene.pass(60_000)
      expect(await scene.told()).toEqual(numbers(2))
      expect(scene.stream.acknowledged).toEqual(ids)
    })

    it('leaves alone what others have, unless told to take it over', async () => {
      const scene = await reading()
      scene.stream.add({ n: '0' })
      scene.stream.takeElsewhere('worker-1', 1)
      await scene.pass(600_000)
      expect(await scene.told()).toEqual([])
      expect(scene.stream.pending()).toHaveLength(1)
    })

    it('what was trimmed away after it was handed out is acknowledged', async () => {
      const scene = await reading({ batchMax: 2 })
      const id = scene.stream.add({ n: '0' })
      await scene.pass(1_000)
      scene.crash()
      scene.stream.forget(id)
      await scene.pass(20_000)
      await scene.reader()
      await scene.pass(20_000)
      expect(scene.stream.pending()).toEqual([])
      expect(await scene.told()).toEqual([])
    })

    it('says why it isn’t read, asks less and less often, and goes on once the server is back', async () => {
      const scene = await reading()
      scene.stream.away = new SagasmithError('connection_failed', { message: 'redis.test: gone' })
      await scene.pass(30_000)
      const { code, words } = await scene.standing()
      expect(code).toBe('connection_failed')
      expect(words.join(' ')).toContain('redis.test: gone')
      await scene.pass(600_000)
      const before = scene.stream.asked
      await scene.pass(600_000)
      expect(scene.stream.asked - before).toBeLessThanOrEqual(20)
      scene.stream.away = null
      scene.stream.add({ n: 'late' })
      await scene.pass(70_000)
      expect(await scene.told()).toEqual(['late'])
      expect((await scene.standing()).code).toBe(null)
    })

    it('a runner that trusts only some definitions reads what is vouched for, and only where that leads', async () => {
      const scene = await opened()
      let approved: readonly DefinitionHash[] = []
      scene.trust = { policy: 'approved', read: async () => ({ approved, revoked: [], keys: [] }) }
      await scene.reader()
      await scene.publish({}, { capabilities: { hosts: ['redis.test'] } })
      await scene.pass(10_000)
      expect((await scene.standing()).code).toBe('definition_not_trusted')
      expect(scene.stream.places).toEqual([])
      const { triggers } = await scene.within(scene.engine.triggers['triggers.list']({ workflowId: null }))
      approved = triggers.map(({ definitionHash }) => definitionHash)
      await scene.pass(180_000)
      expect(scene.stream.places.at(-1)?.allowedHosts).toEqual(['redis.test'])
      expect((await scene.standing()).code).toBe(null)
    })

    it('one of several reads; when it is stopped the next one goes on at once', async () => {
      const scene = await opened()
      const first = await scene.reader()
      await scene.publish()
      await scene.pass(5_000)
      await scene.reader()
      await scene.reader()
      await scene.pass(20_000)
      expect(scene.stream.opened).toBe(1)
      for (const n of numbers(20)) scene.stream.add({ n })
      await scene.pass(5_000)
      expect(await scene.told()).toEqual(numbers(20))
      await scene.within(first.stop())
      scene.stream.add({ n: '20' })
      await scene.pass(10_000)
      expect(await scene.told()).toEqual(numbers(21))
    })

    it('ends with its trigger, and leaves nothing of it', async () => {
      const scene = await reading()
      scene.stream.add({ n: '0' })
      await scene.pass(10_000)
      await scene.publish({}, { triggers: {} })
      await scene.pass(10_000)
      expect(scene.stream.opened).toBe(0)
      const found = { filter: { prefix: 'stream-head/' }, page: { after: null, limit: 10 } }
      expect(await scene.store.list(0, 'registers', found)).toEqual([])
    })

    it('as a condition it starts what all conditions start', async () => {
      const scene = await opened()
      await scene.reader()
      const parameters = { host: 'redis.test', stream: 'orders', ack: 'succeeded' }
      await scene.publish(
        {},
        {
          triggers: {
            orders: { kind: 'redis-stream', parameters },
            paid: { kind: 'event', parameters: { name: 'paid' } },
            both: { kind: 'composite', parameters: { conditions: ['orders', 'paid'] } },
          },
        },
      )
      await scene.pass(5_000)
      scene.stream.add({ n: '0' })
      await scene.pass(5_000)
      expect(scene.stream.pending()).toEqual([])
      const emitted = { name: 'paid', payload: { p: 1 }, messageId: null, correlation: null, runId: null }
      await scene.within(scene.engine.emitEvent(emitted))
      await scene.pass(5_000)
      expect(await scene.inputs()).toMatchObject([{ orders: { fields: { n: '0' } }, paid: { p: 1 } }])
    })

    it.each(['recorded', 'succeeded'])(
      'loses and repeats no entry over crashes at any moment (%s)',
      async (ack) => {
        for (let seed = 1; seed <= stories; seed += 1) {
          const scene = await opened()
          const random = createSeededRandom(String(seed))
          const pick = (count: number): number => Math.floor(random.next() * count)
          const batch = seed % 2 === 0 ? {} : { batchMax: 3, batchMs: 1_000 }
          await scene.reader()
          await scene.publish({ ack, ...batch })
          await scene.pass(5_000)
          for (const n of numbers(20)) {
            scene.stream.add({ n })
            await scene.pass(pick(3) === 0 ? 0 : pick(1_500))
            if (pick(4) > 0) continue
            scene.crash()
            await scene.pass(pick(20_000))
            await scene.reader()
          }
          await scene.pass(120_000)
          const told = (await scene.told()).flatMap((one) => one.split('+'))
          const inOrder = (all: readonly string[]) => all.toSorted((a, b) => Number(a) - Number(b))
          expect(inOrder(told), `seed ${seed}`).toEqual(numbers(20))
          expect(scene.stream.pending(), `seed ${seed}`).toEqual([])
        }
      },
    )
  })
}
