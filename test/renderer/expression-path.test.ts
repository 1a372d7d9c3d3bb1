import fc from 'fast-check'
import jsonata from 'jsonata'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src-engine/model/json.ts'
import {
  inBraces,
  insertedInTemplate,
  outputOf,
  pathExpression,
} from '../../src-renderer/forms/expression-path.ts'
import { entriesOf } from '../../src-renderer/panels/inspector/data/value-rows.ts'

/** Every leaf of a value with its path. */
function* leavesOf(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): Generator<[typeof path, JsonValue]> {
  const entries = entriesOf(value)
  if (entries === null) yield [path, value]
  else for (const [key, item] of entries) yield* leavesOf(item, [...path, key])
}

describe('the expression for a place in data', () => {
  test('names that are no plain ones are quoted, places in lists are counted', () => {
    expect(pathExpression('input', ['customer', 'first name', 0, 'and'])).toBe(
      'input.customer.`first name`[0].`and`',
    )
    expect(outputOf('fetch-orders')).toBe('nodes.`fetch-orders`.output')
    expect(pathExpression('input', [])).toBe('input')
    expect(pathExpression('input', ['we`ird', 'x'])).toBe('$lookup(input, "we`ird").x')
  })

  test('the real evaluator finds at it exactly what is there, whatever the data are', async () => {
    const key = fc.oneof(
      fc.constantFrom('a', 'b', 'and', 'in', 'null', 'first name', '0', '$', 'über', 'x`y', ''),
      fc.string({ maxLength: 4 }),
    )
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(value, async (input) => {
        for (const [path, expected] of leavesOf(input)) {
          if (path.includes('__proto__')) continue
          const found: unknown = await jsonata(pathExpression('input', path)).evaluate({ input })
          expect(found, pathExpression('input', path)).toEqual(expected)
        }
      }),
      { numRuns: 150, seed: 17 },
    )
  })

  test('in a text it gets braces of its own, inside of braces it stands alone', () => {
    expect(inBraces('input.id')).toBe('{{ input.id }}')
    expect(insertedInTemplate('Hello ', 6, 'input.name')).toBe('{{ input.name }}')
    expect(insertedInTemplate('a {{ 1 + }} b', 9, 'input.n')).toBe('input.n')
    expect(insertedInTemplate('a {{ 1 + }} b', 12, 'input.n')).toBe('{{ input.n }}')
    expect(insertedInTemplate('Hello {{  }}', 9, 'input.n')).toBe('input.n')
  })
})
