import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../src-engine/model/schema-walk.ts'
import { parameterProblems } from '../../src-engine/model/validate-parameters.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { inList, inPlace } from '../../src-renderer/forms/field-problem.ts'
import { pathFrom } from '../../src-renderer/forms/path-from.ts'
import type { KnownWorkflow } from '../../src-renderer/forms/referenced-workflow.ts'
import { knownWorkflows, referencedWorkflow } from '../../src-renderer/forms/referenced-workflow.ts'
import {
  fieldsOf,
  groupsOf,
  inTheirLanguage,
  isExpressionText,
  kindOf,
  variantsOf,
  withField,
} from '../../src-renderer/forms/schema-fields.ts'
import { amountIn, isExactIn, unitOf } from '../../src-renderer/forms/widgets/duration-units.ts'
import { objectOf } from '../../src-renderer/forms/widgets/KeyValueField.tsx'
import { inputFieldsOf, inputSchemaOf } from '../../src-renderer/panels/inspector/input-fields.ts'

const schemaOf = (kind: keyof typeof taskSpecs) => inputJsonSchema(taskSpecs[kind].parameters)
const kindsOf = (kind: keyof typeof taskSpecs) =>
  Object.fromEntries(fieldsOf(schemaOf(kind)).map((field) => [field.key, field.kind]))

describe('a problem below its field', () => {
  test.for([
    ['“Ask the shop”: “Address” is missing.', '“Address” is missing.'],
    ['“HTTP request” (ask): “Address” must not be empty.', '“Address” must not be empty.'],
    ['What undoes “Ask”: “Body” is missing.', '“Body” is missing.'],
    [
      'The trigger “Nightly” (cron): the expression “a” can’t be read: no.',
      'The expression “a” can’t be read: no.',
    ],
    ['“Ask” waits for 3 ways in but has 2: it would never start.', null],
    ['“Ask” (ask) has a password in plain text.', null],
    ['“Ask” was set up for version 1 of its task, and version 2 is here.', null],
  ] as const)('%s', ([message, said]) => {
    expect(inPlace(message)).toBe(said ?? message)
  })

  test.for([
    ['“Ask the shop”: “Address” is missing.', 'Ask the shop', '“Address” is missing.'],
    ['“HTTP request” (ask): “Address” is missing.', 'HTTP request (ask)', '“Address” is missing.'],
    ['What undoes “Ask”: “Body” is missing.', 'Ask', 'What undoes “Ask”: “Body” is missing.'],
    ['“Ask” waits for 3 ways in but has 2.', 'Ask', '“Ask” waits for 3 ways in but has 2.'],
  ] as const)('in a list of all steps: %s', ([message, where, what]) => {
    expect(inList(message, 'Ask')).toEqual({ where, what })
  })

  test('what the kinds say of a missing parameter is said without the step', () => {
    const [problem] = parameterProblems({
      ...{ schema: taskSpecs['http-request'].parameters, parameters: { url: '' }, field: 'parameters' },
      ...{ name: () => '“HTTP request” (ask)', nodeId: nodeId('ask') },
    })
    expect(problem?.message).toContain('“HTTP request” (ask): ')
    expect(inPlace(problem?.message ?? '')).toMatch(/^“Address”/)
  })
})

