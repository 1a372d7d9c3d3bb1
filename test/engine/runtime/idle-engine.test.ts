/** An engine with nothing to do asks its store for little, however many runs sleep there: counted, in virtual time. */

import { expect, test } from 'vitest'
import type { Store } from '../../../src-engine/store/store.ts'
import { simulationStores } from '../../simulation/stores.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const minute = 60_000
const day = 1_440 * minute
const minutes = 10
const document = documentOf({ nodes: { nap: { kind: 'delay' } }, edges: {} })

/** How often each operation was asked for. */
function counted(store: Store): { readonly store: Store; readonly calls: Map<string, number> } {
  const calls = new Map<string, number>()
  const get = (target: Store, name: string | symbol): unknown => {
    const member: unknown = Reflect.get(target, name)
    if (typeof member !== 'function') return member
    return (...given: readonly unknown[]): unknown => {
      calls.set(String(name), (calls.get(String(name)) ?? 0) + 1)
      return Reflect.apply(member, target, given)
    }
  }
  return { store: new Proxy(store, { get }), calls }
}

/** What an engine asks for in a minute in which so many runs sleep and nothing else is there. */
async function idleMinute(sleepers: number): Promise<Readonly<Record<string, number>>> {
  const opened = await simulationStores.sqlite?.()
  if (opened === undefined) throw new Error('there is a store on SQLite')
  const { store, calls } = counted(opened)
  const scene = new EnginesScene(store)
  await scene.launch({ deadProcessCheckMs: 1_000 }, { canRunAtomicService: true })
  for (let run = 0; run < sleepers; run += 1) {
    await scene.start(document)
    scene.atWork[0]?.finish({ kind: 'parked', until: scene.world.now + day, reason: 'sleeps', output: {} })
    await scene.pass(0)
  }
  // What a start leaves for later is over.
  await scene.pass(2 * minute)
  calls.clear()
  await scene.pass(minutes * minute)
  const asked = [...calls].map(([name, count]) => [name, Math.ceil(count / minutes)] as const)
  await store.close()
  return Object.fromEntries(asked)
}

test('many that sleep are no more to ask for than none, and that is little', async () => {
  const alone = await idleMinute(0)
  const { commit = 0, renew = 0 } = alone
  expect(commit + renew).toBeLessThanOrEqual(20)
  expect(Object.values(alone).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(300)
  expect(await idleMinute(20)).toEqual(alone)
})
