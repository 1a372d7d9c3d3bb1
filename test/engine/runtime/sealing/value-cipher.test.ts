/** Sealing itself: what opens, what doesn't, and what can be told from the outside. */

import { expect, test } from 'vitest'
import { storeId } from '../../../../src-engine/model/ids.ts'
import { handedRingText, readHandedRing } from '../../../../src-engine/runtime/sealing/handed-ring.ts'
import {
  keyRingText,
  mergedKeyRings,
  newKeyRing,
  newSealKey,
  readKeyRing,
} from '../../../../src-engine/runtime/sealing/key-ring.ts'
import { createValueCipher, isSealedBlob } from '../../../../src-engine/runtime/sealing/value-cipher.ts'

const ring = newKeyRing(storeId('here'), 1)
const cipher = createValueCipher(ring, ring.current)
const place = { scope: 'run_1', path: 'run.input' }

test('a value opens at its place and nowhere else', () => {
  const token = cipher.seal(place, 'grüße \u{1f600}')
  expect(token).toMatch(/^sealed:1:[0-9a-f]{12}:[\w-]+$/)
  expect(cipher.open(place, token)).toEqual({ ok: true, text: 'grüße \u{1f600}' })
  const damaged = { ok: false, problem: 'damaged' }
  expect(cipher.open({ ...place, scope: 'run_2' }, token)).toEqual(damaged)
  expect(cipher.open({ ...place, path: 'run.output' }, token)).toEqual(damaged)
  const elsewhere = { ...ring, store: storeId('there') }
  expect(createValueCipher(elsewhere, ring.current).open(place, token)).toEqual(damaged)
  const other = newKeyRing(storeId('here'), 1)
  expect(createValueCipher(other, other.current).open(place, token)).toEqual({
    ok: false,
    problem: 'key-missing',
  })
})

test('every changed character of a token is noticed', () => {
  const token = cipher.seal(place, 'value')
  const start = token.lastIndexOf(':') + 1
  // The last character has bits that stand for nothing.
  for (let at = start; at < token.length - 1; at += 1) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    expect(cipher.open(place, changed).ok).toBe(false)
  }
  for (const text of [token.slice(0, start), token.slice(0, -4), `${token}AAAA`, 'sealed:1:', ''])
    expect(cipher.open(place, text).ok).toBe(false)
})

test('the same value at the same place is the same text, and no two others share a nonce', () => {
  expect(cipher.seal(place, 'a')).toBe(cipher.seal(place, 'a'))
  const nonceOf = (token: string): string => token.slice(token.lastIndexOf(':') + 1).slice(0, 16)
  const nonces = ['a', 'b', 'c'].flatMap((text) =>
    ['run.input', 'run.output'].map((path) => nonceOf(cipher.seal({ ...place, path }, text))),
  )
  expect(new Set(nonces).size).toBe(nonces.length)
})

test('blobs are sealed each time anew, and those from before are given as they are', () => {
  const bytes = Buffer.from(JSON.stringify({ large: 'value' }))
  const sealed = cipher.sealBytes(bytes)
  expect(isSealedBlob(sealed)).toBe(true)
  expect(Buffer.from(sealed).equals(Buffer.from(cipher.sealBytes(bytes)))).toBe(false)
  expect(Buffer.from(cipher.openBytes(sealed) as Uint8Array).toString()).toBe(bytes.toString())
  expect(cipher.openBytes(bytes)).toBe(bytes)
  const changed = Uint8Array.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(cipher.openBytes(changed)).toBe('damaged')
  const other = newKeyRing(storeId('here'), 1)
  expect(createValueCipher(other, other.current).openBytes(sealed)).toBe('key-missing')
})

test('names are the same for ever, and nobody else can make them', () => {
  const grown = { ...ring, keys: [...ring.keys, newSealKey(2)] }
  const rotated = createValueCipher(grown, grown.keys.at(-1)?.id ?? '')
  expect(rotated.nameOf('4711')).toBe(cipher.nameOf('4711'))
  const other = newKeyRing(storeId('here'), 1)
  expect(createValueCipher(other, other.current).nameOf('4711')).not.toBe(cipher.nameOf('4711'))
})

test('a ring is handed on whole, in the open or by a passphrase', async () => {
  expect(readKeyRing(keyRingText(ring))).toEqual(ring)
  const open = await handedRingText(ring, null)
  expect(await readHandedRing(open, null)).toEqual(ring)
  const closed = await handedRingText(ring, 'four words of none')
  expect(closed).not.toContain(ring.keys[0]?.bytes.toString('base64'))
  expect(await readHandedRing(closed, 'four words of none')).toEqual(ring)
  const unreadable = { code: 'seal_file_unreadable' }
  await expect(readHandedRing(closed, 'another passphrase')).rejects.toMatchObject(unreadable)
  await expect(readHandedRing(closed, null)).rejects.toMatchObject(unreadable)
  await expect(readHandedRing(closed.replace('here', 'there'), 'four words of none')).rejects.toMatchObject(
    unreadable,
  )
  await expect(readHandedRing('{}', null)).rejects.toMatchObject(unreadable)
  const grown = { ...ring, keys: [...ring.keys, newSealKey(2)] }
  expect(mergedKeyRings(ring, grown)).toEqual(grown)
})
