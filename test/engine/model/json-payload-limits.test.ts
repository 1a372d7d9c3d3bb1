import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { canonicalJson } from '../../../src-engine/model/json.ts'
import * as limits from '../../../src-engine/model/limits.ts'
import { inlinePayload, utf8Bytes } from '../../../src-engine/model/payload.ts'

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>

describe('utf8Bytes', () => {
  test('counts what an encoder writes, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })

  test('counts half of a pair as the replacement that an encoder writes', () => {
    const unit = fc.constantFrom('a', 'é', '€', '\ud83d', '\ude00', '😀')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })
})

describe('inlinePayload', () => {
  test.for([
    ['x', limits.inlinePayloadBytesMax, true],
    ['x', limits.inlinePayloadBytesMax + 1, false],
    ['€', Math.floor(limits.inlinePayloadBytesMax / 3), true],
    ['€', Math.floor(limits.inlinePayloadBytesMax / 3) + 1, false],
  ] as const)('%s × %d fits: %s [P51]', ([unit, count, fits]) => {
    expect(inlinePayload(unit.repeat(count)) !== null).toBe(fits)
  })
})

describe('canonicalJson', () => {
  test('is the value again when parsed', () => {
    fc.assert(
      fc.property(json, (value) => {
        // JSON has no negative zero.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('has its keys in the order of their units, at every level', () => {
    expect(canonicalJson({ b: { z: 1, a: 2 }, a: [{ d: 1, c: 2 }], 9: 1, 10: 2 })).toBe(
      '{"10":2,"9":1,"a":[{"c":2,"d":1}],"b":{"a":2,"z":1}}',
    )
  })

  test('is the same text whatever the order of keys [P52]', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(object as JsonValue))
      }),
    )
  })

  test('differs for values that differ [P52]', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const isSame = canonicalJson(a) === canonicalJson(b)
        let isEqual = true
        try {
          expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
        } catch {
          isEqual = false
        }
        expect(isSame).toBe(isEqual)
      }),
    )
  })

  test('leaves out what JSON leaves out', () => {
    expect(canonicalJson({ b: 1, a: undefined } as unknown as JsonValue)).toBe('{"b":1}')
  })
})

describe('limits', () => {
  test('are all positive, finite numbers with their unit in the name', () => {
    const named = Object.entries(limits)
    expect(named.length).toBeGreaterThan(20)
    for (const [name, value] of named) {
      expect(value, name).toBeGreaterThan(0)
      expect(Number.isFinite(value), name).toBe(true)
      expect(name).toMatch(/(?:Max|Ms|MsMax|MsDefault|Default)$/)
    }
  })

  test('are those that the documentation promises', () => {
    expect({ ...limits }).toMatchObject({
      documentBytesMax: 20_000_000,
      documentNodesMax: 20_000,
      nestingMax: 64,
      expressionBytesMax: 65_536,
      expressionRunMs: 200,
      expressionResultBytesMax: 1_000_000,
      inlinePayloadBytesMax: 32_768,
      blobBytesMax: 50_000_000,
      taskOutputBytesMax: 10_000_000,
      mapItemsMax: 10_000,
      loopIterationsMax: 10_000,
      runEventsMax: 1_000_000,
      retriesMax: 100,
      eventBatchMax: 1_000,
      pageSizeMax: 200,
      crashAttemptsMax: 5,
    })
  })

  test('fit together', () => {
    expect(limits.inlinePayloadBytesMax).toBeLessThan(limits.taskOutputBytesMax)
    expect(limits.taskOutputBytesMax).toBeLessThan(limits.blobBytesMax)
    expect(limits.attemptTimeoutMsDefault).toBeLessThan(limits.timerAheadMsMax)
  })
})
