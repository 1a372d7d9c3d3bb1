/** The mark of the key that a workspace seals with. */

import { expect, test } from 'vitest'
import { loadSealMark, writeSealMark } from '../../../../src-engine/runtime/sealing/seal-mark.ts'
import { failingOver } from '../failed-over.ts'

test('a mark that was seen before a failover is not written over what another made since', async () => {
  const server = failingOver()
  const { store } = server
  const mark = async (key: string, seen = 0) =>
    writeSealMark(store, {
      key,
      seen: { epoch: store.info.epochs[0] ?? 0, version: seen },
      at: 0,
      ids: { next: () => key },
    })
  expect(await mark('first')).toBe(true)
  const before = server.snapshot()
  expect(await mark('lost', 1)).toBe(true)
  const { seen } = await loadSealMark(store)
  server.failOver(before)
  expect(await mark('theirs', 1)).toBe(true)
  expect((await loadSealMark(store)).seen.version).toBe(seen.version)
  expect(await writeSealMark(store, { key: 'mine', seen, at: 0, ids: { next: () => 'mine' } })).toBe(false)
  expect((await loadSealMark(store)).mark?.key).toBe('theirs')
})
