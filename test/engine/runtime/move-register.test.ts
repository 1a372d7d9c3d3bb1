/** Moving a register: others may be first, and a failover may take back what was read. */

import { afterEach, expect, it } from 'vitest'
import type { Register } from '../../../src-engine/model/checkpoint.ts'
import { opId } from '../../../src-engine/model/ids.ts'
import { moveRegister } from '../../../src-engine/runtime/move-register.ts'
import { registerCheckpoint } from '../../../src-engine/runtime/register-checkpoint.ts'
import { noRecords } from '../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'

const records = () => noRecords(0)
let store: Store = createMemoryStore({ records: [records()] })
afterEach(async () => {
  await store.close()
})

let ops = 0
const written = (register: Register | null, value: number) =>
  registerCheckpoint({
    ...{ partition: 0, key: 'count', version: register?.version ?? 0, value, at: 0 },
    opId: opId(`count:${(ops += 1)}`),
    actor: { kind: 'operator', id: null },
    cause: { kind: 'test', by: null, detail: null },
  })
const parts = () => ({ store, partition: 0 })
const named = { key: 'count', lost: 'Others count all the time.' }
const valueOf = (register: Register | null): number => Number(register?.value ?? 0)
const count = () => store.load(0, 'register', { key: 'count' })
const more = () =>
  moveRegister(parts(), named, (register) => {
    const next = valueOf(register) + 1
    return { answer: next, checkpoint: written(register, next) }
  })

it('counts each move once, however many move it at a time', async () => {
  store = createMemoryStore()
  const answers = await Promise.all(Array.from({ length: 20 }, more))
  expect(answers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(valueOf(await count())).toBe(20)
})

it('writes nothing where nothing is to be written', async () => {
  store = createMemoryStore()
  expect(await moveRegister(parts(), named, () => ({ answer: 'as it was', checkpoint: null }))).toBe(
    'as it was',
  )
  expect(await count()).toBeNull()
})

it('gives up on what others move all the time, and says so', async () => {
  store = createMemoryStore()
  const looks: number[] = []
  const hasty = moveRegister(parts(), named, async (register) => {
    looks.push(valueOf(register))
    await store.commit(0, [written(register, valueOf(register) + 1)])
    return { answer: null, checkpoint: written(register, -1) }
  })
  await expect(hasty).rejects.toMatchObject({ code: 'lost_race', message: named.lost })
  expect(looks).toHaveLength(50)
})

it('decides anew where a failover took back what it had read, though its version is given again', async () => {
  const kept = records()
  store = createMemoryStore({ records: [kept] })
  await more()
  const seen: number[] = []
  const answer = await moveRegister(parts(), named, async (register) => {
    seen.push(valueOf(register))
    if (seen.length === 1) {
      // Another server leads, which has another value under the same version.
      const epochs: number[] = store.info.epochs as number[]
      if (register !== null) kept.registers.set('count', { ...register, value: 70 })
      kept.head = { ...kept.head, epoch: kept.head.epoch + 1, seq: 0 }
      epochs[0] = kept.head.epoch
    }
    const next = valueOf(register) + 1
    return { answer: next, checkpoint: written(register, next) }
  })
  expect(seen).toEqual([1, 70])
  expect(answer).toBe(71)
})
