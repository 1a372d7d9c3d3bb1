/** Units as arguments, of which a server feels each one. */

import { expect, test } from 'vitest'
import { invocationId, opId } from '../../../../src-engine/model/ids.ts'
import { packNumbers } from '../../../../src-engine/store/redis/apply-script-numbers.ts'
import { encodeUnits } from '../../../../src-engine/store/redis/encode-units.ts'
import { keyNames, partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import type { Unit } from '../../../../src-engine/store/redis/unit.ts'
import { emptyUnit } from '../../../../src-engine/store/redis/unit.ts'

/** As the script reads them. */
function unpacked(text: string): readonly number[] {
  const codes = Array.from(text, (character) => character.charCodeAt(0))
  if (codes[0] !== 127) return codes
  const numbers: number[] = []
  for (let place = 1; place < codes.length; place += 3) {
    const [high = 0, middle = 0, low = 0] = codes.slice(place, place + 3)
    numbers.push(high * 16_384 + middle * 128 + low)
  }
  return numbers
}

test.each([
  ['small ones are a character each', [3, 0, 1, 126], 4],
  ['with a large one among them each is three, behind a mark', [4, 127, 128, 16_384, 2_097_151], 1 + 5 * 3],
  ['so is each of more than a server hands out at once', Array.from({ length: 201 }, () => 1), 1 + 201 * 3],
])('%s', (_, numbers, length) => {
  const text = packNumbers(numbers)
  expect(text).toHaveLength(length)
  expect(Buffer.byteLength(text)).toBe(text.length)
  expect(unpacked(text)).toEqual(numbers)
})

test('what is too large for it is an error of ours', () => {
  expect(() => packNumbers([2_097_152])).toThrow('fewer arguments')
})

const keys = partitionKeys('s', 1)

/** One step of a run ends and the next begins. */
function aStep(run: string, expiresAt: number): Unit {
  return {
    ...emptyUnit,
    opId: opId(`op-${run}`),
    tag: 'w.1',
    hashes: [
      {
        key: `s:{p1}:r:${run}`,
        written: [
          { field: 'v', believed: '1 w.0 RUNNING', token: '2 w.1 RUNNING' },
          { field: 'v/b', believed: '', token: '1 w.1' },
        ],
        looked: [{ field: 'v/c', believed: '7 w.0' }],
        placed: [
          { field: 'p/b', text: '' },
          { field: 'a/a 1', text: '[1]' },
        ],
        sets: ['i/b', '[2]'],
      },
    ],
    left: [invocationId(`${run}/a`)],
    leases: [{ id: invocationId(`${run}/b`), expiresAt, isFresh: true }],
    parts: [{ groups: `s:{p1}:g:${run}`, runId: run, count: 2, digest: 'd', opTag: 'o', text: '[3]' }],
  }
}

test('what a step believes of its run is one argument; neither whose it is nor what marks it is told once more', () => {
  const { args } = encodeUnits([aStep('r1', 50)], keys, { start: ['start'], heads: null })
  const [start, expiries, heads, numbers, ...rest] = args
  expect([start, expiries, heads]).toEqual(['start', '50', ''])
  expect(rest).toEqual([
    ...['i/b', '[2]', 'a/a 1', '[1]', 'p/b', '', 'v', '2 w.1 RUNNING', 'v/b', '1 w.1'],
    ...['v/c', '1 w.0 RUNNING\n\n7 w.0'],
    ...['r1/a', 'r1/b', 'd', 'o', '[3]'],
  ])
  const [count, , , hashes, ...ofHash] = unpacked(String(numbers))
  expect([count, hashes]).toEqual([rest.length, 1])
  // Its key; two tokens, one that is looked at; one place to be kept, which is read, and one that is new; ten in all.
  expect(ofHash.slice(0, 6)).toEqual([6, 2, 1, 1, 1, 10])
})

test('an instant at which leases of a call expire is told once', () => {
  const units = [aStep('r1', 50), aStep('r2', 60), aStep('r3', 50)]
  const { args } = encodeUnits(units, keys, { start: ['start'], heads: null })
  expect(args[1]).toBe('50 60')
  expect(args).toHaveLength(3 + 3 * 18)
})

test('queues whose heads are to come along are told by the numbers of their keys', () => {
  const heads = { shapes: ['x', 'y'], wanted: 20, at: 0, until: 99 }
  const call = encodeUnits([], keys, { start: ['start'], heads })
  const [wanted, until, ...numbers] = String(call.args[2]).split(' ')
  expect([wanted, until]).toEqual(['20', '99'])
  expect(numbers.map((number) => call.keys[Number(number) - 1])).toEqual([
    keys.of(keyNames.shapes),
    keys.of(keyNames.queue('x')),
    keys.of(keyNames.queue('y')),
  ])
})
