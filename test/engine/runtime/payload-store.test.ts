/** Where values lie, by their size and the settings, and how often a large one is read. */

import { describe, expect, test } from 'vitest'
import { blobBytesMax, taskOutputBytesMax } from '../../../src-engine/model/limits.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import type { EngineSettings } from '../../../src-engine/model/settings/engine-settings.ts'
import { engineSettings } from '../../../src-engine/model/settings/engine-settings.ts'
import { createPayloadStore } from '../../../src-engine/runtime/payload-store.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

const large = (chars: number, letter = 'x'): string => JSON.stringify(letter.repeat(chars - 2))

function payloadsWith(given: Partial<EngineSettings> = {}) {
  const memory = createMemoryStore()
  const reads: string[] = []
  const warnings: string[] = []
  const store = {
    ...memory,
    getBlob: (hash: Parameters<typeof memory.getBlob>[0]) => {
      reads.push(hash)
      return memory.getBlob(hash)
    },
  }
  const log = { warn: (event: string) => warnings.push(event) }
  const payloads = createPayloadStore(store, { settings: engineSettings(given), log })
  return { payloads, reads, warnings }
}

const kindOf = async (given: Partial<EngineSettings>, chars: number): Promise<string> =>
  (await payloadsWith(given).payloads.keep(large(chars))).kind

describe('a value', () => {
  test('that fits into a record stays in it; a larger one is stored by its content', async () => {
    expect(await kindOf({}, 1_000)).toBe('inline')
    expect(await kindOf({}, 32_768)).toBe('inline')
    expect(await kindOf({}, 32_769)).toBe('blob')
  })

  test('is stored once, however often it is kept', async () => {
    const { payloads } = payloadsWith()
    const first = await payloads.keep(large(50_000))
    expect(await payloads.keep(large(50_000))).toEqual(first)
    expect(await payloads.keep(large(50_000, 'y'))).not.toEqual(first)
  })

  test.for([
    ['shorter than min_size_to_cache', { minSizeToCache: 60_000 }, 50_000, 'inline'],
    ['of min_size_to_cache', { minSizeToCache: 60_000 }, 60_000, 'blob'],
    ['longer than max_size_to_cache', { maxSizeToCache: 60_000 }, 60_001, 'inline'],
    ['of max_size_to_cache', { maxSizeToCache: 60_000 }, 60_000, 'blob'],
    ['with the store of shared values off', { clientDataDisabled: true }, 60_000, 'inline'],
  ] as const)('%s lies where the settings say', async ([, given, chars, kind]) => {
    expect(await kindOf(given, chars)).toBe(kind)
  })

  test('larger than warn_threshold, or than what is shared, is told of', async () => {
    const { payloads, warnings } = payloadsWith({ warnThresholdBytes: 40_000, maxSizeToCache: 60_000 })
    await payloads.keep(large(39_000))
    expect(warnings).toEqual([])
    await payloads.keep(large(41_000))
    expect(warnings).toEqual(['payload.large'])
    await payloads.keep(large(61_000))
    expect(warnings).toEqual(['payload.large', 'payload.large', 'payload.not-shared'])
  })

  test.for([
    ['a task gives', taskOutputBytesMax],
    ['anybody hands on', blobBytesMax],
  ] as const)('beyond what %s is refused by name', async ([, max]) => {
    const { payloads } = payloadsWith()
    const keep = async (text: string) => payloads.keep(text, max)
    await expect(keep(large(max + 1))).rejects.toMatchObject({
      code: 'payload_too_large',
      details: { bytes: max + 1, bytesMax: max },
    })
    expect((await keep(large(max))).kind).toBe('blob')
  })
})

describe('a stored value', () => {
  async function kept(payloads: ReturnType<typeof payloadsWith>['payloads'], letters: string) {
    const all: Payload[] = []
    for (const letter of letters) all.push(await payloads.keep(large(40_000, letter)))
    return all
  }

  test('is read once while it is among those used lately', async () => {
    const { payloads, reads } = payloadsWith({ localCacheSize: 2 })
    const [a, b, c] = await kept(payloads, 'abc')
    if (a === undefined || b === undefined || c === undefined) throw new Error('three were kept')
    for (const payload of [a, b, a, a, b]) await payloads.value(payload)
    expect(reads).toHaveLength(2)
    // The third takes the place of the one used longest ago.
    for (const payload of [a, c, a]) await payloads.value(payload)
    expect(reads).toHaveLength(3)
    await payloads.value(b)
    expect(reads).toHaveLength(4)
  })

  test('is read each time where none is kept in memory', async () => {
    const { payloads, reads } = payloadsWith({ localCacheSize: 0 })
    const [a] = await kept(payloads, 'a')
    if (a === undefined) throw new Error('one was kept')
    await payloads.value(a)
    await payloads.value(a)
    expect(reads).toHaveLength(2)
  })

  test('that is gone is asked for again', async () => {
    const { payloads } = payloadsWith()
    const gone = { kind: 'blob', hash: 'f'.repeat(64), bytes: 50_000 } as unknown as Payload
    await expect(payloads.value(gone)).rejects.toMatchObject({ code: 'blob_missing' })
    await expect(payloads.value(gone)).rejects.toMatchObject({ code: 'blob_missing' })
  })
})
