/** The examples of docs/sdk.md: each is a file beside this one, runs, and together they use every public name. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(import.meta.dirname, 'examples')
const page = readFileSync(join(root, 'docs/sdk.md'), 'utf8')
const shown = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

/** In the order of the page. Asserting is part of each: one that runs to its end is right. */
const examples = {
  'write-a-workflow': () => import('./examples/write-a-workflow.ts'),
  'keep-what-has-no-type': () => import('./examples/keep-what-has-no-type.ts'),
  'type-the-parts': () => import('./examples/type-the-parts.ts'),
  'test-a-workflow': () => import('./examples/test-a-workflow.ts'),
  'make-a-task': () => import('./examples/make-a-task.ts'),
  'run-a-workflow': () => import('./examples/run-a-workflow.ts'),
  'meet-a-refusal': () => import('./examples/meet-a-refusal.ts'),
}

describe('the examples of the SDK', () => {
  test.for(Object.entries(examples))('%s runs', async ([, load]) => {
    await expect(load()).resolves.toBeDefined()
  })

  test('are the ones of the page, with the name of the package in place of a path', () => {
    const files = Object.keys(examples).map((name) =>
      readFileSync(join(folder, `${name}.ts`), 'utf8').replaceAll(
        '../../../../src-engine/index.ts',
        'sagasmith',
      ),
    )
    expect(shown).toEqual(files)
    expect(readdirSync(folder)).toHaveLength(files.length)
  })

  const door = readFileSync(join(root, 'src-engine/index.ts'), 'utf8')
  const used = usedIn(shown)

  test('use every public export, beside importing it', () => {
    const names = publicNames(door)
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter((name) => !used.has(name))).toEqual([])
  })

  test.for([
    ["export { fresh } from './sdk/fresh.ts'", 'fresh'],
    ["export type { Fresh } from './sdk/fresh.ts'", 'Fresh'],
    ["export { old as fresh } from './sdk/fresh.ts'", 'fresh'],
    ['export const fresh = 1', 'fresh'],
    ['export async function fresh() {}', 'fresh'],
    ['export class Fresh {}', 'Fresh'],
    ['export interface Fresh {}', 'Fresh'],
    ['export type Fresh = 1', 'Fresh'],
    ["export * as fresh from './sdk/fresh.ts'", 'fresh'],
  ])('a new export without an example would be told: %s', ([line, name]) => {
    expect(publicNames(`${door}\n${line}\n`).filter((one) => !used.has(one))).toEqual([name])
  })

  test('whatever stands at the door has a name', () => {
    expect(() => publicNames("export * from './sdk/all.ts'")).toThrow('no name')
  })

  test('a name that is only imported, or stands in words, is no use of it', () => {
    const code = "import { fresh, other } from 'sagasmith'\n// fresh\nconst text = 'fresh'\nother()"
    expect([...usedIn([code])]).toEqual(['other'])
  })
})

/** What a module lets out, by name. */
function publicNames(code: string): readonly string[] {
  return code
    .split(/^(?=export\b)/m)
    .filter((part) => part.startsWith('export'))
    .flatMap((part) => {
      const list = /^export (?:type )?\{([^}]*)\}/.exec(part)?.[1]
      if (list !== undefined)
        return list
          .split(',')
          .map((name) => name.trim().replace(/^(?:type )?(?:\w+ as )?/, ''))
          .filter((name) => name !== '')
      const name =
        /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum|\* as) (\w+)/.exec(
          part,
        )?.[1]
      if (name === undefined) throw new Error(`An export has no name: ${part.split('\n')[0]}`)
      return [name]
    })
}

/** The names that modules import from the package and use. */
function usedIn(modules: readonly string[]): ReadonlySet<string> {
  return new Set(
    modules.flatMap((code) => {
      const imports = /^import (?:type )?\{([^}]*)\} from 'sagasmith'$/gm
      const names = [...code.matchAll(imports)].flatMap(([, list = '']) => list.split(','))
      const rest = code
        .replace(imports, '')
        .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
      return names
        .map((name) => name.trim())
        .filter((name) => name !== '' && new RegExp(`\\b${name}\\b`).test(rest))
    }),
  )
}
