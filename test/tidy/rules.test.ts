/** Every tidy rule finds what is planted for it, and nothing in its lawful twin. */
import { describe, expect, test } from 'vitest'
import { checkBanned } from './banned.ts'
import {
  checkFileLength,
  checkFunctionLength,
  componentLinesMax,
  fileLinesMax,
  functionLinesMax,
} from './budgets.ts'
import { checkCycles, checkDeadFiles } from './graph.ts'
import {
  checkDefaultExports,
  checkNames,
  checkSharedHooks,
  checkSkippedTests,
  checkTestPlaces,
  checkTypeEscapes,
} from './habits.ts'
import { checkChangelog, checkLocalWords, checkLock, spell } from './prose.ts'
import { checkDependencies } from './rooms.ts'
import { parseSource } from './source-file.ts'

const parse = (path: string, text: string) => [parseSource(path, text)]
const lines = (count: number) => '  void 0\n'.repeat(count)

describe('dependency rule', () => {
  test.for([
    ['src-engine/model/a.ts', `import { b } from '../core/b.ts'`, 'model may not import core'],
    ['src-engine/core/a.ts', `import type { B } from '../store/b.ts'`, 'not even for types'],
    ['src-engine/core/a.ts', `type B = import('../store/b.ts').B`, 'core may not import store'],
    ['src-engine/core/a.ts', `export * from '../protocol/b.ts'`, 'it may import: core, model'],
    ['src-engine/store/a.ts', `void import('../runtime/b.ts')`, 'store may not import runtime'],
    ['src-engine/shell/a.ts', `import { b } from '../sdk/b.ts'`, 'shell may not import sdk'],
    ['src-engine/tasks/x/spec.ts', `import { b } from './run.ts'`, 'specs may not import tasks'],
    ['src-engine/tasks/x/spec.ts', `import { join } from 'node:path'`, 'specs runs without Node'],
    ['src-engine/model/a.ts', `import { readFileSync } from 'node:fs'`, 'model runs without Node'],
    ['src-engine/core/a.ts', `import { z } from 'zod'`, 'core may import no packages'],
    ['src-engine/runtime/a.ts', `import { app } from 'electron'`, 'only the main room'],
    ['src-engine/runtime/a.ts', `import type { Database } from 'better-sqlite3'`, 'only the store room'],
    [
      'src-renderer/a.ts',
      `import { b } from '../src-engine/runtime/b.ts'`,
      'renderer may not import runtime',
    ],
    ['src-renderer/a.ts', `import { b } from '../src-engine/tasks/runs.ts'`, 'renderer may not import tasks'],
    ['src-renderer/a.ts', `import type { B } from '../src-main/b.ts'`, 'renderer may not import main'],
    ['src-renderer/a.ts', `import { join } from 'node:path'`, 'renderer runs without Node'],
    ['bin/launcher/a.mjs', `import { z } from 'zod'`, 'launcher may import no packages'],
  ] as const)('%s must not say %s', ([path, text, words]) => {
    const findings = checkDependencies(parse(path, text))
    expect(findings).toHaveLength(1)
    expect(findings[0]?.message).toContain(words)
  })

  test.for([
    ['src-engine/model/a.ts', `import { z } from 'zod'; import { sha256 } from '@noble/hashes/sha2.js'`],
    [
      'src-engine/tasks/specs.ts',
      `import { spec } from './x/spec.ts'; import type { S } from '../model/s.ts'`,
    ],
    ['src-engine/tasks/x/run.ts', `import { spec } from './spec.ts'; import 'node:fs'`],
    ['src-engine/runtime/a.ts', `import { b } from '../store/b.ts'; import { c } from '../core/c.ts'`],
    [
      'src-renderer/a.tsx',
      `import { s } from '../src-engine/tasks/specs.ts'; import './a.css'; import 'react'`,
    ],
    ['test/engine/a.test.ts', `import { b } from '../../src-engine/store/b.ts'; import 'better-sqlite3'`],
  ] as const)('%s may say %s', ([path, text]) => {
    expect(checkDependencies(parse(path, text))).toEqual([])
  })
})

