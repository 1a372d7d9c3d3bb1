/** Events that start runs, on one kind of store. */

import { describe, expect, it } from 'vitest'
import { day, second } from '../../../../src-engine/model/time.ts'
import type { TriggerScene } from './trigger-scene.ts'
import { onEvent, withTriggers } from './trigger-scene.ts'

export function eventSuite(name: string, open: () => Promise<TriggerScene>): void {
  describe(`event triggers on ${name}`, () => {
    const started = async (): Promise<TriggerScene> => {
      const scene = await open()
      await scene.launchAll(1)
      return scene
    }

    it('each event starts a run of its own, with what it carries [P47]', async () => {
      const scene = await started()
      await scene.publish(withTriggers({ t: onEvent('order.paid') }))
      await Promise.all([1, 2, 3, 4, 5].map((order) => scene.emit('order.paid', { order })))
      await scene.emit('order.sent', { order: 6 })
      await scene.pass(second)
      const orders = (await scene.inputs()).map((input) => (input as { order: number }).order)
      expect(orders.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
      const [firing] = await scene.firings()
      const run = (await scene.triggered()).find(({ id }) => id === firing?.runId)
      expect(run?.cause).toMatchObject({ kind: 'trigger:event', by: firing?.id })
      expect(firing).toMatchObject({ depth: 1, reason: null })
    })

    it('names have stars, and payloads must have the fields that are named', async () => {
      const scene = await started()
      const filter = { order: { kind: 'book' } }
      await scene.publish(
        withTriggers({
          all: onEvent('order.*'),
          ends: onEvent('*.paid', { filter }),
          none: onEvent('order'),
        }),
      )
      await scene.emit('order.paid', { order: { kind: 'book', count: 2 } })
      await scene.emit('order.paid', { order: { kind: 'pen' } })
      await scene.emit('invoice.paid', { order: { kind: 'book' } })
      await scene.pass(second)
      const by = (await scene.firings()).map(({ triggerId, reason }) => `${triggerId} ${reason ?? 'started'}`)
      expect(by.toSorted()).toEqual([
        'all started',
        'all started',
        'ends filtered',
        'ends started',
        'ends started',
      ])
    })

    it('what came before it was published, or while it is gone, starts nothing [P44]', async () => {
      const scene = await started()
      await scene.emit('a')
      await scene.pass(second)
      await scene.publish(withTriggers({ t: onEvent('a') }))
      await scene.emit('a', { n: 1 })
      await scene.publish(withTriggers({}))
      await scene.emit('a', { n: 2 })
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ n: 1 }])
    })

    it('a repeat under the sender’s id starts nothing, long after it was delivered too', async () => {
      const scene = await started()
      await scene.publish(withTriggers({ t: onEvent('a') }))
      await scene.emit('a', { n: 1 }, 'mine')
      await scene.emit('a', { n: 2 }, 'mine')
      await scene.pass(11 * 60 * second)
      await scene.emit('a', { n: 3 }, 'mine')
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ n: 1 }])
      expect(await scene.firings()).toHaveLength(1)
    })

    it('whoever dies while an event is delivered loses none and doubles none', async () => {
      const scene = await open()
      await scene.launchAll(2)
      await scene.publish(withTriggers({ a: onEvent('a'), b: onEvent('a*') }))
      scene.dieAfter(0, ({ writes }) => writes.run?.cause.kind === 'trigger:event')
      const [engine] = scene.engines
      const emitted = engine?.emitEvent({
        name: 'a',
        payload: {},
        messageId: null,
        correlation: null,
        runId: null,
      })
      void emitted?.catch(() => {})
      await scene.pass(240 * second)
      expect(scene.processes[0]?.alive).toBe(false)
      expect((await scene.firings()).map(({ triggerId }) => triggerId).toSorted()).toEqual(['a', 'b'])
      expect(await scene.triggered()).toHaveLength(2)
    })

    it('a burst starts one run with its last event, a batch one with all of them', async () => {
      const scene = await started()
      const quiet = onEvent('a', { debounceMs: 5 * second })
      const batch = onEvent('a', { batchMax: 3, batchMs: 60 * second })
      await scene.publish(withTriggers({ quiet, batch }))
      for (const n of [1, 2, 3, 4]) await scene.emit('a', { n })
      await scene.pass(2 * second)
      const inputs = await scene.inputs()
      expect(inputs).toHaveLength(1)
      expect((inputs[0] as { events: { payload: unknown }[] }).events.map(({ payload }) => payload)).toEqual([
        { n: 1 },
        { n: 2 },
        { n: 3 },
      ])
      await scene.pass(10 * second)
      expect((await scene.inputs()).slice(1)).toEqual([{ n: 4 }])
      await scene.pass(60 * second)
      const [, , rest] = await scene.inputs()
      expect((rest as { events: { payload: unknown }[] }).events.map(({ payload }) => payload)).toEqual([
        { n: 4 },
      ])
      const sources = (await scene.firings()).map((firing) => firing.sources.length)
      expect(sources.toSorted((a, b) => a - b)).toEqual([1, 3, 4])
    })

    it('one at a time: others start nothing, wait in line, or have the last one end', async () => {
      for (const [overlap, statuses, told] of [
        ['allow', ['RUNNING', 'RUNNING', 'RUNNING'], ['started', 'started', 'started']],
        ['skip', ['RUNNING'], ['started', 'still_running', 'still_running']],
        ['queue', ['RUNNING', 'CREATED', 'CREATED'], ['started', 'started', 'started']],
        ['cancel-running', ['CANCELLED', 'CANCELLED', 'RUNNING'], ['started', 'started', 'started']],
      ] as const) {
        const scene = await started()
        await scene.publish(withTriggers({ t: onEvent('a', { overlap }) }))
        for (const n of [1, 2, 3]) {
          await scene.emit('a', { n })
          await scene.pass(20 * second)
        }
        expect(
          (await scene.triggered()).map(({ status }) => status),
          overlap,
        ).toEqual(statuses)
        expect(await scene.told(), overlap).toEqual(told)
        while (scene.atWork.length > 0) {
          await scene.end()
          await scene.pass(20 * second)
        }
        if (overlap === 'queue') expect((await scene.triggered()).at(-1)?.status).toBe('SUCCEEDED')
        await scene.emit('a', { n: 4 })
        await scene.pass(20 * second)
        expect((await scene.inputs()).at(-1), overlap).toEqual({ n: 4 })
        expect((await scene.triggered()).at(-1)?.status, overlap).toBe('RUNNING')
      }
    })

    it('several at the same instant are one, and so are batches', async () => {
      const scene = await started()
      const overlap = 'skip'
      await scene.publish(
        withTriggers({ t: onEvent('a', { overlap }), b: onEvent('b', { overlap, batchMax: 2 }) }),
      )
      await Promise.all([1, 2, 3, 4].map((n) => scene.emit('a', { n })))
      await scene.pass(60 * second)
      expect((await scene.told()).toSorted()).toEqual(['started', ...Array(3).fill('still_running')])
      for (const n of [1, 2, 3, 4]) {
        await scene.emit('b', { n })
        await scene.pass(5 * second)
      }
      const ofBatches = (await scene.firings()).filter(({ triggerId }) => triggerId === 'b')
      expect(ofBatches.map(({ reason }) => reason)).toEqual([null, 'still_running'])
    })

    it('a batch without a time starts with those that there are after a day, published again or not', async () => {
      const scene = await started()
      await scene.publish(withTriggers({ t: onEvent('a', { batchMax: 3 }) }))
      await scene.emit('a', { n: 1 })
      await scene.pass(60 * second)
      await scene.publish(withTriggers({ t: onEvent('a', { batchMax: 3 }) }, { title: 'New' }))
      await scene.emit('a', { n: 2 })
      scene.world.now += day - 120 * second
      await scene.pass(30 * second)
      expect(await scene.inputs()).toEqual([])
      await scene.pass(90 * second)
      const [input] = await scene.inputs()
      expect((input as { events: { payload: unknown }[] }).events.map(({ payload }) => payload)).toEqual([
        { n: 1 },
        { n: 2 },
      ])
    })
  })
}
