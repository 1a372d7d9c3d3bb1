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

  test('name every public export', () => {
    const door = readFileSync(join(root, 'src-engine/index.ts'), 'utf8')
    const names = [...door.matchAll(/^export (?:type )?\{([^}]*)\}|^export (?:async )?function (\w+)/gm)]
      .flatMap(([, list, name]) => (name === undefined ? (list ?? '').split(',') : [name]))
      .map((name) => name.trim())
      .filter((name) => name !== '')
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(shown.join('\n')))).toEqual([])
  })
})
