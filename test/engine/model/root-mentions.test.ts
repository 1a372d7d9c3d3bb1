/** Which names of an expression mean what the run has, and which are fields of its data. */

import jsonata from 'jsonata'
import { describe, expect, test } from 'vitest'
import { pathName, rootMentions, withMentions } from '../../../src-engine/model/extraction/root-mentions.ts'

const seen = (expression: string) =>
  rootMentions(expression).map(({ root, nodeId, member }) => nodeId ?? member ?? root)

describe('names that mean what the run has', () => {
  test.each([
    ['input.total > vars.limit', ['input', 'vars']],
    ['nodes.fetch.output + nodes.`a-b`.output', ['fetch', 'a-b']],
    ['nodes["fetch"].output', ['fetch']],
    ['$lookup(nodes, "fetch")', ['fetch']],
    ['nodes[id]', ['nodes']],
    ['$keys(nodes)', ['nodes']],
    ['$$.nodes.a.output', ['a']],
    ['$input.x', ['input']],
    ['run.input.order', ['input']],
    ['[item, loop.index]', ['item', 'loop']],
    ['{ "input": input, "n": $sum(item.n) }', ['input', 'item']],
    ['$map(input, function($x) { $x + vars.more })', ['input', 'vars']],
    ['input ? input : vars', ['input', 'input', 'vars']],
    ['a and input', ['input']],
    ['{ input: 1 }', ['input']],
    ['$.input', ['input']],
  ] as const)('%s', (expression, expected) => {
    expect(seen(expression)).toEqual(expected)
  })

  test.each([
    ['order.input', []],
    ['"input"', []],
    ['rows[input > 3]', []],
    ['rows[input > $vars.limit]', ['vars']],
    ['rows[input > $$.vars.limit]', ['vars']],
    ['rows.{ "a": item }', []],
    ['rows.(item + loop)', []],
    ['rows^(>item)', []],
    ['rows{ item: loop }', []],
    ['rows[item = 1].item', []],
    ['input.rows[item = 1].(run)', ['input']],
    ['$f := function($x) { rows[item = $x] }', []],
    ['rows[$.input > 3]', []],
    ['nodes.$keys()', ['nodes']],
  ] as const)('not fields of data: %s', (expression, expected) => {
    expect(seen(expression)).toEqual(expected)
  })

  test('fields of data that look the same stay what they are', async () => {
    const scope = {
      input: {
        rows: [
          { item: 1, input: 5 },
          { item: 2, input: 6 },
        ],
      },
      item: 2,
      vars: { least: 6 },
      run: { input: { item: 2, vars: { least: 6 } } },
    }
    const expression = '{ "rows": input.rows[input >= $$.vars.least].{ "it": item }, "item": item }'
    const moved = withMentions(expression, ({ root, end }) =>
      root === 'input' ? null : { text: `run.input.${root}`, end },
    )
    expect(moved).toContain('$$.run.input.vars.least')
    const results = [expression, moved].map((one) => jsonata(one).evaluate(scope))
    const [before, after] = await Promise.all(results)
    expect(before).toEqual({ rows: { it: 2 }, item: 2 })
    expect(after).toEqual(before)
  })
})

test('replaces a step with its output by another path', () => {
  const replaced = withMentions('1 + nodes.a.output.x - nodes.`b c`.output', ({ nodeId, outputEnd }) =>
    outputEnd === null ? null : { text: `nodes.s.output.${pathName(nodeId ?? '')}`, end: outputEnd },
  )
  expect(replaced).toBe('1 + nodes.s.output.a.x - nodes.s.output.`b c`')
})

test('tells where more than the output of a step is read', () => {
  expect(rootMentions('nodes.a').map(({ outputEnd }) => outputEnd)).toEqual([null])
  expect(rootMentions('nodes.a.error.code').map(({ outputEnd }) => outputEnd)).toEqual([null])
  expect(rootMentions('nodes.a."output"').map(({ outputEnd }) => outputEnd)).toEqual([16])
})
