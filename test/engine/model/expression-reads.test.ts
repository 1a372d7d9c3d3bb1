/** Which places of its data an expression reads. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expressionReads } from '../../../src-engine/model/expression-reads.ts'

const textsOf = (expression: string): readonly string[] =>
  expressionReads(expression).map(({ path, isExact }) => `${path.join(' ')}${isExact ? '' : ' …'}`)

describe('the places that an expression reads', () => {
  it.for([
    ['input.total > 100', ['input total']],
    ['nodes.fetch.output.rows[0].id', ['nodes fetch output rows 0 id']],
    ['nodes.`fetch-orders`.output & vars.name', ['nodes fetch-orders output', 'vars name']],
    ['nodes["fetch"].output', ['nodes fetch output']],
    ['$$.input.a + $$.nodes.b.output', ['input a', 'nodes b output']],
    ['$sum(input.lines.price)', ['input lines price']],
    ['input.lines[price > 3].id', ['input lines …']],
    ['input.{"a": b}', ['input …']],
    ['input.*', ['input …']],
    ['input.$keys()', ['input …']],
    ['"input.a" & order.input.b', []],
    ['item.id = loop.value and run.input.x', ['item id', 'loop value', 'run input x']],
    ['input.a + input.a', ['input a']],
    ['input', ['input']],
  ] as const)('%s', ([expression, places]) => {
    expect(textsOf(expression)).toEqual(places)
  })

  it('names every written-out path whole, wherever it stands', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/).filter((text) => !['and', 'or', 'in'].includes(text))
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 4 }),
        fc.constantFrom('$f(@)', '@ + 1', '[@]', '(@) > 2'),
        (names, around) => {
          const path = ['input', ...names]
          expect(expressionReads(around.replace('@', path.join('.')))).toEqual([{ path, isExact: true }])
        },
      ),
    )
  })
})