describe('fields from a schema', () => {
  test('the HTTP request gets a widget for each of its fields', () => {
    expect(kindsOf('http-request')).toMatchObject({
      method: 'select',
      url: 'text',
      query: 'key-value',
      headers: 'key-value',
      body: 'union',
      auth: 'union',
      maxResponseBytes: 'number',
      timeoutMs: 'duration',
      followRedirects: 'switch',
    })
  })

  test('lists, code and expressions are told by form and hint', () => {
    expect(kindsOf('shell-command')).toMatchObject({
      arguments: 'list',
      commandLine: 'code',
      cwd: 'path',
      stdin: 'multiline',
    })
    expect(kindsOf('javascript')).toMatchObject({ code: 'code' })
    expect(kindsOf('if')).toEqual({ condition: 'expression' })
    expect(kindsOf('switch')).toMatchObject({ cases: 'list', match: 'select', hasDefault: 'switch' })
  })

  test('every field of every kind has a title, and ungrouped fields come first', () => {
    for (const kind of Object.keys(taskSpecs) as (keyof typeof taskSpecs)[]) {
      const fields = fieldsOf(schemaOf(kind))
      for (const field of fields) expect(field.title, `${kind}.${field.key}`).not.toBe(field.key)
      const titles = groupsOf(fields).map((group) => group.title)
      expect(titles.indexOf(null)).toBeLessThanOrEqual(0)
    }
  })

  test('code is in the language that another field says, or would say by itself', () => {
    const languageIn = (values: JsonObject) =>
      inTheirLanguage(fieldsOf(schemaOf('script')), values).find(({ key }) => key === 'code')?.language
    expect(languageIn({ language: 'ruby' })).toBe('ruby')
    expect(languageIn({})).toBe('python')
    const others = fieldsOf(schemaOf('javascript'))
    expect(inTheirLanguage(others, {})).toEqual(others)
  })

  test('unions are told apart by their constant; other unions are texts', () => {
    const auth = fieldsOf(schemaOf('http-request')).find((field) => field.key === 'auth')
    expect(variantsOf(auth?.schema ?? {}).map((variant) => variant.value)).toEqual([
      'none',
      'basic',
      'bearer',
      'api-key',
      'oauth2',
    ])
    expect(kindOf({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toBe('text')
  })

  test('a number may hold an expression, and an emptied field goes', () => {
    expect(isExpressionText('{{ input.n }}')).toBe(true)
    expect(isExpressionText(3)).toBe(false)
    expect(withField({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
    expect(Object.keys(withField({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b'])
  })

  test('widgets keep what they are given', () => {
    expect(
      objectOf([
        ['a', '1'],
        ['', 'x'],
        ['b', 2],
      ]),
    ).toEqual({ a: '1', b: 2 })
  })

  test('a span is shown in the largest unit that keeps it whole, or in the one that was chosen', () => {
    expect([0, 500, 3_000, 120_000, 7_200_000].map(unitOf)).toEqual([1_000, 1, 1_000, 60_000, 3_600_000])
    expect(amountIn(90_000, 60_000)).toBe(1.5)
    expect(isExactIn(90_000, 60_000)).toBe(true)
    // An hour can't show a millisecond: it would read 0.
    expect(isExactIn(1, 3_600_000)).toBe(false)
  })
})

describe('another workflow', () => {
  const entry = (id: string, path: string, title = id) =>
    ({ id, path, title, modifiedAt: 0, problem: null }) as unknown as KnownWorkflow
  const known = [entry('wf_a', '/w/a.json', 'Bill'), entry('wf_b', '/w/sub/b.json', 'Bill')]

  test('is found by its id, and by the path of its file as seen from the one that names it', () => {
    const idOf = (reference: string, from: string | null) => referencedWorkflow(known, reference, from)?.id
    expect(idOf('wf_b', null)).toBe('wf_b')
    expect(idOf('./a.json', '/w/main.json')).toBe('wf_a')
    expect(idOf('../a.json', '/w/sub/main.json')).toBe('wf_a')
    expect(idOf('/w/sub/b.json', null)).toBe('wf_b')
    expect(idOf('sub\\b.json', '\\w\\main.json')).toBe('wf_b')
    expect([idOf('a.json', null), idOf('wf_c', '/w/main.json'), idOf('', null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('is told from others of its title by its file', () => {
    const shown = (entries: readonly KnownWorkflow[]) => knownWorkflows(entries).map((one) => one.shown)
    expect(shown(known)).toEqual(['Bill (a.json)', 'Bill (b.json)'])
    expect(shown([...known.slice(1), entry('wf_c', '/w/c.json', 'Add')])).toEqual(['Add', 'Bill'])
  })
})

describe('the path of a chosen file', () => {
  test('is relative beside the workflow and below it, and whole elsewhere', () => {
    expect(pathFrom('/w/main.json', '/w/data/orders.csv')).toBe('data/orders.csv')
    expect(pathFrom('C:\\w\\main.json', 'C:\\w\\data\\orders.csv')).toBe('data/orders.csv')
    expect(pathFrom('/w/main.json', '/other/orders.csv')).toBe('/other/orders.csv')
    expect(pathFrom(null, '/w/orders.csv')).toBe('/w/orders.csv')
  })
})

describe('input form', () => {
  test('fields and schema are two views of the same thing', () => {
    const schema = {
      type: 'object',
      required: ['count'],
      properties: {
        count: { type: 'integer', default: 3, title: 'Count' },
        name: { type: 'string' },
        on: { type: 'boolean', default: true },
      },
    }
    const fields = inputFieldsOf(schema)
    expect(fields.map(({ type, isRequired, defaultValue }) => [type, isRequired, defaultValue])).toEqual([
      ['number', true, '3'],
      ['text', false, ''],
      ['yes/no', false, 'true'],
    ])
    expect(inputSchemaOf(schema, fields)).toEqual(schema)
    expect(inputSchemaOf(schema, [])).toBeNull()
  })
})
