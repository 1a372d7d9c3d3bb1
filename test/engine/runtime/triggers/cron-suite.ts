/** Schedules of published workflows on one kind of store: each slot is one run, or one skip with its reason. */

import { describe, expect, it } from 'vitest'
import { minute } from '../../../../src-engine/model/time.ts'
import { firingKey } from '../../../../src-engine/model/trigger.ts'
import type { TriggerScene } from './trigger-scene.ts'
import { cron, withTriggers } from './trigger-scene.ts'

const startedBy = (scene: TriggerScene) =>
  scene.triggered().then((runs) => runs.map(({ cause }) => cause.by ?? ''))

export function cronSuite(name: string, open: () => Promise<TriggerScene>): void {
  describe(`schedules on ${name}`, () => {
    it('a new one doesn’t fire at first sight; then each slot starts one run that names its record [P40]', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers({ t: cron('*/5 * * * *', { overlap: 'allow' }) }))
      await scene.until('00:19:59')
      expect(await scene.told()).toEqual([])
      await scene.until('00:31:00')
      expect(await scene.told()).toEqual(['00:20', '00:25', '00:30'])
      const firings = await scene.firings()
      const runs = await scene.triggered()
      expect(runs.map(({ id }) => id)).toEqual(firings.map(({ runId }) => runId))
      expect(runs.map(({ cause }) => cause.by)).toEqual(firings.map(({ id }) => id))
      expect(runs[0]).toMatchObject({ status: 'RUNNING', requestId: 'cron:w/t:1970-01-01T00:20:00.000Z' })
      const [trigger] = await scene.triggers()
      expect(trigger).toMatchObject({ firedCount: 3, skippedCount: 0, nextAt: 35 * minute })
      expect(trigger?.lastFired?.runId).toBe(runs.at(-1)?.id)
    })

    it('a changed one begins anew, one that is gone is never looked at again [P44] [P41]', async () => {
      const scene = await open()
      await scene.launchAll(1)
      const other = cron('0 * * * *')
      await scene.publish(withTriggers({ t: cron(), other }))
      await scene.until('00:18:30')
      expect(await scene.told()).toEqual(['00:17', '00:18 still_running'])
      await scene.publish(withTriggers({ t: cron('*/10 * * * *', { overlap: 'allow' }), other }))
      await scene.until('00:20:30')
      expect((await scene.told()).slice(2)).toEqual(['00:20'])
      const before = await scene.triggers()
      await scene.publish(withTriggers({ other }))
      expect((await scene.triggers()).map(({ triggerId }) => triggerId)).toEqual(['other'])
      expect((await scene.triggers())[0]).toEqual(before.find(({ triggerId }) => triggerId === 'other'))
      await scene.until('00:31:00')
      expect(await scene.told()).toHaveLength(3)
      expect((await scene.store.load(0, 'dueRegisters', { upTo: 0, limit: 0 })).nextAt).toBe(60 * minute)
    })

    it('publishing again changes nothing: no slot is lost, none comes twice [P41]', async () => {
      const scene = await open()
      await scene.launchAll(1)
      for (let minutes = 17; minutes < 22; minutes += 1) {
        await scene.publish(withTriggers({ t: cron('* * * * *', { overlap: 'allow' }) }))
        await scene.until(`00:${minutes}:30`)
      }
      expect(await scene.told()).toEqual(['00:17', '00:18', '00:19', '00:20', '00:21'])
    })

    it('two of the same expression, in one workflow or in two, are two [P40]', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers({ a: cron('20 0 * * *'), b: cron('20 0 * * *', { catchUpMax: 3 }) }))
      await scene.publish({ ...withTriggers({ a: cron('20 0 * * *') }), id: 'other' as never })
      await scene.until('00:20:30')
      const ids = (await scene.firings()).map(({ workflowId, triggerId }) => `${workflowId}/${triggerId}`)
      expect(ids.toSorted()).toEqual(['other/a', 'w/a', 'w/b'])
    })

    it('several runners start one run for each slot [P41]', async () => {
      const scene = await open()
      await scene.launchAll(3)
      await scene.publish(withTriggers({ t: cron('* * * * *', { overlap: 'allow' }) }), 1)
      await scene.until('00:27:30')
      expect(await scene.told()).toHaveLength(11)
      expect(new Set(await startedBy(scene)).size).toBe(11)
      expect(await scene.triggered()).toHaveLength(11)
    })

    it('whoever dies as a run starts leaves a run and its record, or neither [P41]', async () => {
      const scene = await open()
      await scene.launchAll(2)
      await scene.publish(withTriggers({ t: cron('*/2 * * * *', { overlap: 'allow' }) }))
      for (const engine of [0, 1]) {
        scene.dieAfter(engine, ({ writes }) => writes.run?.workflowId === 'w' && writes.run.version === 2)
      }
      await scene.until('00:20:30')
      // Both are dead by now, each after one start.
      await scene.until('00:25:30')
      await scene.launchAll(1)
      await scene.until('00:27:00')
      const told = await scene.told()
      expect(told.slice(0, 2)).toEqual(['00:18', '00:20'])
      expect(told.at(-1)).toBe('00:26')
      expect(new Set(told).size).toBe(told.length)
      for (const by of await startedBy(scene))
        expect(await scene.store.load(0, 'register', { key: firingKey(by) })).not.toBeNull()
    })
  })

  describe(`schedules on ${name} whose runs overlap`, () => {
    it('skip while the last run goes on, and say so', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers({ t: cron() }))
      await scene.until('00:18:30')
      await scene.end()
      await scene.until('00:19:30')
      expect(await scene.told()).toEqual(['00:17', '00:18 still_running', '00:19'])
      expect((await scene.triggers())[0]).toMatchObject({
        firedCount: 2,
        skippedCount: 1,
        lastSkip: { reason: 'still_running' },
      })
    })

    it('an interval is decided by the same function: each slot once, and what was missed is made up for', async () => {
      const scene = await open()
      await scene.launchAll(2)
      await scene.publish(withTriggers({ t: cron('@every 90s', { overlap: 'allow', catchUp: 'all' }) }))
      await scene.until('00:21:10')
      expect(await scene.told()).toEqual(['00:18', '00:19', '00:21'])
      expect((await scene.triggers())[0]?.nextAt).toBe(Date.parse('1970-01-01T00:22:30Z'))
    })

    it('start beside the last run', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers({ t: cron('* * * * *', { overlap: 'allow' }) }))
      await scene.until('00:19:30')
      expect(scene.atWork.filter(({ nodeId }) => nodeId === 'a')).toHaveLength(3)
    })

    it('queue behind the last run, in order, and start by themselves', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers({ t: cron('* * * * *', { overlap: 'queue' }) }))
      await scene.until('00:19:30')
      const [first, second, third] = await scene.triggered()
      expect([first?.status, second?.status, third?.status]).toEqual(['RUNNING', 'CREATED', 'CREATED'])
      await scene.end()
      await scene.pass(1_000)
      expect(scene.atWork.map(({ runId }) => runId)).toEqual([second?.id])
      await scene.end()
      await scene.pass(1_000)
      expect(scene.atWork.map(({ runId }) => runId)).toEqual([third?.id])
      expect(await scene.told()).toEqual(['00:17', '00:18', '00:19'])
    })

    it('cancel the last run and start when it has ended', async () => {
      const scene = await open()
      await scene.launchAll(1)
      await scene.publish(withTriggers({ t: cron('* * * * *', { overlap: 'cancel-running' }) }))
      await scene.until('00:18:30')
      const [first, second] = await scene.triggered()
      expect([first?.status, second?.status]).toEqual(['CANCELLED', 'RUNNING'])
      expect(scene.atWork.map(({ runId }) => runId)).toEqual([second?.id])
    })
  })

  describe(`schedules on ${name} after nobody was there`, () => {
    const asleep = async (parameters: Record<string, string | number>): Promise<readonly string[]> => {
      const scene = await open()
      await scene.launchAll(1)
      const schedule = cron('*/5 * * * *', { overlap: 'allow', ...parameters })
      await scene.publish(withTriggers({ t: schedule }))
      await scene.within(scene.engines[0]?.stop() ?? Promise.resolve())
      await scene.until('01:01:30')
      await scene.launchAll(1)
      await scene.until('01:06:00')
      return scene.told()
    }

    it('make up for nothing', async () => {
      expect(await asleep({ catchUp: 'skip' })).toEqual(['00:20-01:00 missed', '01:05'])
    })

    it('make up for the newest once', async () => {
      expect(await asleep({})).toEqual(['00:20-00:55 too_many_missed', '01:00', '01:05'])
    })

    it('make up for as many as they may, within their window', async () => {
      const few = await asleep({ catchUp: 'all', catchUpMax: 3 })
      expect(few).toEqual(['00:20-00:45 too_many_missed', '00:50', '00:55', '01:00', '01:05'])
      const window = 20 * minute
      expect(await asleep({ catchUp: 'all', catchUpWindowMs: window })).toEqual([
        '00:20-00:40 outside_window',
        '00:45',
        '00:50',
        '00:55',
        '01:00',
        '01:05',
      ])
    })
  })
}
