/** A store that has no room, or no answer, for a while is waited for by what is being executed. */

import { expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import { patientPayloads } from '../../../src-engine/runtime/patient-payloads.ts'
import { createPayloadStore } from '../../../src-engine/runtime/payload-store.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

const large = JSON.stringify('x'.repeat(50_000))

/** Payloads of a store whose next calls about large values throw; timers fire at once. */
function payloadsFailing(code: 'redis_out_of_memory' | 'redis_not_permitted', times: number) {
  const memory = createMemoryStore()
  let left = times
  let waitedMs = 0
  const fail = (): void => {
    left -= 1
    if (left >= 0) throw new SagasmithError(code)
  }
  const store = {
    ...memory,
    putBlob: async (bytes: Uint8Array) => {
      fail()
      return memory.putBlob(bytes)
    },
    getBlob: async (hash: Parameters<typeof memory.getBlob>[0]) => {
      fail()
      return memory.getBlob(hash)
    },
  }
  const after = (ms: number, call: () => void) => {
    waitedMs += ms
    queueMicrotask(call)
    return () => undefined
  }
  const payloads = patientPayloads(createPayloadStore(store), { after })
  return { payloads, failAgain: () => (left = times), waited: () => waitedMs }
}

test('what may pass is waited for, and the value is kept and read', async () => {
  const { payloads, failAgain } = payloadsFailing('redis_out_of_memory', 3)
  const kept = await payloads.keep(large)
  failAgain()
  expect(await payloads.json(kept)).toBe(large)
  failAgain()
  expect(await payloads.value(kept)).toBe(JSON.parse(large))
})

test('what asking again can’t change is told at once, everything else after half a minute', async () => {
  const forbidden = payloadsFailing('redis_not_permitted', 1)
  await expect(forbidden.payloads.keep(large)).rejects.toMatchObject({ code: 'redis_not_permitted' })
  expect(forbidden.waited()).toBe(0)
  const full = payloadsFailing('redis_out_of_memory', Number.POSITIVE_INFINITY)
  await expect(full.payloads.keep(large)).rejects.toMatchObject({ code: 'redis_out_of_memory' })
  expect(full.waited()).toBeGreaterThanOrEqual(30_000)
})
