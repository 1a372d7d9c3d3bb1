/** Expressions: what they see, what they may cost, and that reading a plain path here means the same as there. */

import fc from 'fast-check'
import jsonata from 'jsonata'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import type { TaskSpec } from '../../../src-engine/model/task-spec.ts'
import { singleOutput } from '../../../src-engine/model/task-spec.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { plainPathOf, readPlainPath } from '../../../src-engine/runtime/expressions/plain-path.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import type { ExpressionScope } from '../../../src-engine/runtime/task-host.ts'

const service = createExpressionService({ clock: systemClock })
afterAll(() => service.close())

const rows = [
  { name: 'bolt', price: 4 },
  { name: 'pump', price: 40 },
  { name: 'hose', price: 12 },
]

function scope(parts: Partial<ExpressionScope> = {}, nodes: JsonObject = {}): ExpressionScope {
  return {
    input: () => ({ a: { b: 7 }, list: [1, 2], one: [1], text: 'hi', empty: null }),
    nodes: async (ids) =>
      Object.fromEntries(ids.flatMap((id) => (nodes[id] === undefined ? [] : [[id, { output: nodes[id] }]]))),
    run: () => ({ id: 'r1', input: { day: 'mon' }, now: 1_700_000_000_000, generation: 0, attempt: 1 }),
    vars: { currency: 'EUR' },
    now: 1_700_000_000_000,
    seed: 'seed',
    ...parts,
  }
}

function spec(fields: z.ZodRawShape): TaskSpec {
  return {
    kind: 'probe',
    title: 'Probe',
    description: 'For tests.',
    icon: 'bug',
    category: 'debug',
    keywords: [],
    parameters: z.strictObject(fields),
    defaults: {},
    hasInput: true,
    outputs: () => singleOutput,
    sideEffect: 'pure',
    execution: 'runner',
    summary: () => '',
  }
}

const evaluate = (text: string, mode: 'expression' | 'template' = 'expression', nodes: JsonObject = {}) =>
  service.evaluate({ text, mode, scope: scope({}, nodes) })

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (thrown) {
    return thrown
  }
  throw new Error('it was expected to fail')
}

describe('values', () => {
  test.for<[string, JsonValue]>([
    ['input.a.b', 7],
    ['input.list', [1, 2]],
    ['input.missing.deeper', null],
    ['input.empty', null],
    ['run.input.day', 'mon'],
    ['vars.currency', 'EUR'],
    ['$sum(input.list)', 3],
    ['nodes.parse.output.rows[price > 10].name', ['pump', 'hose']],
    ['nodes.parse.output.rows.name', ['bolt', 'pump', 'hose']],
    ['$count(nodes.`parse`.output.rows)', 3],
    ['$keys($$)', ['input', 'run', 'vars', 'nodes']],
    ['function($x){$x}', null],
    ['{"f": $sum, "n": 1}', { n: 1 }],
    ['nodes.never.output', null],
  ])('%s', async ([text, expected]) => {
    expect(await evaluate(text, 'expression', { parse: { rows } })).toEqual(expected)
  })

  test.for<[string, JsonValue]>([
    ['no braces', 'no braces'],
    ['{{ input.a }}', { b: 7 }],
    ['{{input.a.b}}', 7],
    ['n = {{ input.a.b }}, {{ input.text }}', 'n = 7, hi'],
    ['[{{ input.missing }}][{{ input.empty }}]', '[][]'],
    ['{{ input.list }} items', '[1,2] items'],
    ['{{ {"x": {"y": input.a.b}} }}', { x: { y: 7 } }],
    ['{{ "{{" }}', '{{'],
  ])('template %s', async ([text, expected]) => {
    expect(await evaluate(text, 'template')).toEqual(expected)
  })

  test('only the nodes that an expression names are asked for', async () => {
    const nodes = vi.fn<ExpressionScope['nodes']>(async () => ({ parse: { output: 5 } }))
    expect(
      await service.evaluate({ text: 'nodes.parse.output + 1', mode: 'expression', scope: scope({ nodes }) }),
    ).toBe(6)
    expect(nodes.mock.calls).toEqual([[['parse']]])
  })

  test('parts that no expression mentions are not asked for', async () => {
    const input = vi.fn<ExpressionScope['input']>(() => null)
    await service.evaluate({ text: '$length(vars.currency)', mode: 'expression', scope: scope({ input }) })
    expect(input).not.toHaveBeenCalled()
  })
})

