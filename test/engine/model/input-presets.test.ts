/** Inputs under names: how they are found, and what they are called in the document. */

import { expect, test } from 'vitest'
import { freePresetId, presetNamed, presetsOf } from '../../../src-engine/model/input-presets.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { validationOptions } from '../../../src-engine/shell/validate-json.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from './workflow-fixture.ts'

const presets = {
  b: { title: 'Order 10', input: { n: 10 } },
  a: { title: 'Order 9', input: { n: 9 } },
  'order-9': { title: 'another', input: {} },
}

test('they are listed by title, as people count', () => {
  expect(presetsOf({ presets }).map(({ title }) => title)).toEqual(['another', 'Order 9', 'Order 10'])
  expect(presetsOf({})).toEqual([])
})

test('one is found by its title, or else by its id', () => {
  expect(presetNamed({ presets }, 'Order 9')?.input).toEqual({ n: 9 })
  expect(presetNamed({ presets }, 'order-9')?.title).toBe('another')
  expect(presetNamed({ presets }, 'order 9')).toBeNull()
  expect(presetNamed({}, 'constructor')).toBeNull()
})

test.each([
  ['Big order', [], 'big-order'],
  ['Big order', ['big-order', 'big-order-2'], 'big-order-3'],
  ['Élan!', [], 'e-lan'],
  ['2026', [], 'preset-2026'],
  ['…', [], 'preset'],
])('“%s” beside %j is kept as “%s”', (title, taken, id) => {
  expect(freePresetId(new Set(taken), title)).toBe(id)
})

test('a document keeps them; one that is none is left out and told', () => {
  const kept = documentOf({ nodes: { a: { kind: 'noop' } }, presets })
  expect(kept.presets).toEqual(presets)
  const odd = documentOf({ nodes: { a: { kind: 'noop' } }, presets: { ...presets, odd: { title: 'Odd' } } })
  expect(presetsOf(odd).map(({ id }) => id)).not.toContain('odd')
  const problems = validateWorkflow(odd, taskSpecsByKind, validationOptions)
  expect(problems).toMatchObject([{ severity: 'error', field: 'presets.odd.input' }])
})
