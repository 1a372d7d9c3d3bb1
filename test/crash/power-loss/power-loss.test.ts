/** The power goes while the engine works: what it promised is there, and the check would notice if not. */
import { expect, test } from 'vitest'
import { createRandomSource } from '../../support/random-source.ts'
import { Disk } from './image.ts'
import { replayPowerLoss } from './replay.ts'
import { parseTrace, recordWorkload } from './trace.ts'

const states = 150

test('synced commits survive the loss of power at any step, with unsynced writes gone, kept or torn', async () => {
  const steps = recordWorkload(3, 'strict')
  const replayed = await replayPowerLoss({ steps, states, seed: 1 })
  expect(replayed).toEqual({ states, lost: 0, problems: [] })
})

test('the relaxed setting loses promises, and the same check sees it', async () => {
  const steps = recordWorkload(3, 'relaxed')
  const replayed = await replayPowerLoss({ steps, states, seed: 1 })
  expect(replayed.lost).toBeGreaterThan(0)
})

test('a large value is there once its file, and the folder with its name, are synced', () => {
  const name = 'ab'.repeat(32)
  const disk = new Disk()
  const random = createRandomSource('blob')
  const temporary = `${name}.7-1.tmp`
  const there = (fate: 'dropped' | 'kept'): string | undefined =>
    disk.lose(fate, random).get(name)?.toString()
  disk.apply({ kind: 'write', file: temporary, at: 0, bytes: Buffer.from('value') })
  disk.apply({ kind: 'rename', file: temporary, to: name, folder: 'ab' })
  expect([there('kept'), there('dropped')]).toEqual(['value', undefined])
  disk.apply({ kind: 'sync', file: 'ab' })
  expect([there('kept'), there('dropped')]).toEqual(['value', ''])
  disk.apply({ kind: 'sync', file: name })
  expect([there('kept'), there('dropped')]).toEqual(['value', 'value'])
})

test('calls that another thread interrupts are read as one', () => {
  const text = [
    String.raw`7  pwrite64(3</d/sagasmith.db-wal>, "\x41\x42", 2, 512 <unfinished ...>`,
    String.raw`8  write(4</elsewhere/file>, "\x43", 1) = 1`,
    '7  <... pwrite64 resumed>) = 2',
    '7  fdatasync(3</d/sagasmith.db-wal>) = 0',
  ].join('\n')
  expect(parseTrace(text, '/d')).toEqual([
    { kind: 'write', file: 'sagasmith.db-wal', at: 512, bytes: Buffer.from('AB') },
    { kind: 'sync', file: 'sagasmith.db-wal' },
  ])
})