describe('frozen per run', () => {
  test('time and chance say the same each time [P48]', async () => {
    const text = '[$now(), $millis(), $random(), $shuffle([1..20])]'
    const [first, again] = [await evaluate(text), await evaluate(text)]
    expect(again).toEqual(first)
    expect(first).toEqual(expect.arrayContaining(['2023-11-14T22:13:20.000Z', 1_700_000_000_000]))
  })

  test('another seed gives other numbers [P48]', async () => {
    const other = await service.evaluate({
      text: '$random()',
      mode: 'expression',
      scope: scope({ seed: 'other' }),
    })
    expect(other).not.toBe(await evaluate('$random()'))
  })

  test('a date given is still that date', async () => {
    expect(await evaluate('$toMillis("2020-01-01T00:00:00Z")')).toBe(1_577_836_800_000)
  })
})

describe('refusals', () => {
  test.for<[string, string]>([
    ['input.', 'expression_invalid'],
    ['"open', 'expression_invalid'],
    ['$nope()', 'expression_failed'],
    ['input.text + 1', 'expression_failed'],
    ['$error("no stock")', 'expression_failed'],
    ['($f := function($n){$f($n)+1}; $f(1))', 'expression_failed'],
    ['[1..9999999].{"a": $}', 'expression_failed'],
  ])('%s is %s', async ([text, code]) => {
    expect(await failureOf(() => evaluate(text))).toMatchObject({ code })
  })

  test('what the person said in $error is the message', async () => {
    expect(await failureOf(() => evaluate('$error("no stock")'))).toMatchObject({ message: 'no stock' })
  })

  test('a result that is too large', async () => {
    const failure = await failureOf(() => evaluate('$pad("", 1100000, "x")'))
    expect(failure).toMatchObject({
      code: 'expression_failed',
      message: expect.stringContaining('1000000 bytes'),
    })
  })

  test('a text that is too long is not even read [C65]', async () => {
    expect(await failureOf(() => evaluate(`"${'x'.repeat(70_000)}"`))).toMatchObject({
      code: 'expression_invalid',
    })
  })

  test.for([
    '($f := function(){$f()}; $f())',
    '$contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)',
    '$reduce([1..90000], function($a, $b){ $count([1..900]) + $a })',
  ])('%s is ended, and the others are answered [C65]', async (text) => {
    const slow = failureOf(() => evaluate(text))
    const others = Promise.all(Array.from({ length: 5 }, (_, index) => evaluate(`${index} + 1`)))
    expect(await slow).toMatchObject({ code: 'expression_too_slow' })
    expect(await others).toEqual([1, 2, 3, 4, 5])
  })

  test('an expression that eats memory is ended, and the next one is answered', async () => {
    const failure = await failureOf(() =>
      evaluate('($f := function($x){$f($append($x, $x))}; $f([1..1000]))'),
    )
    expect(failure).toHaveProperty('code', expect.stringMatching(/^expression_(too_slow|failed)$/))
    expect(await evaluate('1 + 1')).toBe(2)
  })

  test.for([
    'input.constructor',
    'input.__proto__',
    'input.a.constructor.constructor("return process")()',
    '$lookup(input, "__proto__")',
    '$merge([{"__proto__": {"polluted": 1}}]).polluted',
    '$.__proto__.polluted',
  ])('%s reaches nothing [C65]', async (text) => {
    const value = await evaluate(text).catch((thrown: unknown) => thrown)
    if (!(value instanceof Error)) expect(value).toBeNull()
    expect(await evaluate('$keys({})')).toBeNull()
  })

  test('an update through __proto__ leaves nothing behind', async () => {
    await evaluate('input ~> |__proto__|{"polluted": 1}|').catch(() => null)
    await evaluate('input ~> |`constructor`.prototype|{"polluted": 1}|').catch(() => null)
    expect(await evaluate('input.a.polluted')).toBeNull()
    expect(await evaluate('$exists({}.polluted)')).toBe(false)
  })

  test('the position of a fault is the place in the text', () => {
    expect(service.check('input.a +')).toMatchObject({ position: expect.any(Number) })
    expect(service.check('1 1')).toEqual({ message: 'Syntax error: 1', position: 2 })
    expect(service.check('$sum(input.list)')).toBeNull()
  })
})

describe('over what a step has got itself', () => {
  const over = (expression: string, scopeOf: JsonObject) =>
    service.evaluateOver({ expression, scope: scopeOf, now: 1_700_000_000_000, seed: 's' })

  test.for<[string, JsonValue]>([
    ['body.next', 'c2'],
    ['body.items.id', [1, 2]],
    ['$count(body.items)', 2],
    ['body.none', null],
    ['input', null],
    ['$millis()', 1_700_000_000_000],
  ])('%s', async ([expression, value]) => {
    const body = { next: 'c2', items: [{ id: 1 }, { id: 2 }] }
    expect(await over(expression, { body })).toEqual(value)
  })

  test('a list may be larger than what an expression may make', async () => {
    const items = Array.from({ length: 60_000 }, () => 'some words that stand in each of them')
    expect(await over('body.items', { body: { items } })).toHaveLength(60_000)
  })

  test('what fails says so', async () => {
    await expect(over('1 +', {})).rejects.toMatchObject({ code: 'expression_invalid' })
    await expect(over('"a" + 1', {})).rejects.toMatchObject({ code: 'expression_failed' })
  })
})

