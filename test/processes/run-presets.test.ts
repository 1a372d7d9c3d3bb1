/** `sagasmith run FILE --preset NAME`: starts with an input that the workflow keeps. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmithGiven } from './sagasmith.ts'

test('a preset is found by its name or its id; what isn’t there is told with what is', async () => {
  const data = temporaryFolder()
  const file = join(data, 'orders.json')
  const nodes = { a: { kind: 'transform', parameters: { expression: 'input.customer' } } }
  const presets = {
    big: { title: 'Big order', input: { customer: 'Ada' } },
    small: { title: 'Small', input: { customer: 'Grace' } },
  }
  writeFileSync(file, JSON.stringify(documentOf({ nodes, settings: { output: 'nodes.a' }, presets })))
  const run = (...more: readonly string[]) => sagasmithGiven(data, ['run', file, ...more])
  for (const [name, customer] of [
    ['Big order', 'Ada'],
    ['small', 'Grace'],
  ] as const) {
    const said = await run('--preset', name)
    expect(said.code, said.text).toBe(0)
    expect(said.text).toContain(customer)
  }
  const missing = await run('--preset', 'huge')
  expect(missing.code).not.toBe(0)
  expect(missing.text).toContain('The workflow has no preset “huge”.')
  expect(missing.text).toContain('Use one of: Big order, Small.')
  const both = await run('--preset', 'small', '--input', '{}')
  expect(both.code).not.toBe(0)
  expect(both.text).toContain('--input and --preset both say')
})