describe('graph of imports', () => {
  const a = parseSource('src-engine/core/a.ts', `import { b } from './b.ts'`)
  const b = parseSource('src-engine/core/b.ts', `import type { c } from './c.ts'`)

  test('a cycle is found once, types included, and told as a path', () => {
    const c = parseSource('src-engine/core/c.ts', `import { a } from './a.ts'`)
    expect(checkCycles([a, b, c]).map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'core/a.ts → src-engine/core/b.ts → src-engine/core/c.ts → src-engine/core/a.ts',
      ),
    ])
  })

  test('two ways to the same file are no cycle', () => {
    const c = parseSource('src-engine/core/c.ts', '')
    const d = parseSource('src-engine/core/d.ts', `import './a.ts'; import './b.ts'`)
    expect(checkCycles([a, b, c, d])).toEqual([])
  })

  test('a file that no entry reaches is dead; one named by a string or a dynamic import is not', () => {
    const files = [
      parseSource('src-engine/shell/cli.ts', `void import('./serve.ts'); fork(join(dir, 'child.ts'))`),
      parseSource('src-engine/shell/serve.ts', ''),
      parseSource(
        'src-engine/shell/child.ts',
        `new Worker(new URL('../runtime/worker.ts', import.meta.url))`,
      ),
      parseSource('src-engine/runtime/worker.ts', ''),
      parseSource('src-engine/shell/forgotten.ts', ''),
    ]
    const dead = checkDeadFiles(files, ['src-engine/shell/{cli,gui}.ts'])
    expect(dead.map(({ path }) => path)).toEqual(['src-engine/shell/forgotten.ts'])
  })
})

describe('budgets', () => {
  test('a file over budget is found, unless an exemption still holds', () => {
    const long = parse('src-engine/core/a.ts', lines(fileLinesMax + 1))
    const exemption = {
      path: 'src-engine/core/a.ts',
      fileLinesMax: 500,
      reason: 'a test',
      until: '2030-01-31',
    }
    expect(checkFileLength(long, [], '2030-01-31')).toHaveLength(1)
    expect(checkFileLength(long, [exemption], '2030-01-31')).toEqual([])
    expect(checkFileLength(long, [exemption], '2030-02-01')).toHaveLength(1)
    expect(checkFileLength(parse('src-engine/core/a.ts', lines(fileLinesMax)), [], '2030-01-31')).toEqual([])
  })

  test.for([
    ['src-engine/core/a.ts', (body: string) => `function f() {\n${body}}`, functionLinesMax],
    ['src-engine/core/a.ts', (body: string) => `const f = () => {\n${body}}`, functionLinesMax],
    ['src-engine/core/a.ts', (body: string) => `class A { f() {\n${body}} }`, functionLinesMax],
    ['src-renderer/ui/A.tsx', (body: string) => `function useA() {\n${body}}`, functionLinesMax],
    ['src-renderer/ui/A.tsx', (body: string) => `function A() {\n${body}}`, componentLinesMax],
  ] as const)('a function in %s has a budget', ([path, wrap, max]) => {
    expect(checkFunctionLength(parse(path, wrap(lines(max - 2))))).toEqual([])
    expect(checkFunctionLength(parse(path, wrap(lines(max - 1))))).toHaveLength(1)
  })

  test('data that is made lazily has none, and what it takes steps to make has', () => {
    const fields = Array.from({ length: functionLinesMax }, (_, field) => `f${field}: z.string(),\n`).join('')
    const found = (text: string) => checkFunctionLength(parse('src-engine/model/a.ts', text))
    expect(found(`const schema = lazily(() => z.object({\n${fields}}))`)).toEqual([])
    expect(found(`const schema = made(() => z.object({\n${fields}}))`)).toHaveLength(1)
    expect(found(`const schema = lazily(() => {\n${lines(functionLinesMax)}})`)).toHaveLength(1)
  })
})

describe('banned tokens', () => {
  test.for([
    'Date.now()',
    'const now = Date.now',
    'globalThis.Date.now()',
    'new Date()',
    'Math.random()',
    'performance.now()',
    'setTimeout(f, 1)',
    'globalThis.setInterval(f, 1)',
    'setImmediate(f)',
    'process.env.HOME',
    'console.log(1)',
    `fetch('http://example.org')`,
    `import { spawn } from 'node:child_process'`,
    `import { createServer } from 'node:http'`,
  ])('%s is found outside its places and allowed in tests', (text) => {
    const findings = checkBanned(parse('src-engine/store/a.ts', text))
    expect(findings.length).toBeGreaterThan(0)
    expect(findings[0]?.message).toContain('is allowed in')
    expect(checkBanned(parse('test/engine/a.test.ts', text))).toEqual([])
  })

  test.for([
    'new Date(0)',
    'clock.now()',
    'timers.setTimeout(f, 1)',
    '// Date.now()',
    `'console.log'`,
    `import type { Server } from 'node:http'`,
  ])('%s is no use of a banned token', (text) =>
    expect(checkBanned(parse('src-engine/core/a.ts', text))).toEqual([]),
  )
})

