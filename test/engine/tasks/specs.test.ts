/** What every spec must keep to, so that palette, forms, validation and engine can rely on it. */

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { createNodeSandboxHost } from '../../../src-engine/tasks/javascript/sandbox-host.ts'
import { createTaskRuns } from '../../../src-engine/tasks/runs.ts'
import { taskSpecs, taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { createNodeSqliteHost } from '../../../src-engine/tasks/sql/sqlite-host.ts'
import { triggerSpecs } from '../../../src-engine/triggers/specs.ts'

const all = [...Object.entries(taskSpecs), ...Object.entries(triggerSpecs)]
const hints = [
  ...[
    'title',
    'description',
    'widget',
    'language',
    'languageFrom',
    'mapped',
    'placeholder',
    'group',
    'expressions',
    'secret',
  ],
  ...['choices', 'when'],
]
const schemaWords = [
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'enum',
  'const',
  'default',
  'oneOf',
  'anyOf',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'exclusiveMinimum',
  'exclusiveMaximum',
  '$defs',
  '$ref',
  'allOf',
]
const odd: readonly JsonObject[] = [
  {},
  { cases: 7, branches: 'x', url: [], arguments: {}, code: 3 },
  { cases: [null, 4, {}] },
]

/** Every property of every object in a JSON Schema. */
function fieldsOf(schema: JsonValue | undefined): readonly [string, JsonObject][] {
  if (Array.isArray(schema)) return schema.flatMap((item: JsonValue) => fieldsOf(item))
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, ...others } = schema as JsonObject
  const own = Object.entries((properties ?? {}) as JsonObject) as [string, JsonObject][]
  const deeper = [...own.map(([, field]) => field), others['items'], others['oneOf'], others['anyOf']]
  return [...own, ...deeper.flatMap((item) => fieldsOf(item))]
}

describe.for(all)('%s', ([kind, spec]) => {
  const schema = z.toJSONSchema(spec.parameters, { io: 'input' }) as JsonObject

  test('is catalogued under its own kind and says what it is', () => {
    expect(spec.kind).toBe(kind)
    expect(spec.description).toMatch(/^[A-Z].*\.$/)
    expect(spec.icon).toMatch(/^[a-z0-9-]+$/)
  })

  test('every field has a title and only known hints', () => {
    for (const [name, field] of fieldsOf(schema)) {
      if (field['const'] === undefined) expect(field['title'], name).toEqual(expect.any(String))
      const unknown = Object.keys(field).filter((key) => !hints.includes(key) && !schemaWords.includes(key))
      expect(unknown, name).toEqual([])
    }
  })

  test('words for choices, and fields that others depend on, are of values and fields that it has', () => {
    const fields = fieldsOf(schema)
    const enumOf = (key: string) => fields.find(([name]) => name === key)?.[1]['enum']
    for (const [name, { choices = {}, enum: values = [], when = {} }] of fields) {
      for (const value of Object.keys(choices as JsonObject)) expect(values, name).toContain(value)
      for (const [key, wanted] of Object.entries(when as JsonObject)) {
        const known: unknown = enumOf(key) ?? [true, false]
        for (const item of wanted as readonly unknown[]) expect(known, `${name} when ${key}`).toContain(item)
      }
    }
  })

  test('its defaults break no rule, they only leave something to fill in', () => {
    const parsed = spec.parameters.safeParse(spec.defaults)
    const codes = parsed.success ? [] : parsed.error.issues.map(({ code }) => code)
    expect(
      codes.every((code) => ['too_small', 'custom', 'invalid_type', 'invalid_format'].includes(code)),
    ).toBe(true)
  })

  test('its summary is short and stands anything', () => {
    for (const raw of [
      spec.defaults,
      ...odd,
      { [Object.keys(spec.defaults)[0] ?? 'x']: 'long '.repeat(99) },
    ]) {
      const summary = spec.summary(raw)
      expect(summary.length).toBeGreaterThan(0)
      expect(summary.length).toBeLessThanOrEqual(100)
    }
  })
})

describe('ways out', () => {
  test.for([...taskSpecsByKind])('of %s stand anything and have names of their own', ([, spec]) => {
    for (const raw of [spec.defaults, ...odd]) {
      const ids = spec.outputs(raw).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).not.toContain('error')
    }
  })

  test('of a switch are its cases and the default', () => {
    const cases = [{ title: 'Small', when: 'x' }, { when: 'y' }]
    expect(taskSpecs.switch.outputs({ cases })).toEqual([
      { id: 'case-1', title: 'Small' },
      { id: 'case-2', title: 'Case 2' },
      { id: 'default', title: 'Default' },
    ])
    expect(taskSpecs.switch.outputs({ cases, hasDefault: false })).toHaveLength(2)
  })

  test('of a fork are its branches', () => {
    expect(taskSpecs.fork.outputs({ branches: [{ title: 'A' }, {}] })).toEqual([
      { id: 'branch-1', title: 'A' },
      { id: 'branch-2', title: 'Branch 2' },
    ])
  })
})

test('every runner kind has a run, and no inline kind has one', () => {
  const runs = createTaskRuns({
    sandbox: createNodeSandboxHost(),
    packages: { allowed: [], folder: '' },
    environment: {},
    lookup: async () => [],
    evaluate: async () => null,
    sqlite: createNodeSqliteHost(),
  })
  const expected = Object.values(taskSpecs).filter(({ execution }) => execution === 'runner')
  expect([...runs.keys()].sort()).toEqual(expected.map(({ kind }) => kind).sort())
})

test('a card shows what matters', () => {
  expect(taskSpecs['http-request'].summary({ method: 'POST', url: 'https://example.com/orders' })).toBe(
    'POST example.com/orders',
  )
  expect(taskSpecs['shell-command'].summary({ program: 'ls', arguments: ['-l', 'data'] })).toBe('ls -l data')
  expect(taskSpecs.javascript.summary({ code: '// why\n\nreturn input.a' })).toBe('return input.a')
  expect(taskSpecs.delay.summary({ amount: 5, unit: 'minutes' })).toBe('5 minutes')
  expect(taskSpecs.debug.summary({ failTimes: 2, sleepMs: 1500 })).toBe('works 1.5 s, fails 2×')
})

/** What a file may say where a kind expects something else: the last one has no text of its own that could be taken. */
const oddValues: readonly unknown[] = [
  null,
  7,
  '',
  [],
  [null],
  {},
  { toString: 1 },
  [{ toString: 1 }],
  [[{ toString: 1 }]],
]

test.for(all)('the card of %s is drawn whatever it was given', ([, spec]) => {
  for (const odd of oddValues) {
    // Every field is that, also those that nobody knows.
    const parameters = new Proxy<JsonObject>({}, { get: () => odd })
    expect(typeof spec.summary(parameters)).toBe('string')
  }
})
