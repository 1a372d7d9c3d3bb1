/** What people ask and say about triggers, on one kind of store. */

import { describe, expect, it } from 'vitest'
import { eventPrefix, readEventRecord } from '../../../../src-engine/model/event-record.ts'
import { day, minute, second } from '../../../../src-engine/model/time.ts'
import type { TriggerName } from '../../../../src-engine/model/trigger.ts'
import type { TriggerDesk } from '../../../../src-engine/runtime/triggers/trigger-desk.ts'
import type { TriggerScene } from './trigger-scene.ts'
import { cron, onEvent, withTriggers } from './trigger-scene.ts'

export function deskSuite(name: string, open: () => Promise<TriggerScene>): void {
  describe(`triggers and people on ${name}`, () => {
    const began = async (triggers: Parameters<typeof withTriggers>[0]) => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers(triggers))
      const ask = <Method extends keyof TriggerDesk>(
        method: Method,
        input: Parameters<TriggerDesk[Method]>[0],
      ): ReturnType<TriggerDesk[Method]> => {
        const [engine] = scene.engines
        if (engine === undefined) throw new Error('there is no engine')
        // The method takes this input: it is the method's own.
        const asking = engine.triggers[method] as (given: typeof input) => ReturnType<TriggerDesk[Method]>
        return scene.within(asking(input)) as ReturnType<TriggerDesk[Method]>
      }
      return { scene, ask }
    }
    const t = { workflowId: 'w', triggerId: 't' } as TriggerName

    it('one that was switched off starts nothing, stays off when published again, and goes on from when it is on', async () => {
      const { scene, ask } = await began({ t: cron('* * * * *', { overlap: 'allow' }) })
      await scene.until('00:17:30')
      expect((await ask('triggers.switch', { ...t, on: false })).trigger).toMatchObject({
        on: false,
        nextAt: null,
      })
      await scene.publish(withTriggers({ t: cron('* * * * *', { overlap: 'allow' }) }))
      await scene.until('00:20:30')
      expect((await ask('triggers.list', { workflowId: null })).triggers).toMatchObject([{ on: false }])
      await ask('triggers.switch', { ...t, on: true })
      await scene.until('00:22:30')
      expect(await scene.told()).toEqual(['00:17', '00:21', '00:22'])
    })

    it('firing by hand starts a run and uses up no slot', async () => {
      const { scene, ask } = await began({ t: cron('20 0 * * *') })
      const { firing } = await ask('triggers.fire', { ...t, input: { n: 1 }, by: 'Ada' })
      expect(firing).toMatchObject({ sources: [{ kind: 'hand', by: 'Ada' }], slots: null, reason: null })
      expect(await scene.inputs()).toEqual([{ n: 1 }])
      expect((await ask('triggers.show', t)).trigger).toMatchObject({
        nextAt: 20 * minute,
        lastFired: { firingId: firing.id, runId: firing.runId },
      })
      await scene.until('00:20:30')
      expect(await scene.told()).toEqual(['started', '00:20'])
    })

    it('a run tells why it began, an event what it met, both ways', async () => {
      const { scene, ask } = await began({ t: onEvent('paid') })
      await scene.emit('paid', { order: 7 })
      await scene.pass(second)
      const [run] = await scene.triggered()
      if (run === undefined) throw new Error('no run began')
      const { firing, events } = await ask('triggers.why', { runId: run.id })
      expect(firing).toMatchObject({ runId: run.id, triggerId: 't' })
      const [event] = events
      expect(event).toMatchObject({ name: 'paid', met: [{ triggerId: 't', firingId: firing?.id }] })
      const shown = await ask('events.show', { eventId: event?.id ?? '' })
      expect(shown).toMatchObject({ payload: { order: 7 }, firings: [{ id: firing?.id }] })
      const page = { after: null, limit: 5 }
      expect((await ask('events.list', page)).events).toEqual([event])
      const all = { workflowId: null, triggerId: null, ...page }
      expect((await ask('triggers.firings', all)).firings).toEqual([firing])
      expect((await ask('triggers.firings', { ...all, triggerId: 'other' })).firings).toEqual([])
      const byHand = await scene.start(withTriggers({}))
      expect((await ask('triggers.why', { runId: byHand })).firing).toBeNull()
    })

    it('what it waits with can be dropped', async () => {
      const { scene, ask } = await began({ t: onEvent('a', { batchMax: 3 }) })
      await scene.emit('a', { n: 1 })
      expect((await ask('triggers.show', t)).trigger.waiting).toHaveLength(1)
      expect((await ask('triggers.clear', t)).dropped).toBe(1)
      for (const n of [2, 3, 4]) await scene.emit('a', { n })
      await scene.pass(2 * second)
      const [input] = await scene.inputs()
      expect((input as { events: { payload: unknown }[] }).events.map(({ payload }) => payload)).toEqual([
        { n: 2 },
        { n: 3 },
        { n: 4 },
      ])
    })

    it('what isn’t there is told', async () => {
      const { ask } = await began({})
      await expect(ask('triggers.show', t)).rejects.toMatchObject({ code: 'trigger_not_found' })
      await expect(ask('events.show', { eventId: 'x' })).rejects.toMatchObject({ code: 'event_not_found' })
      await expect(ask('triggers.why', { runId: 'x' as never })).rejects.toMatchObject({
        code: 'run_not_found',
      })
    })
  })

  describe(`records of triggers on ${name}`, () => {
    const kept = async (settings: Parameters<TriggerScene['launchAll']>[1]) => {
      const scene = await open()
      await scene.launchAll(1, settings)
      await scene.publish(withTriggers({ t: onEvent('a') }))
      for (const n of [1, 2, 3]) {
        await scene.emit('a', { n })
        await scene.pass(minute)
      }
      const [engine] = scene.engines
      const prune = async () => {
        if (engine !== undefined) await scene.within(engine.pruner.prune())
      }
      const events = async () => {
        const query = { filter: { prefix: eventPrefix }, page: { after: null, limit: 9 } }
        return (await scene.store.list(0, 'registers', query)).map(
          ({ value }) => readEventRecord(value)?.name,
        )
      }
      return { scene, prune, events }
    }

    it('go by number, oldest first, and never when they are to stay [P47]', async () => {
      const few = await kept({ triggerRunMaxRecords: 2, eventMaxRecords: 1 })
      await few.prune()
      expect(await few.scene.firings()).toHaveLength(2)
      expect(await few.events()).toEqual(['a'])
      const off = await kept({ triggerRunMaxRecords: 2, eventAutoPurgeEnabled: false })
      await off.prune()
      expect(await off.scene.firings()).toHaveLength(3)
    })

    it('go by age, and what is younger stays [P47]', async () => {
      const { scene, prune } = await kept({ eventRetentionMs: 2 * day })
      await prune()
      expect(await scene.firings()).toHaveLength(3)
      scene.world.now += 2 * day - 90 * second
      await prune()
      expect(await scene.firings()).toHaveLength(1)
    })
  })
}
