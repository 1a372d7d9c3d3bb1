/** Crons and clocks: a slot is decided once, however often the wall clock comes by; what was missed is caught up. */

import { describe, expect, test } from 'vitest'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import { hour, minute, second } from '../../../../src-engine/model/time.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

async function slotsFired(scene: EnginesScene): Promise<readonly string[]> {
  const runs = await scene.store.list(0, 'runs', {
    filter: { statuses: null, workflowId: workflowId('core.recover-pending'), includeCore: true },
    page: { after: null, limit: 200 },
  })
  return runs.map(({ cause }) => String(cause.detail).slice(11, 16)).toSorted()
}

const chores = { canRunAtomicService: true }

describe.each(Object.entries(sceneStores))('slots of a cron, on %s', (kind, open) => {
  // A virtual hour takes its time on a file.
  const counts = kind === 'memory' ? [1, 3] : [1]

  test.for(counts)(
    'with %i engines: a clock that goes back an hour fires none of them again',
    async (count) => {
      const scene = new EnginesScene(await open())
      scene.looksSeldom = true
      for (let engine = 0; engine < count; engine += 1) await scene.launch({}, chores)
      await scene.pass(20 * minute)
      const before = await slotsFired(scene)
      expect(before).toEqual(['00:20', '00:25', '00:30', '00:35'])
      for (const process of scene.processes) process.skew -= hour
      await scene.pass(hour)
      expect(await slotsFired(scene)).toEqual(before)
      // Then the clock says 00:36 again, and everything goes on.
      await scene.pass(10 * minute)
      expect(await slotsFired(scene)).toEqual([...before, '00:40', '00:45'])
    },
  )

  test.for(counts)(
    'with %i engines: of those that were slept over the last one fires, once',
    async (count) => {
      const scene = new EnginesScene(await open())
      scene.looksSeldom = true
      for (let engine = 0; engine < count; engine += 1) await scene.launch({}, chores)
      await scene.pass(4 * minute)
      expect(await slotsFired(scene)).toEqual(['00:20'])
      for (const process of scene.processes) process.sleep(8 * hour)
      // Not at the next look at an interval, but as soon as the sleep is noticed.
      await scene.pass(20 * second)
      expect(await slotsFired(scene)).toEqual(['00:20', '08:20'])
      await scene.pass(5 * minute)
      expect(await slotsFired(scene)).toEqual(['00:20', '08:20', '08:25'])
    },
  )
})
