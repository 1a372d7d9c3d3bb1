/** Work that must not overlap. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { definitionHash } from '../../../src-engine/model/ids.ts'
import { createTurns } from '../../../src-engine/shell/in-turn.ts'
import { createTrustListFile, decided } from '../../../src-engine/shell/trust-list.ts'

test('one begins when the one before is over, and one that fails keeps nobody back', async () => {
  const inTurn = createTurns()
  const said: string[] = []
  const work = (name: string) => async () => {
    said.push(`${name} begins`)
    await Promise.resolve()
    if (name === 'b') throw new Error('b fails')
    said.push(`${name} ends`)
    return name
  }
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => inTurn(work(name))))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'c begins', 'c ends'])
})

test('what is trusted at the same time is all kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-trust-'))
  try {
    const list = createTrustListFile(join(folder, 'trust.json'))
    const hashes = ['a', 'b', 'c'].map((letter) => definitionHash(`w1_${letter.repeat(64)}`))
    await Promise.all(hashes.map((hash) => list.change((book) => decided(book, [hash], 'approve'))))
    expect((await list.read()).approved).toEqual(hashes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
