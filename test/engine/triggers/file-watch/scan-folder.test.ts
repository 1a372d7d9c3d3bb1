import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scanFolder } from '../../../../src-engine/triggers/file-watch/scan-folder.ts'
import { temporaryFolder } from '../../shell/shell-fixtures.ts'

function filled(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'in/deep'), { recursive: true })
  for (const name of ['a.csv', 'b.txt', '.hidden.csv', 'in/c.csv', 'in/deep/d.csv']) {
    writeFileSync(join(folder, name), name)
  }
  return folder
}

const pathsOf = async (folder: string, pattern: string, recursive: boolean): Promise<readonly string[]> =>
  [...(await scanFolder({ folder, pattern, recursive })).keys()].sort()

it('finds the files whose names fit, and with folders inside it only where it shall', async () => {
  const folder = filled()
  expect(await pathsOf(folder, '*.csv', false)).toEqual(['a.csv'])
  expect(await pathsOf(folder, '*.csv', true)).toEqual(['a.csv', 'in/c.csv', 'in/deep/d.csv'])
  expect(await pathsOf(folder, 'in/*.csv', true)).toEqual(['in/c.csv'])
  expect(await pathsOf(folder, '**/*.{csv,txt}', true)).toEqual([
    'a.csv',
    'b.txt',
    'in/c.csv',
    'in/deep/d.csv',
  ])
})

it('sees that a file has changed', async () => {
  const folder = filled()
  const before = await scanFolder({ folder, pattern: '*', recursive: false })
  writeFileSync(join(folder, 'a.csv'), 'longer than before')
  const after = await scanFolder({ folder, pattern: '*', recursive: false })
  expect(after.get('a.csv')).not.toBe(before.get('a.csv'))
  expect(after.get('b.txt')).toBe(before.get('b.txt'))
})

it('follows no links, neither out of the folder nor around in it', async () => {
  const folder = filled()
  const outside = filled()
  symlinkSync(outside, join(folder, 'out'))
  symlinkSync(folder, join(folder, 'in/around'))
  symlinkSync(join(outside, 'b.txt'), join(folder, 'link.csv'))
  expect(await pathsOf(folder, '*.csv', true)).toEqual(['a.csv', 'in/c.csv', 'in/deep/d.csv'])
})

it('says so when the folder isn’t there, and does without folders inside it that go', async () => {
  const folder = filled()
  rmSync(join(folder, 'in'), { recursive: true })
  expect(await pathsOf(folder, '*.csv', true)).toEqual(['a.csv'])
  await expect(
    scanFolder({ folder: join(folder, 'no'), pattern: '*', recursive: false }),
  ).rejects.toMatchObject({
    code: 'ENOENT',
  })
})