describe('habits', () => {
  test.for([
    'src-engine/core/utils.ts',
    'src-engine/core/types.ts',
    'src-renderer/Common.tsx',
    'src-main/ipcRouter.ts',
  ])('%s is a bad name', (path) => expect(checkNames([path.replace('Common', 'common')])).not.toEqual([]))

  test('kebab-case files and PascalCase components are good names', () => {
    const paths = [
      'src-engine/core/start-run.ts',
      'src-renderer/ui/Button.tsx',
      'src-renderer/main.tsx',
      'test/a.test.ts',
    ]
    expect(checkNames(paths)).toEqual([])
  })

  test('a default export is found, except where a tool reads it', () => {
    const text = 'export default {}'
    expect(checkDefaultExports(parse('src-engine/core/a.ts', text))).toHaveLength(1)
    expect(checkDefaultExports(parse('electron.vite.config.ts', text))).toEqual([])
  })

  test('any and silenced checks are found', () => {
    const text = spell('let a: any\n// @ts-', 'ignore\nlet b: unknown')
    expect(checkTypeEscapes(parse('src-engine/core/a.ts', text)).map(({ line }) => line)).toEqual([1, 2])
  })

  test.for(['test.skip("a", f)', 'describe.only("a", f)', 'test.todo("a")', 'test.describe.fixme("a", f)'])(
    '%s does not pass for a test',
    (text) => expect(checkSkippedTests(parse('test/engine/a.test.ts', text))).toHaveLength(1),
  )
})

describe('hooks', () => {
  const hook = 'afterEach(() => close())'

  test.for([hook, 'beforeAll(async () => {})', 'test.afterAll(() => close())'])(
    '%s at the top of a shared file is one file’s alone',
    (text) => expect(checkSharedHooks(parse('test/engine/scene.ts', text))).toHaveLength(1),
  )

  test.for([
    ['test/engine/a.test.ts', hook],
    ['test/e2e/browser/a.e2e.ts', `test.${hook}`],
    ['test/engine/scene.ts', `export function useScene(): void { ${hook} }`],
    ['test/engine/scene.ts', 'onTestFinished(() => close())'],
  ] as const)('in %s, %s is fine', ([path, text]) => expect(checkSharedHooks(parse(path, text))).toEqual([]))
})

describe('places of tests', () => {
  test.for([
    'test/support/a.test.ts',
    'test/engine/a.spec.ts',
    'test/engine/a.e2e.ts',
    'test/e2e/a.e2e.ts',
    'src-main/a.test.ts',
  ])('%s never runs', (path) => expect(checkTestPlaces([path])).toHaveLength(1))

  test.for([
    'test/engine/core/a.test.ts',
    'test/renderer/a.test.tsx',
    'test/e2e/browser/a.e2e.ts',
    'test/engine/a.ts',
  ])('%s is fine', (path) => expect(checkTestPlaces([path])).toEqual([]))
})

describe('prose', () => {
  test('paths of one machine and hosts of registries are found', () => {
    const planted = [
      spell('see /wo', 'rk/main/a.ts'),
      spell('in /tmp/scr', 'atch/a'),
      spell('"resolved": "ht', 'tps://example.org/a.tgz"'),
    ]
    const findings = checkLocalWords([{ path: 'README.md', text: planted.join('\n') }])
    expect(findings.map(({ line }) => line)).toEqual([1, 2, 3])
    expect(checkLocalWords([{ path: 'README.md', text: 'docs/work/notes.md and /network/' }])).toEqual([])
  })

  test('a version without a changelog chapter is found', () => {
    expect(checkChangelog('# Changelog\n## [0.1.0] - Unreleased\n', '0.1.0')).toEqual([])
    expect(checkChangelog('# Changelog\n## [0.1.0] - Unreleased\n', '0.2.0')).toHaveLength(1)
  })

  test('an optional package that the lock lacks is found', () => {
    const parent = { version: '1.0.0', optionalDependencies: { '@a/linux': '1.0.0', '@a/darwin': '1.0.0' } }
    const packages = { 'node_modules/a': parent, 'node_modules/@a/linux': { version: '1.0.0' } }
    expect(checkLock(packages).map(({ message }) => message)).toEqual([expect.stringContaining('@a/darwin')])
    expect(checkLock({ ...packages, 'node_modules/a/node_modules/@a/darwin': { version: '1.0.0' } })).toEqual(
      [],
    )
  })
})
