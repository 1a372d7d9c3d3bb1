/**
 * What the built files import. The engine and everything it starts must run without Electron, and a
 * sandboxed preload may require nothing but Electron.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import { parseSync } from 'oxc-parser'
import { projectRoot } from './launch.ts'

const mainFolder = join(projectRoot, 'out/main')

/**
 * Every module a file names: imports, re-exports, dynamic imports of a literal, and require calls of
 * packages (relative ones belong to libraries that carry a little module system of their own).
 */
function importsOf(path: string): readonly string[] {
  const code = readFileSync(path, 'utf8')
  const { module, program } = parseSync(path, code, { sourceType: 'module' })
  const literal = (from: { start: number; end: number }): string => code.slice(from.start + 1, from.end - 1)
  return [
    ...module.staticImports.map((found) => found.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports
      .filter(({ moduleRequest }) => /^["'`]/.test(code.slice(moduleRequest.start, moduleRequest.end)))
      .map(({ moduleRequest }) => literal(moduleRequest)),
    ...requiredIn(program).filter((name) => !name.startsWith('.')),
  ]
}

/** The literals of all calls of `require` below a node; texts that only speak of one don't count. */
function requiredIn(root: unknown): readonly string[] {
  const found: string[] = []
  const waiting: unknown[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const {
      type,
      callee,
      arguments: args,
    } = node as {
      readonly type?: string
      readonly callee?: { readonly name?: string }
      readonly arguments?: readonly { readonly value?: unknown }[]
    }
    const name = args?.[0]?.value
    if (type === 'CallExpression' && callee?.name === 'require' && typeof name === 'string') found.push(name)
    for (const child of Object.values(node)) waiting.push(child ?? null)
  }
  return found
}

/** The packages that a built entry reaches, and how many files that took. */
function walk(entry: string): { readonly packages: readonly string[]; readonly fileCount: number } {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const waiting = [join(mainFolder, entry)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const name of importsOf(path)) {
      if (name.startsWith('.')) waiting.push(join(dirname(path), name))
      else if (!isBuiltin(name)) packages.add(name)
    }
  }
  return { packages: [...packages].sort(), fileCount: seen.size }
}

const outside: Readonly<Record<string, readonly string[]>> = {
  'engine.js': ['better-sqlite3'],
  'cli.js': ['better-sqlite3'],
  'expression-worker.js': [],
  'heartbeat-worker.js': ['better-sqlite3'],
  'javascript-sandbox.js': [],
  'output-scan-worker.js': [],
  'text-worker.js': [],
  'index.js': ['electron'],
}

for (const [entry, expected] of Object.entries(outside)) {
  test(`${entry} reaches ${expected.join(' and ') || 'nothing'} outside the bundle`, () => {
    const { packages, fileCount } = walk(entry)
    expect(packages).toEqual(expected)
    expect(fileCount).toBeGreaterThan(1)
  })
}

test('the preload is one file that requires electron alone', () => {
  const path = join(projectRoot, 'out/preload/index.cjs')
  expect([...new Set(importsOf(path))]).toEqual(['electron'])
})

test('what draws the page has all of its functions compiled as it is loaded', () => {
  const folder = join(projectRoot, 'out/renderer/assets')
  const drawing = readdirSync(folder).filter((name) => /^drawing-.*\.js$/.test(name))
  expect(drawing).toHaveLength(1)
  const code = readFileSync(join(folder, drawing[0] ?? ''), 'utf8')
  // Only in the first line of a file it is heard.
  expect(code.split('\n')[0]).toBe('//# allFunctionsCalledOnLoad')
  expect(code).toContain('react-dom')
})

test('QuickJS finds its WebAssembly beside the file that loads it', () => {
  expect(existsSync(join(mainFolder, 'quickjs-wasmfile-release-sync.wasm'))).toBe(true)
})
