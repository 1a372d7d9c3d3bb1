import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { fieldOf } from '../../src-renderer/forms/schema-fields.ts'
import { takesValue, withValueTaken } from '../../src-renderer/forms/take-value.ts'
import { fieldsToFill } from '../../src-renderer/panels/inspector/data/fields-of-node.ts'

const dragged = { expression: 'input.first', name: 'first' }
const taken = (schema: JsonObject, value?: JsonValue) =>
  withValueTaken(fieldOf('field', schema, false), value, dragged)

describe('a value that is put into a field', () => {
  test.for<[string, JsonObject, JsonValue | undefined, JsonValue]>([
    ['text', { type: 'string' }, undefined, '{{ input.first }}'],
    ['text with something in it', { type: 'string' }, 'Hi ', 'Hi {{ input.first }}'],
    ['text that is one expression', { type: 'string' }, '{{ vars.x }}', '{{ input.first }}'],
    ['number', { type: 'number' }, 7, '{{ input.first }}'],
    ['switch', { type: 'boolean' }, true, '{{ input.first }}'],
    ['choice', { enum: ['a', 'b'] }, 'a', '{{ input.first }}'],
    ['expression', { widget: 'expression' }, undefined, 'input.first'],
    ['expression with something in it', { widget: 'expression' }, '1 +', '1 + input.first'],
    ['list', { type: 'array', items: { type: 'string' } }, ['x'], ['x', '{{ input.first }}']],
    ['names and values', { type: 'object' }, { first: 1 }, { first: 1, first2: '{{ input.first }}' }],
  ])('%s', ([, schema, value, expected]) => {
    expect(taken(schema, value)).toEqual(expected)
  })

  test('fields that take no expressions, and forms of their own, are no place for it', () => {
    expect(takesValue(fieldOf('x', { type: 'string', expressions: false }, false))).toBe(false)
    expect(takesValue(fieldOf('x', { type: 'object', properties: {} }, false))).toBe(false)
    expect(takesValue(fieldOf('x', { widget: 'code', language: 'javascript' }, false))).toBe(false)
    expect(
      takesValue(fieldOf('x', { type: 'array', items: { type: 'object', properties: {} } }, false)),
    ).toBe(false)
  })

  test('every kind offers its fields that take values, only those that count, with what is in them', () => {
    const request = fieldsToFill({ parameters: { url: 'https://x' } }, taskSpecs['http-request'])
    expect(request[0]).toMatchObject({ path: expect.stringMatching(/^parameters\./) })
    expect(request.find(({ path }) => path === 'parameters.url')).toMatchObject({ now: 'https://x' })
    expect(fieldsToFill({}, undefined)).toEqual([])
    for (const spec of Object.values(taskSpecs)) {
      const paths = fieldsToFill({}, spec).map(({ path }) => path)
      expect(new Set(paths).size, spec.kind).toBe(paths.length)
    }
  })
})
