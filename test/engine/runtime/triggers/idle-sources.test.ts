/** What listening for webhooks, watching folders and reading streams cost while there is nothing to listen to. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

/** The store with the number of its reads and commits. */
function counted(store: Store): { readonly store: Store; readonly asked: () => number } {
  let count = 0
  const counts = new Set(['load', 'list', 'commit'])
  return {
    asked: () => count,
    store: new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const call = member as (...given: unknown[]) => unknown
        return (...given: unknown[]) => {
          if (counts.has(String(name))) count += 1
          return call.apply(target, given)
        }
      },
    }),
  }
}

const minute = 60_000

for (const [name, open] of Object.entries(sceneStores)) {
  describe(`sources without triggers on ${name}`, () => {
    const idle = async (listens: boolean): Promise<{ readonly asked: number; readonly looks: number }> => {
      const { store, asked } = counted(await open())
      const scene = new FlowScene(store)
      scenes.push(scene)
      const engine = await scene.launch()
      let looks = 0
      if (listens) {
        engine.folders.start()
        engine.streams.start()
        const look = async (): Promise<void> => {
          looks += 1
          await engine.webhooks.age()
        }
        engine.webhooks.watch(() => void look())
      }
      await scene.pass(minute)
      const before = asked()
      looks = 0
      await scene.pass(10 * minute)
      return { asked: asked() - before, looks }
    }

    it('ask the store once a minute each, and nothing more', async () => {
      const [without, withSources] = [await idle(false), await idle(true)]
      expect(withSources.looks).toBeLessThanOrEqual(10)
      expect(withSources.asked - without.asked).toBeLessThanOrEqual(30)
    })

    it('where folders are looked at seldom, folders are looked for as seldom', async () => {
      const askedWith = async (watches: boolean): Promise<number> => {
        const { store, asked } = counted(await open())
        const scene = new FlowScene(store, { folderLookIntervalMs: 10 * minute })
        scenes.push(scene)
        const engine = await scene.launch()
        if (watches) engine.folders.start()
        await scene.pass(minute)
        const before = asked()
        await scene.pass(10 * minute)
        return asked() - before
      }
      expect((await askedWith(true)) - (await askedWith(false))).toBe(1)
    })

    it('hear at once of what is published', async () => {
      const scene = new FlowScene(await open())
      scenes.push(scene)
      const engine = await scene.launch()
      await scene.pass(minute)
      let looks = 0
      engine.webhooks.watch(() => {
        looks += 1
      })
      await scene.pass(10_000)
      const triggers = { hook: { kind: 'webhook', parameters: { path: 'a', auth: { kind: 'none' } } } }
      const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers })
      await scene.within(engine.publishing.publish({ document, baseDirectory: null }))
      await scene.pass(1_000)
      expect(looks).toBe(1)
    })
  })
}
