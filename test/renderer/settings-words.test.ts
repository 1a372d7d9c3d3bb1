import { describe, expect, test } from 'vitest'
import { normalDocument } from '../../src-engine/model/definition-hash.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../src-engine/model/schema-walk.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import type { FormField } from '../../src-renderer/forms/schema-fields.ts'
import { countingFields, fieldsOf, groupsOf, valueWords } from '../../src-renderer/forms/schema-fields.ts'
import { settingSummaries, workflowSummaries } from '../../src-renderer/panels/inspector/setting-summaries.ts'
import { settingsSchema } from '../../src-renderer/panels/inspector/settings-schema.ts'
import { factsOf } from '../../src-renderer/panels/inspector/use-engine-facts.ts'
import type { EngineFacts, UsualOf } from '../../src-renderer/panels/inspector/usual-settings.ts'
import { withUsual } from '../../src-renderer/panels/inspector/usual-settings.ts'
import { workflowSettingsSchema } from '../../src-renderer/panels/inspector/workflow-settings-schema.ts'
import { blankDocument } from '../../src-renderer/state/blank-document.ts'

const engine: EngineFacts = { reroutes: false, poolsByTopic: new Map() }
const schemaFor = (given: Partial<UsualOf> = {}): JsonObject => {
  const node: WorkflowNode = given.node ?? { kind: 'shell-command' }
  const spec = Object.values(taskSpecs).find(({ kind }) => kind === node.kind)
  return withUsual(settingsSchema, { node, spec, settings: undefined, engine, ...given })
}
/** The field at a path of the form. */
function fieldAt(schema: JsonObject, path: string): FormField | undefined {
  const [first = '', ...rest] = path.split('.')
  const field = fieldsOf(schema).find(({ key }) => key === first)
  return rest.length === 0 || field === undefined ? field : fieldAt(field.schema, rest.join('.'))
}
/** Every field of a form, also inside of objects, lists and unions. */
function allFields(schema: JsonObject): readonly FormField[] {
  const inner = (one: JsonValue | undefined): readonly FormField[] =>
    isJsonObject(one) ? allFields(one) : []
  const members = [schema['oneOf'], schema['anyOf']].flatMap((list) => (Array.isArray(list) ? list : []))
  return [
    ...fieldsOf(schema).flatMap((field) => [field, ...allFields(field.schema)]),
    ...inner(schema['items']),
    ...members.flatMap(inner),
  ]
}

describe('words for choices', () => {
  /** Their values are what people write themselves, or what the other side's page calls them. */
  const plain = new Set(['method', 'unit', 'escalateUnit', 'algorithm', 'encoding'])

  test.each(Object.values(taskSpecs).map((spec) => [spec.kind, inputJsonSchema(spec.parameters)] as const))(
    'no choice of “%s” shows the word that is stored',
    (_kind, schema) => {
      const raw = allFields(schema)
        .filter(({ key }) => !plain.has(key))
        .flatMap(({ key, choices }) => choices.filter(({ title, value }) => title === value).map(() => key))
      expect(raw).toEqual([])
    },
  )

  test('nor does one of the settings of nodes and workflows', () => {
    const fields = [...allFields(settingsSchema), ...allFields(workflowSettingsSchema)]
    const selects = fields.filter(({ kind }) => kind === 'select')
    expect(selects.length).toBeGreaterThan(10)
    for (const { choices } of selects) {
      for (const { title, value } of choices) {
        expect(title).not.toBe(value)
        expect(title).not.toMatch(/^[A-Z_]+$/)
      }
    }
  })
})

