/** Breakpoints on a command line: a step, under a condition, or for one time only. */

import { expect, test } from 'vitest'
import { breakpointsOf } from '../../../src-engine/shell/commands/breakpoint-flags.ts'
import { documentOf } from '../model/workflow-fixture.ts'

const document = documentOf({ nodes: { send: { kind: 'noop' } } })

test('a step, a condition and a time are told apart', () => {
  const text = ['send', 'send#3', 'send=input.of = 1', 'send#2=$contains(input, "#")'].join('\n')
  expect(breakpointsOf(text, document)).toEqual([
    { nodeId: 'send', condition: null },
    { nodeId: 'send', condition: null, nth: 3 },
    { nodeId: 'send', condition: 'input.of = 1' },
    { nodeId: 'send', condition: '$contains(input, "#")', nth: 2 },
  ])
})

test.each(['send#0', 'send#x', 'send#', 'send#1.5', 'send=', '#2', 'other#2'])('%s is none', (text) => {
  expect(() => breakpointsOf(text, document)).toThrow(expect.objectContaining({ code: 'bad_request' }))
})
