/** Triggers that are made of others, on one kind of store. */

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { day, minute, second } from '../../../../src-engine/model/time.ts'
import type { TriggerName } from '../../../../src-engine/model/trigger.ts'
import type { WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import { afterRun } from './run-suite.ts'
import type { TriggerScene, Triggers } from './trigger-scene.ts'
import { cron, onEvent, withTriggers } from './trigger-scene.ts'

/** All of the named triggers, unless told otherwise. */
const all = (conditions: readonly string[], parameters: JsonObject = {}): WorkflowTrigger => ({
  kind: 'composite',
  parameters: { conditions: [...conditions], ...parameters },
})

const pair: Triggers = { a: onEvent('a'), b: onEvent('b'), both: all(['a', 'b']) }

export function compositeSuite(name: string, open: () => Promise<TriggerScene>): void {
  describe(`composite triggers on ${name}`, () => {
    const began = async (triggers: Triggers, engines = 1): Promise<TriggerScene> => {
      const scene = await open()
      await scene.launchAll(engines)
      await scene.publish(withTriggers(triggers, { id: 'l' }))
      return scene
    }
    const short = async (scene: TriggerScene) =>
      (await scene.firings()).map(({ triggerId, reason }) => `${triggerId} ${reason ?? 'started'}`)
    const composite = async (scene: TriggerScene, id = 'both') => {
      const [engine] = scene.engines
      if (engine === undefined) throw new Error('there is no engine')
      const asked = { workflowId: 'l', triggerId: id } as TriggerName
      const { trigger, standing } = await scene.within(engine.triggers['triggers.show'](asked))
      return { ...trigger, standing }
    }

    it('all of them start one run with what each carries, in whatever order they come [P42]', async () => {
      const scene = await began(pair)
      await scene.emit('b', { n: 1 })
      await scene.pass(second)
      expect(await composite(scene)).toMatchObject({
        missing: ['a'],
        waiting: [{ source: { triggerId: 'b' } }],
      })
      expect(await scene.triggered()).toEqual([])
      await scene.emit('a', { n: 2 })
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ a: { n: 2 }, b: { n: 1 } }])
      expect(await composite(scene)).toMatchObject({ missing: ['a', 'b'], waiting: [], firedCount: 1 })
      await scene.pass(2 * minute)
      expect(await scene.triggered()).toHaveLength(1)
      expect((await short(scene)).toSorted()).toEqual(['a condition', 'b condition', 'both started'])
    })

    it('each that was met counts once: none is lost, and none starts a second run', async () => {
      const scene = await began(pair)
      for (const n of [1, 2, 3]) await scene.emit('a', { n })
      for (const n of [1, 2]) await scene.emit('b', { n })
      await scene.pass(2 * minute)
      expect(await composite(scene)).toMatchObject({ missing: ['b'], waiting: [{}] })
      await scene.emit('b', { n: 3 })
      await scene.pass(2 * minute)
      const inputs = await scene.inputs()
      expect(inputs).toEqual([1, 2, 3].map((n) => ({ a: { n }, b: { n } })))
    })

    it('any of them starts a run of its own, with what that one carries [P43]', async () => {
      const either = all(['a', 'b'], { mode: 'any' })
      const scene = await began({ a: onEvent('a'), b: onEvent('b', { filter: { n: 2 } }), either })
      await scene.emit('a', { n: 1 })
      await scene.emit('b', { n: 1 })
      await scene.emit('b', { n: 2 })
      await scene.emit('a', { n: 3 })
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
      const words = (await scene.firings()).flatMap((firing) => (firing.runId === null ? [] : [firing.words]))
      expect(words.toSorted()).toEqual(['a', 'a', 'b'].map((id) => `Its condition “${id}” was met.`))
    })

    it('slots, events and ends of runs come together', async () => {
      const scene = await began({
        slot: cron('20 0 * * *', { input: { fixed: true } }),
        told: onEvent('told'),
        ended: afterRun(),
        three: all(['slot', 'told', 'ended']),
      })
      await scene.emit('told', { n: 1 })
      const id = await scene.start(withTriggers({}))
      await scene.pass(0)
      await scene.end()
      await scene.pass(2 * second)
      expect((await composite(scene, 'three')).missing).toEqual(['slot'])
      await scene.until('00:20:10')
      const inputs = await scene.inputs()
      expect(inputs).toMatchObject([
        { slot: { fixed: true }, told: { n: 1 }, ended: { runId: id, status: 'SUCCEEDED' } },
      ])
      expect(inputs).toHaveLength(1)
    })

    it('what two share counts once for each of them', async () => {
      const scene = await began({ ...pair, c: onEvent('c'), other: all(['a', 'c']) })
      await scene.emit('a', { n: 1 })
      await scene.emit('b', { n: 2 })
      await scene.pass(5 * minute)
      expect((await short(scene)).toSorted()).toEqual(['a condition', 'b condition', 'both started'])
      await scene.emit('b', { n: 3 })
      await scene.emit('c', { n: 4 })
      await scene.pass(5 * minute)
      expect(await scene.inputs()).toEqual([
        { a: { n: 1 }, b: { n: 2 } },
        { a: { n: 1 }, c: { n: 4 } },
      ])
      const shared = (await scene.firings()).find(({ triggerId }) => triggerId === 'a')
      expect(shared?.conditionOf.map(({ triggerId }) => triggerId).toSorted()).toEqual(['both', 'other'])
      expect(shared?.conditionOf.every(({ firingId }) => firingId !== null)).toBe(true)
    })

    it('whoever dies with the last condition, or as the run starts, loses none and doubles none', async () => {
      for (const fits of ['condition', 'start'] as const) {
        const scene = await began(pair, 3)
        await scene.emit('a', { n: 1 })
        await scene.pass(second)
        scene.dieAfter(0, ({ writes }) =>
          fits === 'start'
            ? writes.run?.cause.kind === 'trigger:composite'
            : writes.registers.some(({ value }) => JSON.stringify(value).includes('"reason":"condition"')),
        )
        const [engine] = scene.engines
        const event = { name: 'b', payload: { n: 2 }, messageId: null, correlation: null, runId: null }
        void engine?.emitEvent(event).catch(() => {})
        await scene.pass(6 * minute)
        expect(scene.processes[0]?.alive).toBe(false)
        expect(await scene.inputs()).toEqual([{ a: { n: 1 }, b: { n: 2 } }])
        expect((await scene.firings()).filter(({ triggerId }) => triggerId === 'both')).toHaveLength(1)
      }
    })

    it('many at once, told to several processes, are paired without rest', async () => {
      const scene = await began(pair, 3)
      const told = Array.from({ length: 12 }, async (_, n) => {
        const event = { name: n % 2 === 0 ? 'a' : 'b', payload: { n }, messageId: null, correlation: null }
        await scene.engines[n % 3]?.emitEvent({ ...event, runId: null })
      })
      await scene.within(Promise.all(told))
      await scene.pass(5 * minute)
      const inputs = (await scene.inputs()) as readonly { a: { n: number }; b: { n: number } }[]
      const seen = inputs.flatMap(({ a, b }) => [a.n, b.n])
      expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, n) => n))
    })

    it('what waits alone for too long is dropped, and that is told', async () => {
      const scene = await began({ ...pair, both: all(['a', 'b'], { expiresMs: 5 * minute }) })
      await scene.emit('a', { n: 1 })
      await scene.pass(4 * minute)
      expect((await composite(scene)).waiting).toHaveLength(1)
      await scene.pass(2 * minute)
      expect(await composite(scene)).toMatchObject({ waiting: [], lastSkip: { reason: 'expired' } })
      await scene.emit('b', { n: 2 })
      await scene.emit('a', { n: 3 })
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ a: { n: 3 }, b: { n: 2 } }])
      const first = (await scene.firings()).find(({ triggerId }) => triggerId === 'a')
      const over = (await scene.firings()).find(({ reason }) => reason === 'expired')
      expect(first?.conditionOf).toEqual([{ triggerId: 'both', firingId: over?.id }])
      expect(over?.words).toBe('“a” waited for the other conditions for too long.')
    })

    it('the newest takes the place of the one before, where that is wanted', async () => {
      const scene = await began({ ...pair, both: all(['a', 'b'], { keep: 'newest' }) })
      for (const n of [1, 2, 3]) await scene.emit('a', { n })
      await scene.emit('b', { n: 4 })
      await scene.emit('b', { n: 5 })
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ a: { n: 3 }, b: { n: 4 } }])
    })

    it('what waits is kept over a restart and a publication, and can be dropped by hand [P42] [P46]', async () => {
      const filter = { order: { kind: 'book' } }
      const scene = await began({ ...pair, a: onEvent('a', { filter }) }, 2)
      await scene.emit('a', { order: { kind: 'book', n: 1 } })
      await scene.pass(second)
      scene.processes[0]?.die()
      scene.engines.shift()
      await scene.publish(withTriggers({ ...pair, a: onEvent('a', { filter }) }, { id: 'l', title: 'New' }))
      await scene.emit('a', { order: { kind: 'pen' } })
      await scene.emit('b', { n: 2 })
      await scene.pass(4 * minute)
      expect(await scene.inputs()).toEqual([{ a: { order: { kind: 'book', n: 1 } }, b: { n: 2 } }])
      await scene.emit('b', { n: 3 })
      const [engine] = scene.engines
      const name = { workflowId: 'l', triggerId: 'both' } as TriggerName
      const cleared = await scene.within(
        engine?.triggers['triggers.clear'](name) ?? Promise.reject(new Error()),
      )
      expect(cleared).toMatchObject({ dropped: 1, trigger: { missing: ['a', 'b'] } })
      await scene.emit('a', { order: { kind: 'book', n: 4 } })
      await scene.pass(second)
      expect(await scene.triggered()).toHaveLength(1)
    })

    it('a run tells which conditions started it, and what led to these', async () => {
      const scene = await began(pair)
      await scene.emit('a', { n: 1 })
      await scene.emit('b', { n: 2 })
      await scene.pass(second)
      const [run] = await scene.triggered()
      const [engine] = scene.engines
      if (run === undefined || engine === undefined) throw new Error('no run began')
      const why = await scene.within(engine.triggers['triggers.why']({ runId: run.id }))
      expect(why.firing).toMatchObject({ triggerId: 'both', words: 'All of its conditions were met.' })
      expect(why.conditions.map(({ triggerId }) => triggerId)).toEqual(['a', 'b'])
      expect(why.events.map(({ name: told }) => told)).toEqual(['a', 'b'])
      expect(why.conditions.map(({ conditionOf: [use] }) => use?.firingId)).toEqual([
        why.firing?.id,
        why.firing?.id,
      ])
    })

    it('one that is off takes nothing, and what is met meanwhile says so', async () => {
      const scene = await began(pair)
      const [engine] = scene.engines
      const name = { workflowId: 'l', triggerId: 'both' } as TriggerName
      if (engine === undefined) throw new Error('there is no engine')
      await scene.within(engine.triggers['triggers.switch']({ ...name, on: false }))
      await scene.emit('a', { n: 1 })
      await scene.within(engine.triggers['triggers.switch']({ ...name, on: true }))
      await scene.emit('b', { n: 2 })
      await scene.pass(second)
      expect(await scene.triggered()).toEqual([])
      const first = (await scene.firings()).find(({ triggerId }) => triggerId === 'a')
      expect(first?.words).toContain('which is off')
    })

    it('what waits outlives the records of its time', async () => {
      const scene = await began(pair)
      await scene.emit('a', { n: 1 })
      await scene.pass(second)
      scene.world.now += 30 * day
      const [engine] = scene.engines
      if (engine !== undefined) await scene.within(engine.pruner.prune())
      await scene.emit('b', { n: 2 })
      await scene.pass(second)
      expect(await scene.inputs()).toEqual([{ a: { n: 1 }, b: { n: 2 } }])
    })
  })
}
