/** Archives that want more than to be unpacked: each is refused, and nothing is left of it, here or elsewhere. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTaskRuns } from '../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import type { RawEntry } from '../../support/raw-zip.ts'
import { rawZip } from '../../support/raw-zip.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const host = { start: () => Promise.reject(new Error('no process in this test')) as never }
const runs = createTaskRuns({
  sandbox: host,
  packages: { allowed: [], folder: '' },
  environment: {},
  lookup: async () => [],
  evaluate: async () => null,
  sqlite: host,
})

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-archives-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function refusalOf(archive: Buffer): Promise<unknown> {
  await writeFile(join(folder, 'a.zip'), archive)
  const parameters = taskSpecsByKind.get('unzip-file')?.parameters.parse({ from: 'a.zip', to: 'out/deep' })
  return thrownBy(async () =>
    runs.get('unzip-file')?.execute(parameters, taskContext({ baseDirectory: folder })),
  )
}

const named = (...names: readonly string[]): readonly RawEntry[] => names.map((name) => ({ name, text: 'x' }))
const ofType = (type: number): readonly RawEntry[] => [
  { name: 'a', text: '/etc/passwd', attributes: (type << 16) >>> 0 },
]

const entries: Readonly<Record<string, readonly RawEntry[]>> = {
  'the folder above': named('..'),
  'a file above': named('../out'),
  'a file far above': named('../../../../../../etc/cron.d/x'),
  'out in the middle': named('a/../../out'),
  'out at the end': named('a/b/../../../out'),
  'the folder itself': named('.'),
  'a dot in between': named('a/./b'),
  'nothing before a slash': named('/a'),
  'two slashes': named('//server/share/a'),
  'an empty part': named('a//b'),
  'a name of slashes': named('///'),
  'no name': named(''),
  'backslashes out': named('..\\..\\out'),
  'backslashes in a folder': named('a\\..\\..\\out'),
  'a share of Windows': named('\\\\server\\share\\a'),
  'a drive': named('C:/out'),
  'a drive without a slash': named('C:out'),
  'a hidden stream of a file': named('a.txt:hidden'),
  'a hidden stream of a folder': named('a/b::$INDEX_ALLOCATION'),
  'a device of Windows': named('CON'),
  'a device with an ending': named('a/nul.txt'),
  'a port of Windows': named('COM1.log'),
  'a name that Windows makes another': named('a.txt.'),
  'a space that Windows drops': named('a '),
  'an end of text': named('a\0.png'),
  'a line break': named('a\nb'),
  'a code of terminals': named('a\u001b[2Jb'),
  'a name beyond measure': named('x'.repeat(256)),
  'a way beyond measure': named(`${'x/'.repeat(3_000)}y`),
  'a link': ofType(0o120777),
  'a device of blocks': ofType(0o060666),
  'a device of characters': ofType(0o020666),
  'a pipe': ofType(0o010644),
  'a socket': ofType(0o140777),
  'a link, and a file behind it': [
    { name: 'a', text: '/tmp', attributes: (0o120777 << 16) >>> 0 },
    { name: 'a/x', text: 'x' },
  ],
  'one name twice': named('a', 'a'),
  'names that differ in size': named('readme', 'README'),
  'names that look the same': named('caf\u00e9', 'cafe\u0301'),
  'a file that is a folder, too': named('a', 'a/b'),
  'a folder that is a file, too': named('a/b', 'a'),
  'a bomb': [{ name: 'a', text: '0'.repeat(20_000_000), deflates: true }],
  'a size that is too small': [{ name: 'a', text: 'x'.repeat(1_000), size: 10, deflates: true }],
  'a size that is too large': [{ name: 'a', text: 'x', size: 4_000_000_000, deflates: true }],
  'what only a password opens': [{ name: 'a', text: 'x', flags: 1 }],
  'strong encryption': [{ name: 'a', text: 'x', flags: 0x41 }],
}

test.for(Object.keys(entries))('%s', async (name) => {
  expect(await refusalOf(rawZip(entries[name] ?? []))).toMatchObject({ code: 'archive_refused' })
  expect((await readdir(folder)).filter((one) => one !== 'a.zip' && one !== 'out')).toEqual([])
  expect(await readdir(join(folder, 'out')).catch(() => [])).toEqual([])
})

const whole = rawZip(named('a', 'b'))
const bytes: Readonly<Record<string, Buffer>> = {
  'no bytes': Buffer.alloc(0),
  text: Buffer.from('hello'),
  'another kind of archive': Buffer.from('Rar!\u001a\u0007\u0001\u0000'),
  'one that is cut off': whole.subarray(0, 40),
  'one without its list': whole.subarray(0, whole.length - 30),
  'a list that lies elsewhere': Buffer.concat([
    whole.subarray(0, whole.length - 6),
    Buffer.from([255, 255, 255, 127, 0, 0]),
  ]),
  'more files than it has': Buffer.concat([
    whole.subarray(0, whole.length - 12),
    Buffer.from([9, 0]),
    whole.subarray(whole.length - 10),
  ]),
}

test.for(Object.keys(bytes))('%s', async (name) => {
  expect(await refusalOf(bytes[name] ?? Buffer.alloc(0))).toMatchObject({ code: 'archive_refused' })
  expect((await readdir(folder)).filter((one) => one !== 'a.zip' && one !== 'out')).toEqual([])
})
