import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { validateInput } from '../../../src-engine/model/validate-input.ts'

const schema: JsonObject = {
  type: 'object',
  required: ['customer', 'amount'],
  additionalProperties: false,
  properties: {
    customer: { type: 'string', title: 'Customer', minLength: 1, maxLength: 5 },
    amount: { type: 'integer', minimum: 1, maximum: 10 },
    currency: { type: 'string', enum: ['EUR', 'USD'], default: 'EUR' },
    price: { type: 'number', multipleOf: 0.1, exclusiveMinimum: 0 },
    code: { type: 'string', pattern: '^[A-Z]{2}$' },
    email: { type: 'string', format: 'email' },
    day: { type: ['string', 'null'], format: 'date' },
    at: { type: 'string', format: 'date-time' },
    site: { type: 'string', format: 'uri' },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: {
        type: 'object',
        required: ['sku'],
        properties: { sku: { type: 'string' }, count: { default: 1 } },
      },
    },
    options: { type: 'object', default: {}, properties: { fast: { type: 'boolean', default: true } } },
  },
}
const good = { customer: 'Ada', amount: 3 }
const check = (input: JsonValue): readonly string[] =>
  validateInput(schema, input).problems.map(({ message }) => message)

test('defaults are filled in, also inside lists and groups, and the input stays as it was', () => {
  const input = { ...good, lines: [{ sku: 'x' }] }
  expect(validateInput(schema, input)).toEqual({
    value: { ...good, currency: 'EUR', options: { fast: true }, lines: [{ sku: 'x', count: 1 }] },
    problems: [],
  })
  expect(input).toEqual({ ...good, lines: [{ sku: 'x' }] })
})

test.for<[string, JsonValue, string]>([
  ['missing', { amount: 3 }, '“Customer” is missing.'],
  ['a text for a number', { ...good, amount: '3' }, '“amount” must be a whole number.'],
  ['a fraction', { ...good, amount: 1.5 }, '“amount” must be a whole number.'],
  ['too small', { ...good, amount: 0 }, '“amount” must be at least 1.'],
  ['too large', { ...good, amount: 11 }, '“amount” must be at most 10.'],
  ['not above', { ...good, price: 0 }, '“price” must be more than 0.'],
  ['no multiple', { ...good, price: 0.25 }, '“price” must be a multiple of 0.1.'],
  ['empty', { ...good, customer: '' }, '“Customer” must not be empty.'],
  ['too long', { ...good, customer: 'abcdef' }, '“Customer” must have at most 5 characters.'],
  ['no choice', { ...good, currency: 'GBP' }, '“currency” must be one of "EUR", "USD".'],
  ['no match', { ...good, code: 'abc' }, '“code” does not have the expected form (^[A-Z]{2}$).'],
  ['no address', { ...good, email: 'ada' }, '“email” must be an e-mail address.'],
  ['no such day', { ...good, day: '2025-02-29' }, '“day” must be a date such as 2025-03-31.'],
  ['no uri', { ...good, site: 'example' }, '“site” must be an address such as https://example.com.'],
  ['no entries', { ...good, lines: [] }, '“lines” needs at least 1 entry.'],
  ['a bad entry', { ...good, lines: [{ sku: 'a' }, {}] }, '“lines[1].sku” is missing.'],
  ['an unknown field', { ...good, extra: 1 }, '“extra” is not a field of this form.'],
  ['no object', [], '“The input” must be a group of fields.'],
])('%s', ([, input, message]) => {
  expect(check(input)).toEqual([message])
})

test('what fits has no problems', () => {
  const fits = {
    price: 0.3,
    code: 'AB',
    email: 'a@b',
    day: null,
    at: '2024-02-29T10:00:00Z',
    site: 'http://x',
  }
  expect(check({ ...good, ...fits })).toEqual([])
  expect(validateInput(null, 5)).toEqual({ value: 5, problems: [] })
  expect(validateInput({}, [1])).toEqual({ value: [1], problems: [] })
})

test('a pattern that could run for ages is not run [C64]', () => {
  const slow: JsonObject = { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } }
  expect(validateInput(slow, { x: `${'a'.repeat(40)}!` }).problems).toEqual([])
})

test('every input gets an answer, and checking the completed input again changes nothing [C64]', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('customer', 'lines', 'day'), fc.jsonValue()),
      (any, some) => {
        for (const input of [any, { ...good, ...some }] as JsonValue[]) {
          const once = validateInput(schema, input)
          expect(validateInput(schema, once.value)).toEqual(once)
        }
      },
    ),
  )
})
