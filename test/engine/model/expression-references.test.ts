import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expressionReferences, takesAll } from '../../../src-engine/model/expression-references.ts'

describe('expressionReferences', () => {
  test.for([
    ['nodes.fetch.body', ['fetch']],
    ['nodes.`fetch-orders`[0]', ['fetch-orders']],
    ['nodes."fetch".body', ['fetch']],
    ['nodes["fetch"].body', ['fetch']],
    ["nodes [ 'fetch' ]", ['fetch']],
    ['$nodes.fetch', ['fetch']],
    ['$$.nodes.a + $.nodes.b', ['a', 'b']],
    ['$lookup(nodes, "a b")', ['a b']],
    ['nodes /* really */ . fetch', ['fetch']],
    ['nodes.a & nodes.b & nodes.a', ['a', 'b', 'a']],
    ['input.nodes.fetch', []],
    ['"nodes.fetch" & /nodes.x/', []],
    ['/* nodes.fetch */ 1', []],
    ['nodes[id]', []],
    ['$keys(nodes)', []],
    ['nodes.$keys()', []],
    ['$f(nodes, "a")', []],
    ['mynodes.fetch', []],
    ['nodes.', []],
  ] as const)('%s', ([expression, expected]) => {
    expect(expressionReferences(expression).map((reference) => reference.nodeId)).toEqual(expected)
  })

  test('the range covers the name with its quotes', () => {
    const expression = '1 + nodes["fetch"].body'
    const [reference] = expressionReferences(expression)
    expect(expression.slice(reference?.start, reference?.end)).toBe('"fetch"')
  })

  test('any text is answered with ranges inside it', () => {
    const unit = fc.constantFrom('nodes', '.', '[', ']', '"', '`', 'a', ' ', '/', '*', '$')
    fc.assert(
      fc.property(fc.string({ unit }), (expression) => {
        for (const { start, end, nodeId } of expressionReferences(expression)) {
          expect(start).toBeLessThan(end)
          expect(expression.slice(start, end)).toContain(nodeId)
        }
      }),
    )
  })
})

test.for([
  ['input.price * 1.21', false],
  ['6*7', false],
  ['(a + b) * c[0] * 2', false],
  ['$count(x) % 2', false],
  ['{"a": 1}.a * 2', false],
  ['"*" & /a*/', false],
  ['a /* * */ + b', false],
  ['*', true],
  ['input.*', true],
  ['nodes.**.id', true],
  ['$sum(*)', true],
  ['2 * *', true],
  ['a.b.%.c', true],
  ['x in *', true],
] as const)('whether %s takes all that there is: %s', ([expression, expected]) => {
  expect(takesAll(expression)).toBe(expected)
})
