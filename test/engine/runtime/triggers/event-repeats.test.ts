import { expect, test } from 'vitest'
import { hour, minute } from '../../../../src-engine/model/time.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { onEvent, TriggerScene, withTriggers } from './trigger-scene.ts'

test('an event that is sent again while its first delivery is cut short starts its run, and once', async () => {
  const scene = new TriggerScene(createMemoryStore())
  // What was left is taken up long after its mark is forgotten, for nobody looks who is gone.
  await scene.launchAll(2, { messageMarkTtlMs: minute, messageVisibilityMs: hour, deadProcessCheckMs: hour })
  await scene.publish(withTriggers({ t: onEvent('paid') }))
  scene.dieAfter(0, ({ writes }) => writes.registers.some(({ key }) => key.startsWith('event-seen/')))
  const told = { name: 'paid', payload: { order: 7 }, messageId: 'order 7', correlation: null, runId: null }
  void scene.engines[0]?.emitEvent(told)
  await scene.pass(20 * minute)
  expect(await scene.triggered()).toEqual([])
  const again = scene.engines[1]?.emitEvent(told)
  expect(again).toBeDefined()
  expect(await scene.within(Promise.resolve(again))).toMatchObject({ outcome: 'repeated' })
  await scene.pass(3 * hour)
  expect(await scene.inputs()).toEqual([{ order: 7 }])
})
