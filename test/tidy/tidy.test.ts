/** Keeps the house tidy: the rules of this folder, applied to the repository itself. */
import { describe, expect, test } from 'vitest'
import { checkBanned } from './banned.ts'
import { checkFileLength, checkFunctionLength, exemptions } from './budgets.ts'
import { checkCycles, checkDeadFiles } from './graph.ts'
import {
  checkDefaultExports,
  checkNames,
  checkSharedHooks,
  checkSkippedTests,
  checkTestPlaces,
  checkTypeEscapes,
} from './habits.ts'
import { checkChangelog, checkLocalWords, checkLock } from './prose.ts'
import { checkDependencies, roomOf, rooms } from './rooms.ts'
import type { Finding } from './source-file.ts'
import { parseSource } from './source-file.ts'
import { isSource, readTree } from './tree.ts'

const tree = readTree()
const sources = tree.filter(({ path }) => isSource(path)).map(({ path, text }) => parseSource(path, text))

function textOf(path: string): string {
  const file = tree.find((one) => one.path === path)
  if (file === undefined) throw new Error(`${path} is missing`)
  return file.text
}

function expectNone(findings: readonly Finding[]): void {
  expect(findings.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([])
}

describe('the tree', () => {
  // By folder: a room may hold nothing but specs, which are a room of their own.
  test.for(rooms.map(({ name, owns }) => [name, owns] as const))('has files in the room %s', ([, owns]) => {
    expect(sources.filter(({ path }) => owns.test(path)).length).toBeGreaterThan(0)
  })

  test('has no source outside the rooms', () => {
    const homeless = sources.filter(({ path }) => path.startsWith('src-') && roomOf(path) === null)
    expect(homeless.map(({ path }) => path)).toEqual([])
  })

  test('keeps the dependency rule', () => expectNone(checkDependencies(sources)))
  test('has no cycle of imports', () => expectNone(checkCycles(sources)))
  test('has no file that nothing reaches', () => {
    const manifest = JSON.parse(textOf('package.json')) as {
      readonly knip: { readonly entry: readonly string[] }
    }
    expectNone(checkDeadFiles(sources, manifest.knip.entry))
  })
  test('keeps files short', () => {
    expectNone(checkFileLength(sources, exemptions, new Date().toISOString().slice(0, 10)))
  })
  test('keeps functions and components short', () => expectNone(checkFunctionLength(sources)))
  test('uses no ambient time, randomness, environment, console or process', () =>
    expectNone(checkBanned(sources)))
  test('names files after the idea in them', () => expectNone(checkNames(sources.map(({ path }) => path))))
  test('exports by name', () => expectNone(checkDefaultExports(sources)))
  test('never switches the type checker off', () => expectNone(checkTypeEscapes(sources)))
  test('closes what each test opened', () => expectNone(checkSharedHooks(sources)))
  test('keeps tests where a runner finds them', () =>
    expectNone(checkTestPlaces(sources.map(({ path }) => path))))
  test('skips no test', () => expectNone(checkSkippedTests(sources)))
  test('is written for people who have only the repository', () => expectNone(checkLocalWords(tree)))

  test('gives each decision a number of its own, the one in its heading', () => {
    const pages = tree.filter(({ path }) => path.startsWith('docs/adr/'))
    const numbers = pages.map(({ path }) => path.slice('docs/adr/'.length, 'docs/adr/0000'.length))
    expect(numbers.length).toBeGreaterThan(40)
    expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([])
    expect(pages.filter(({ text }, place) => !text.startsWith(`# ${numbers[place]}`))).toEqual([])
  })

  test('has a changelog chapter for its version', () => {
    const { version } = JSON.parse(textOf('package.json')) as { readonly version: string }
    expectNone(checkChangelog(textOf('CHANGELOG.md'), version))
  })

  test('locks the packages of every platform', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      readonly packages: Parameters<typeof checkLock>[0]
    }
    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expectNone(checkLock(packages))
  })
})
