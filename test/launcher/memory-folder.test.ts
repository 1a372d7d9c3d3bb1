/** Where the files of tests are. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { holdsPrograms, withMemoryFolder } from '../../bin/launcher/memory-folder.mjs'

const parent = mkdtempSync(join(tmpdir(), 'sagasmith-memory-'))
afterAll(() => rmSync(parent, { recursive: true }))
afterEach(() => {
  for (const name of readdirSync(parent)) rmSync(join(parent, name), { recursive: true })
})

test.for([
  ['a file system in memory', 'tmpfs /dev/shm tmpfs rw,nosuid,nodev,relatime,size=24683656k 0 0', true],
  ['one that holds no programs', 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0', false],
  ['a disk', '/dev/vda /dev/shm ext4 rw 0 0', false],
  [
    'one that is in the place of another',
    'tmpfs /dev/shm tmpfs rw 0 0\n/dev/vda /dev/shm ext4 rw 0 0',
    false,
  ],
  ['nothing', 'tmpfs /run tmpfs rw 0 0', false],
] as const)('files are in memory on %s: %s', ([, mounts, isIt]) => {
  expect(holdsPrograms(mounts, '/dev/shm')).toBe(isIt)
})

test('the folder of the tests is there for them, and for nobody after them', async () => {
  const work = (): Promise<string | undefined> =>
    withMemoryFolder(
      async ({ TMPDIR }) => {
        writeFileSync(join(TMPDIR ?? '', 'a file'), '')
        expect(statSync(TMPDIR ?? '').mode & 0o7777, 'it is everybody’s').toBe(0o1777)
        return TMPDIR
      },
      { parent, fits: () => true },
    )
  const folder = await work()
  expect(folder).toMatch(new RegExp(`^${parent}/sagasmith-tests-`))
  expect(readdirSync(parent)).toEqual([])
  const failing = withMemoryFolder(() => Promise.reject(new Error('no')), { parent, fits: () => true })
  await expect(failing).rejects.toThrow('no')
  expect(readdirSync(parent)).toEqual([])
})

test('where it fits nowhere the system says where files go', async () => {
  expect(await withMemoryFolder(async (env) => env, { parent, fits: () => false })).toEqual({})
})

test('what was left by who was killed goes, what others use stays', async () => {
  const names = ['sagasmith-tests-left', 'sagasmith-tests-in-use', 'of-somebody-else']
  const [left = '', inUse = '', others = ''] = names.map((name) => join(parent, name))
  for (const folder of [left, inUse, others]) mkdirSync(folder)
  const long = Date.now() / 1_000 - 7_200
  utimesSync(left, long, long)
  utimesSync(others, long, long)
  await withMemoryFolder(async () => {}, { parent, fits: () => true })
  expect([left, inUse, others].map((folder) => existsSync(folder))).toEqual([false, true, true])
})
