/** Events that say the same twice: their keys, on each store and over crashes. */

import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { day } from '../../../../src-engine/model/time.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { firingPrefix, readFiring } from '../../../../src-engine/model/trigger.ts'
import { createSeededRandom } from '../../../../src-engine/runtime/seeded-random.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: KeyScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const page = { after: null, limit: 200 }
const keyed = (parameters: JsonObject = {}) => ({
  kind: 'event',
  parameters: { name: 'paid', key: 'event.payload.order', keyMs: 60_000, ...parameters },
})

class KeyScene extends FlowScene {
  constructor(store: Store) {
    super(store)
    this.chores = true
  }

  async publish(triggers: JsonObject): Promise<void> {
    const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers })
    await this.within(this.engine.publishing.publish({ document, baseDirectory: null }))
  }

  /** Durable once it resolves, unless the process dies before. */
  emit(payload: JsonValue): Promise<unknown> {
    const told = { messageId: null, correlation: null, runId: null }
    return this.engine.emitEvent({ name: 'paid', payload, ...told })
  }

  async inputs(): Promise<readonly JsonValue[]> {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const runs = await this.store.list(0, 'runs', { filter, page })
    return runs.flatMap(({ cause, input }) =>
      cause.kind === 'trigger:event' && input.kind === 'inline' ? [JSON.parse(input.json) as JsonValue] : [],
    )
  }

  async firings(): Promise<readonly FiringRecord[]> {
    const kept = await this.store.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
    return kept.flatMap(({ value }) => readFiring(value) ?? [])
  }

  async keys(): Promise<number> {
    return (await this.store.list(0, 'registers', { filter: { prefix: 'trigger-key/' }, page })).length
  }
}

for (const [name, open] of Object.entries(sceneStores)) {
  const played = async (triggers: JsonObject): Promise<KeyScene> => {
    const scene = new KeyScene(await open())
    scenes.push(scene)
    await scene.launch()
    await scene.publish(triggers)
    return scene
  }
  const ordersOf = (inputs: readonly JsonValue[]): readonly string[] =>
    inputs
      .map((input) => {
        const { order, events } = input as { order?: number; events?: { payload: { order: number } }[] }
        const orders = events?.map(({ payload }) => payload.order) ?? [order]
        return orders.toSorted((a, b) => Number(a) - Number(b)).join('+')
      })
      .toSorted()

  describe(`keys of events on ${name}`, () => {
    test('the first one counts, for as long as its key is known; what has no key always does', async () => {
      const scene = await played({ t: keyed() })
      for (const order of [7, 7, 8, null, null]) {
        await scene.within(scene.emit({ order }))
        await scene.pass(2_000)
      }
      expect(ordersOf(await scene.inputs())).toEqual(['', '', '7', '8'])
      const repeats = (await scene.firings()).filter(({ reason }) => reason === 'repeated')
      expect(repeats.map(({ words }) => words)).toEqual([
        expect.stringMatching(/^One with the same key came at 1970-/),
      ])
      await scene.pass(120_000)
      expect(await scene.keys()).toBe(0)
      await scene.within(scene.emit({ order: 7 }))
      await scene.pass(2_000)
      expect(ordersOf(await scene.inputs())).toEqual(['', '', '7', '7', '8'])
    })

    test('of many at the same time one counts, alone or in a batch', async () => {
      const scene = await played({ single: keyed(), batch: keyed({ batchMax: 2 }) })
      await scene.within(Promise.all([1, 2, 3, 4, 5].map(() => scene.emit({ order: 7 }))))
      await scene.within(scene.emit({ order: 8 }))
      await scene.pass(30_000)
      expect(ordersOf(await scene.inputs())).toEqual(['7', '7+8', '8'])
    })

    test('a key that is another value is another key; one that fails is told', async () => {
      const scene = await played({ t: keyed(), broken: keyed({ key: '$error("no key")' }) })
      for (const order of [7, '7', { id: 7 }, { id: 7 }]) await scene.within(scene.emit({ order }))
      await scene.pass(5_000)
      expect(await scene.inputs()).toHaveLength(3)
      const failed = (await scene.firings()).filter(({ triggerId }) => triggerId === 'broken')
      expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['expression_failed']))
      expect(failed[0]?.words).toContain('The expression for its key failed')
    })

    test('each key starts one run over crashes at any moment', async () => {
      for (let seed = 1; seed <= 6; seed += 1) {
        const random = createSeededRandom(String(seed))
        const pick = (count: number): number => Math.floor(random.next() * count)
        const scene = await played({ t: keyed({ keyMs: day }) })
        const told = new Set<number>()
        for (let n = 0; n < 24; n += 1) {
          const order = pick(8)
          const emitted = scene.emit({ order })
          emitted.then(
            () => told.add(order),
            () => undefined,
          )
          await scene.pass(pick(3) * 40)
          if (pick(4) > 0) continue
          scene.crash()
          await scene.pass(pick(30_000))
          await scene.launch()
        }
        await scene.pass(400_000)
        const orders = ordersOf(await scene.inputs())
        expect(new Set(orders).size, `seed ${seed}`).toBe(orders.length)
        for (const order of told) expect(orders, `seed ${seed}`).toContain(String(order))
      }
    })
  })
}