describe('parameters', () => {
  const probe = spec({
    url: z.string().min(1).meta({ title: 'Address' }),
    count: z.int().max(9).default(3),
    when: z.unknown().default('never').meta({ widget: 'expression' }),
    code: z.string().default('').meta({ expressions: false }),
    list: z.array(z.object({ name: z.string() })).default([]),
  })
  const resolve = (parameters: JsonObject, at = scope()) =>
    service.resolveParameters({ parameters, spec: probe, scope: at })

  test('every text is filled in, code is left alone, defaults are added', async () => {
    const parameters = {
      url: 'x/{{ input.a.b }}',
      when: 'input.a.b > 5',
      code: '{{ no }}',
      list: [{ name: '{{ input.text }}' }],
    }
    const original = structuredClone(parameters)
    expect(await resolve(parameters)).toEqual({
      url: 'x/7',
      count: 3,
      when: true,
      code: '{{ no }}',
      list: [{ name: 'hi' }],
    })
    expect(parameters).toEqual(original)
  })

  test('a whole-value expression keeps its type [C65]', async () => {
    expect(await resolve({ url: 'x', count: '{{ input.a.b }}' })).toMatchObject({ count: 7 })
  })

  test('an empty expression field is as if it were not there', async () => {
    expect(await resolve({ url: 'x', when: ' ' })).toMatchObject({ when: 'never' })
  })

  test('an expression that matches nothing gives null [C65]', async () => {
    expect(await resolve({ url: 'x', when: 'input.missing' })).toMatchObject({ when: null })
  })

  test('parameters without expressions are checked once and given at once', () => {
    const parameters = { url: 'x' }
    const first = resolve(parameters)
    expect(first).toEqual({ url: 'x', count: 3, when: 'never', code: '', list: [] })
    expect(resolve(parameters)).toBe(first)
  })

  test('the same parameters see each run’s own data [G7]', async () => {
    const parameters = { url: '{{ input }}' }
    expect(await resolve(parameters, scope({ input: () => 'one' }))).toMatchObject({ url: 'one' })
    expect(await resolve(parameters, scope({ input: () => 'two' }))).toMatchObject({ url: 'two' })
  })

  test.for<[JsonObject, string, string]>([
    [{ url: '{{ input.missing }}' }, 'url', '“Address” must be a text.'],
    [{ url: 'x', count: '{{ input.text }}' }, 'count', '“Count” must be a number.'],
    [{ url: 'x', count: 12 }, 'count', '“Count” must be at most 9.'],
    [{}, 'url', '“Address” is missing.'],
    [{ url: 'x', list: [{ name: '{{ input.list }}' }] }, 'list[0].name', '“Name (entry 1)” must be a text.'],
  ])('%o names the field', async ([parameters, field, message]) => {
    const failure = await failureOf(() => resolve(parameters))
    expect(failure).toMatchObject({ code: 'task_input_invalid', message, details: { field } })
  })

  test('a failing expression names its field and place [C65]', async () => {
    const failure = await failureOf(() => resolve({ url: 'abc {{ input.text + 1 }}' }))
    expect(failure).toMatchObject({
      code: 'expression_failed',
      message: expect.stringMatching(/^“Address”: /),
      details: { field: 'url', expression: 'input.text + 1' },
    })
  })

  test('braces that are never closed', async () => {
    expect(await failureOf(() => resolve({ url: 'abc {{ input' }))).toMatchObject({
      code: 'expression_invalid',
    })
  })
})

describe('plain paths', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__', 'length', 'toString')
  const tree = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(null, 0, 1, '', 'text', true, false),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value

  test('read here and by JSONata they give the same', async () => {
    const cases = fc.asyncProperty(tree, fc.array(key, { maxLength: 4 }), async (value, steps) => {
      // As it is in the engine: data comes from JSON.
      const input = JSON.parse(JSON.stringify(value)) as JsonValue
      const path = ['input', ...steps.map((step) => `\`${step}\``)].join('.')
      const plan = plainPathOf(path)
      if (plan === null) throw new Error(`${path} is a plain path`)
      const here = readPlainPath(input, plan.steps)
      if (here.kind === 'unsure') return
      const there: unknown = await jsonata(path).evaluate({ input })
      expect(here.kind === 'value' ? here.value : undefined).toEqual(there)
    })
    await fc.assert(cases, { numRuns: 2_000 })
  })

  test.for([
    'input.a[0]',
    'input.a + 1',
    'a.b',
    '$x',
    'input.and',
    'nodes',
    'input..a',
    '"input"',
    'input.a.*',
    '1',
  ])('%s is none', (text) => {
    expect(plainPathOf(text)).toBeNull()
  })
})