describe('what counts for a node that says nothing', () => {
  test('its kind says what a repeat does, and from that follows what happens when it is cut off', () => {
    const unsafe = schemaFor()
    expect(fieldAt(unsafe, 'sideEffect')).toMatchObject({ defaultValue: 'unsafe', origin: 'from its kind' })
    expect(fieldAt(unsafe, 'onLost')?.defaultValue).toBe('ask')
    expect(fieldAt(schemaFor({ node: { kind: 'transform' } }), 'onLost')?.defaultValue).toBe('retry')
    const said = schemaFor({ node: { kind: 'shell-command', sideEffect: 'idempotent' } })
    expect(fieldAt(said, 'sideEffect')?.defaultValue).toBe('unsafe')
    expect(fieldAt(said, 'onLost')?.defaultValue).toBe('retry')
  })

  test('the workflow says the priority, the engine what happens without room', () => {
    const schema = schemaFor({ settings: { priority: 'HIGH' }, engine: { ...engine, reroutes: true } })
    expect(fieldAt(schema, 'priority')).toMatchObject({ defaultValue: 'HIGH', origin: 'from the workflow' })
    expect(fieldAt(schema, 'concurrency.onFull')).toMatchObject({
      defaultValue: 'reroute',
      origin: 'from the engine',
    })
    expect(fieldAt(schemaFor(), 'concurrency.onFull')?.defaultValue).toBe('final')
  })

  test('pools that its topic is mapped to come before the usual one', () => {
    const facts = factsOf(
      { settings: [] },
      {
        pools: [
          { name: 'gpu', topics: ['render'] },
          { name: 'big', topics: ['render', 'shell-command'] },
        ].map((pool) => ({
          ...pool,
          status: 'active' as const,
          runners: [],
          activeSlots: 0,
          maxSlots: 0,
          waiting: 0,
          limit: null,
        })),
      },
    )
    const poolOf = (node: WorkflowNode) => fieldAt(schemaFor({ node, engine: facts }), 'pool')
    expect(poolOf({ kind: 'shell-command' })?.defaultValue).toBe('big')
    expect(poolOf({ kind: 'shell-command', route: { topic: 'render' } })?.defaultValue).toBe('gpu, big')
    expect(poolOf({ kind: 'shell-command', route: { topic: 'mail' } })).toMatchObject({
      defaultValue: undefined,
      origin: 'no pool takes its topic',
    })
    expect(poolOf({ kind: 'log' })?.defaultValue).toBe('default')
    expect(facts.reroutes).toBeNull()
  })

  test('every fixed default is the one that the engine takes', () => {
    const given: Record<string, JsonObject> = {}
    for (const key of ['retry', 'timeout', 'join'] as const) {
      const own = fieldAt(settingsSchema, key)
      given[key] = Object.fromEntries(
        fieldsOf(own?.schema ?? {}).flatMap(({ key: name, defaultValue }) =>
          defaultValue === undefined ? [] : [[name, defaultValue]],
        ),
      )
    }
    const blank = blankDocument('wf')
    const document = { ...blank, nodes: { a: { kind: 'log', ...given } } } as unknown as WorkflowDocument
    // What equals its default leaves the normal form.
    expect(normalDocument(document, new Map())['nodes']).toEqual({ a: { kind: 'log' } })
  })

  test('the key is picked from the parameters of its kind', () => {
    const keys = fieldAt(schemaFor({ node: { kind: 'http-request' } }), 'concurrency.keys')
    expect(fieldsOf({ properties: { one: keys?.schema['items'] ?? {} } })[0]?.choices).toContainEqual({
      value: 'url',
      title: 'Address',
      hint: null,
    })
  })
})

describe('fields that count', () => {
  const shown = (values: JsonObject): readonly string[] =>
    countingFields(fieldsOf(fieldAt(schemaFor(), 'concurrency')?.schema ?? {}), values).map(({ key }) => key)

  test('without a limit nothing is asked about it', () => {
    expect(shown({})).toEqual(['running', 'registration'])
    expect(shown({ running: 'KEYS' })).toEqual([
      'running',
      'keys',
      'limit',
      'onFull',
      'onFinal',
      'registration',
    ])
    expect(shown({ running: 'TASK', onFull: 'reroute' })).toContain('delayMs')
    expect(shown({ registration: 'KEYS' })).toEqual([
      'running',
      'keys',
      'registration',
      'onDifferentNonKeyArguments',
    ])
  })

  test('what an expression will give hides nothing', () => {
    const delay = fieldsOf(inputJsonSchema(taskSpecs.delay.parameters))
    const keysOf = (values: JsonObject) => countingFields(delay, values).map(({ key }) => key)
    expect(keysOf({ mode: 'until' })).toEqual(['mode', 'until', 'zone', 'hours'])
    const wrong = countingFields(delay, { mode: 'until' }, (key) => key === 'unit')
    expect(wrong.map(({ key }) => key)).toEqual(['mode', 'unit', 'until', 'zone', 'hours'])
    expect(keysOf({ mode: '{{ input.mode }}' })).toEqual(['mode', 'amount', 'unit', 'until', 'zone', 'hours'])
  })

  test('values have words', () => {
    const schema = schemaFor()
    const wordsOf = (path: string, value: string | number | boolean) => {
      const field = fieldAt(schema, path)
      return field === undefined ? null : valueWords(field, value)
    }
    expect(wordsOf('priority', 'LOW')).toBe('Low')
    expect(wordsOf('timeout.attemptMs', 90_000)).toBe('1.5 min')
    expect(wordsOf('disabled', false)).toBe('off')
    expect(wordsOf('retry.maxAttempts', 3)).toBe('3')
  })
})

