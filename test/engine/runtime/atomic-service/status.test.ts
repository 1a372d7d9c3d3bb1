/** The look at the slots of the chores: what people see is what the runners decide by. */

import { describe, expect, test } from 'vitest'
import { minute, second } from '../../../../src-engine/model/time.ts'
import { slotFindings } from '../../../../src-engine/shell/commands/doctor-slots.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const chores = { canRunAtomicService: true }

describe.each(Object.entries(sceneStores))('the look at the slots, on %s', (_kind, open) => {
  test('gives each runner its window in order of age, and the last turns [P30] [P31] [P38]', async () => {
    const scene = new EnginesScene(await open())
    for (let engine = 0; engine < 3; engine += 1) {
      await scene.launch({}, chores)
      await scene.pass(second)
    }
    // The cycle of 15:00 to 20:00 has been on for two minutes when they start; look in the one of 25:00.
    await scene.pass(25 * minute + 10 * second - scene.world.now)
    const status = await scene.engines[1]?.atomicService(3)
    if (status === undefined) throw new Error('it was launched')
    const cycle = 25 * minute
    const slots = status.slots.map(({ slotStart, slotEnd, nextStart }) => [
      (slotStart ?? 0) - cycle,
      (slotEnd ?? 0) - cycle,
      (nextStart ?? 0) - cycle,
    ])
    // 100 s each, of which the margin takes half: it would leave less than half of the slot.
    expect(status).toMatchObject({ intervalMs: 5 * minute, marginMs: 50 * second, running: null })
    expect(slots).toEqual([
      [0, 50 * second, 5 * minute],
      [100 * second, 150 * second, 100 * second],
      [200 * second, 250 * second, 200 * second],
    ])
    expect(status.slots.map(({ runnerId }) => runnerId)).toEqual(
      scene.engines.map(({ runnerId }) => runnerId),
    )
    expect(status.slots.map(({ reason, isOwnerNow }) => [reason, isOwnerNow])).toEqual([
      ['ASSIGNED', true],
      ['NOT_ASSIGNED_SLOT', false],
      ['NOT_ASSIGNED_SLOT', false],
    ])
    expect(status.turns).toHaveLength(3)
    expect(status.turns.map(({ startedAt }) => startedAt)).toEqual(
      status.turns.map(({ startedAt }) => startedAt).toSorted((a, b) => b - a),
    )
    expect(new Set(status.turns.map((turn) => turn.status))).toEqual(new Set(['COMPLETED']))
    expect(slotFindings(status).map(({ check, message }) => `${check}: ${message}`)).toEqual([
      'slots: 3 runners take turns every 5 min, margin 50 s',
      `slot 1: ${status.slots[0]?.runnerId} 00:25:00–00:25:50, next at 00:30:00, its turn now (ASSIGNED)`,
      `slot 2: ${status.slots[1]?.runnerId} 00:26:40–00:27:30, next at 00:26:40 (NOT_ASSIGNED_SLOT)`,
      `slot 3: ${status.slots[2]?.runnerId} 00:28:20–00:29:10, next at 00:28:20 (NOT_ASSIGNED_SLOT)`,
      ...status.turns.map((turn) => expect.stringContaining(`${turn.runnerId} (${turn.kind}) COMPLETED`)),
    ])
  })

  test('a single runner has the whole cycle; nobody, none; the dead take no turns', async () => {
    const scene = new EnginesScene(await open())
    await scene.launch()
    expect((await scene.engines[0]?.atomicService(1))?.slots).toEqual([])
    await scene.launch({}, chores)
    await scene.launch({}, chores)
    scene.processes[2]?.die()
    await scene.pass(minute)
    const status = await scene.engines[0]?.atomicService(1)
    expect(status).toMatchObject({ marginMs: 0 })
    expect(status?.slots).toMatchObject([
      { slotStart: 15 * minute, slotEnd: 20 * minute, nextStart: 20 * minute, isOwnerNow: true },
    ])
  })

  test('rows over age are removed, but never what is on [P38]', async () => {
    const scene = new EnginesScene(await open())
    const settings = { atomicServiceExecutionRetentionMs: 10 * minute }
    await scene.launch(settings, chores)
    await scene.pass(30 * minute)
    const status = await scene.engines[0]?.atomicService(200)
    const oldest = status?.turns.at(-1)?.endedAt ?? 0
    // The last pruning was at the end of the last turn.
    expect(scene.world.now - oldest).toBeLessThanOrEqual(15 * minute)
    expect(status?.turns.length).toBeGreaterThan(1)
  })
})
