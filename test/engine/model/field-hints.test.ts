import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  fieldHintsAt,
  fieldPathText,
  fieldTexts,
  textRoleAt,
  untypedTexts,
} from '../../../src-engine/model/field-hints.ts'

const expression = (): z.ZodString => z.string().meta({ widget: 'expression', language: 'jsonata' })

const schema = z.object({
  url: z.string().meta({ title: 'Address', placeholder: 'https://' }),
  source: z.string().meta({ widget: 'code', expressions: false }).default('1'),
  condition: expression().optional(),
  note: z.string().nullable(),
  cases: z.array(z.object({ when: expression(), title: z.string() })),
  fields: z.record(z.string(), expression()),
  headers: z.record(z.string(), z.string()),
  raw: z.object({ text: z.string(), list: z.array(z.string()) }).meta({ expressions: false }),
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), content: z.string() }),
    z.object({ kind: z.literal('script'), content: z.string().meta({ expressions: false }) }),
    z.object({ kind: z.literal('value'), content: expression() }),
  ]),
})

describe('fieldHintsAt', () => {
  test('gives what the spec put on the field', () => {
    expect(fieldHintsAt(schema, ['url'])).toEqual({ title: 'Address', placeholder: 'https://' })
  })

  test.for([
    [['url'], 'template'],
    [['source'], 'code'],
    [['condition'], 'expression'],
    [['note'], 'template'],
    [['cases', 3, 'when'], 'expression'],
    [['cases', 3, 'title'], 'template'],
    [['fields', 'anything'], 'expression'],
    [['headers', 'x-id'], 'template'],
    [['raw', 'text'], 'code'],
    [['raw', 'list', 0], 'code'],
    [['nowhere', 'at all'], 'template'],
    [['headers', '__proto__'], 'template'],
  ] as const)('%j is %s', ([path, role]) => {
    expect(textRoleAt(schema, path)).toBe(role)
  })

  test.for([
    ['text', 'template'],
    ['script', 'code'],
    ['value', 'expression'],
  ] as const)('the member %s of a union is picked by the value', ([kind, role]) => {
    expect(textRoleAt(schema, ['body', 'content'], { body: { kind, content: '' } })).toBe(role)
  })
})

describe('fieldTexts', () => {
  test('finds every text with its path and role', () => {
    const parameters = {
      url: '{{ input.url }}',
      source: 'return "{{"',
      cases: [{ when: 'a > 1', title: 'Big' }],
      headers: { accept: 'x' },
      raw: { list: ['{{'] },
      unknown: ['y', 1, null, true],
    }
    const texts = fieldTexts(parameters, schema).map(({ path, role }) => [fieldPathText(path), role])
    expect(texts).toEqual([
      ['url', 'template'],
      ['source', 'code'],
      ['cases[0].when', 'expression'],
      ['cases[0].title', 'template'],
      ['headers.accept', 'template'],
      ['raw.list[0]', 'code'],
      ['unknown[0]', 'template'],
    ])
  })

  test('an unknown kind has templates only', () => {
    expect(untypedTexts({ a: { b: 'x' } })).toEqual([
      { path: ['a', 'b'], text: 'x', role: 'template', hints: {} },
    ])
  })

  test('a schema that contains itself is walked as far as the value goes', () => {
    interface Tree {
      readonly label: string
      readonly children: readonly Tree[]
    }
    const tree: z.ZodType<Tree> = z.lazy(() =>
      z.object({ label: z.string().meta({ expressions: false }), children: z.array(tree) }),
    )
    const parameters = { label: 'a', children: [{ label: 'b', children: [] }] }
    expect(fieldTexts(parameters, tree).map((text) => text.role)).toEqual(['code', 'code'])
  })
})