describe('what a folded group comes to', () => {
  const of = (node: WorkflowNode): Readonly<Record<string, string>> =>
    settingSummaries(node, schemaFor({ node }))

  test('each group of the form has its words', () => {
    const titles = groupsOf(fieldsOf(settingsSchema)).flatMap(({ title }) => (title === null ? [] : [title]))
    expect(Object.keys(of({ kind: 'log' })).toSorted()).toEqual([...titles].toSorted())
  })

  test('a condition to be skipped is said, with what follows', () => {
    expect(of({ kind: 'log' })['Skipping']).toBe('never')
    expect(of({ kind: 'log', skipIf: 'input = 0' })['Skipping']).toBe('if input = 0')
    expect(of({ kind: 'log', skipIf: 'input = 0', onSkip: 'pass' })['Skipping']).toBe(
      'if input = 0, and the next goes on',
    )
  })

  test('what decides about another try is said', () => {
    const retry = { maxAttempts: 3, retryIf: 'error.code = "x"' }
    expect(of({ kind: 'log', retry })['Retry']).toBe('3 attempts, 1 s apart at first, if error.code = "x"')
  })

  test('how old a result may be that stands for running it is said, with its key', () => {
    expect(of({ kind: 'log' })['Cache']).toBe('always runs')
    expect(of({ kind: 'log', cache: { ttlMs: 3_600_000 } })['Cache']).toBe('up to 1 h old')
    expect(of({ kind: 'log', cache: { ttlMs: 60_000, key: 'input.id' } })['Cache']).toBe(
      'up to 1 min old, by input.id',
    )
    // A form that is being filled in has one without the other.
    expect(of({ kind: 'log', cache: { key: 'input.id' } as never })['Cache']).toBe('always runs')
  })

  test('an end of the run, and what is taken out of the output, is said', () => {
    expect(of({ kind: 'log' })).toMatchObject({
      'Ending the run': 'never',
      'Kept output': 'all of it is kept',
    })
    expect(of({ kind: 'log', stopAfterIf: 'output = 0' })['Ending the run']).toBe(
      'the run ends if output = 0',
    )
    expect(of({ kind: 'log', stopAfterIf: 'output = 0', stopAs: 'failed' })['Ending the run']).toBe(
      'the run ends if output = 0, as failed',
    )
    expect(of({ kind: 'log', redact: ['a.b'] })['Kept output']).toBe('without a.b')
    expect(of({ kind: 'log', redact: ['a', 'b'] })['Kept output']).toBe('without 2 places')
  })

  test('so has each group of a workflow', () => {
    const titles = groupsOf(fieldsOf(workflowSettingsSchema)).flatMap(({ title }) =>
      title === null ? [] : [title],
    )
    expect(workflowSummaries(blankDocument('wf'))).toEqual({
      Settings: 'Normal',
      'Runs at a time': 'no limit',
      Undo: 'whenever it ends without success',
      'Private hosts': 'no private hosts',
    })
    const settings = { timeoutMs: 60_000, onFailure: 'finish', concurrency: { limit: 2 } } as const
    const said = workflowSummaries({
      ...blankDocument('wf'),
      settings,
      capabilities: { hosts: ['127.0.0.1'] },
    })
    expect(said).toEqual({
      Settings: 'Normal, 1 min in all, others finish first',
      'Runs at a time': '2 at a time',
      Undo: 'whenever it ends without success',
      'Private hosts': '1 host',
    })
    expect(Object.keys(said).toSorted()).toEqual([...titles].toSorted())
  })

  test('they tell what counts, set or not', () => {
    expect(of({ kind: 'shell-command' })).toMatchObject({
      Retry: 'tried once',
      Timeouts: '1 h per attempt',
      'When it is cut off': 'a person decides',
      'How many at a time': 'no limit',
      'Priority and tags': 'Normal',
      'Where it runs': 'default',
    })
    expect(
      of({
        kind: 'log',
        retry: { maxAttempts: 3 },
        timeout: { totalMs: 7_200_000 },
        join: { mode: 'count', count: 2 },
        concurrency: { running: 'TASK', limit: 4, onFull: 'reroute', registration: 'KEYS' },
        rateLimit: { count: 5, perMs: 60_000 },
        tags: ['eu'],
        route: { labels: { 'placement.zone': 'eu' }, requires: ['gpu'] },
      }),
    ).toMatchObject({
      Retry: '3 attempts, 1 s apart at first',
      Timeouts: '1 h per attempt, 2 h in all',
      'Several ways in': 'waits for 2',
      'How many at a time': '4 at a time, others wait, the same work is one',
      'How often': '5 per 1 min',
      'Priority and tags': 'Normal, eu',
      'Where it runs': 'default, 2 conditions',
    })
  })
})
