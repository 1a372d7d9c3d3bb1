/** Conditions to be skipped move with their steps: what they read is rewritten like what parameters read. */

import { expect, test } from 'vitest'
import { expressionsOf, withExpressions } from '../../../src-engine/model/extraction/node-expressions.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'

test('a condition is one of the step’s own expressions', () => {
  const node = { kind: 'log', parameters: { message: '{{ nodes.a.output }}' }, skipIf: 'nodes.b.output = 0' }
  expect(expressionsOf(node, taskSpecsByKind).own).toEqual(['nodes.a.output', 'nodes.b.output = 0'])
  const rewritten = withExpressions(node, taskSpecsByKind, (text) => text.replace('nodes.', 'nodes.x_'))
  expect(rewritten).toMatchObject({
    parameters: { message: '{{ nodes.x_a.output }}' },
    skipIf: 'nodes.x_b.output = 0',
  })
  expect(withExpressions({ kind: 'log' }, taskSpecsByKind, () => 'x')).toEqual({ kind: 'log' })
})
