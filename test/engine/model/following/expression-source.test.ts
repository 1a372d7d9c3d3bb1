/** Where a place in the value of an expression comes from. */

import { describe, expect, it } from 'vitest'
import { sourceInExpression } from '../../../../src-engine/model/following/expression-source.ts'
import { readPlaceText, valuePlaceText } from '../../../../src-engine/model/following/value-place.ts'
import { runId } from '../../../../src-engine/model/ids.ts'

describe('the source of a value in an expression', () => {
  it.each([
    ['input', ['a'], ['input', 'a']],
    ['$$.input.total', [], ['input', 'total']],
    ['input.`total sum`[0]', ['x'], ['input', 'total sum', 0, 'x']],
    ['nodes["a-b"].output.x', [], ['nodes', 'a-b', 'output', 'x']],
    ['{ "a": { "b": input.c, "d": 1 }, "e": [1, 2] }', ['a', 'b', 0], ['input', 'c', 0]],
    ['{"a": input.x /* taken */ }', ['a'], ['input', 'x']],
  ])('%s at %j is a copy', (expression, place, path) => {
    expect(sourceInExpression(expression, place)).toEqual({ kind: 'copied', path })
  })

  it.each([
    ['input.a + 1', []],
    ['(input.a)', []],
    ['input.rows[price > 2]', []],
    ['$sum(input.rows.price)', []],
    ['{"a": input.c ? 1 : 2}', ['a']],
    ['{"a": input.x}.a', ['a']],
    ['input.rows{id: price}', ['a']],
    ['{input.name: input.x, "b": 2}', ['c']],
    ['{"a": input.x}', []],
  ])('%s at %j is made', (expression, place) => {
    expect(sourceInExpression(expression, place)).toMatchObject({ kind: 'made' })
  })

  it('knows what is written out, and secrets', () => {
    expect(sourceInExpression('{"a": 1, "b": input.x}', ['a'])).toEqual({ kind: 'literal' })
    expect(sourceInExpression('{"b": input.x}', ['a'])).toEqual({ kind: 'literal' })
    expect(sourceInExpression('"input.x"', [])).toEqual({ kind: 'literal' })
    expect(sourceInExpression('secrets.key', [])).toEqual({ kind: 'secret' })
  })
})

describe('the name of a place', () => {
  const at = { runId: runId('r'), nodeId: 'a', path: '' }

  it.each(['output', 'output.rows[0].id', 'output[3].x', 'parameters.headers["x.y"]', 'run.input.n'])(
    '%s is read as it is written',
    (text) => {
      const read = readPlaceText(text)
      expect(read === null ? null : valuePlaceText({ ...at, ...read })).toBe(text)
    },
  )

  it.each(['', 'outputs', 'output.', 'output..a', 'output[x]', 'rows.id'])('“%s” is none', (text) => {
    expect(readPlaceText(text)).toBeNull()
  })
})
