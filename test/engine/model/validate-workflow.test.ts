import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Problem } from '../../../src-engine/model/problem.ts'
import type { TriggerSpec } from '../../../src-engine/model/trigger-spec.ts'
import { isRunnable, validateWorkflow, validationSteps } from '../../../src-engine/model/validate-workflow.ts'
import { documentOf, edgesOf, specOf, specsOf } from './workflow-fixture.ts'

const http = specOf({
  kind: 'http',
  title: 'HTTP request',
  parameters: z.object({
    url: z.string().min(1).meta({ title: 'Address' }),
    port: z.int().min(1).max(65_535).default(80),
    method: z.enum(['GET', 'POST']).default('GET'),
    headers: z.array(z.object({ name: z.string().min(1).meta({ title: 'Header name' }) })).default([]),
    condition: z.boolean().meta({ widget: 'expression' }).optional(),
    source: z.string().meta({ expressions: false }).optional(),
    next: z.string().meta({ expressions: false, language: 'jsonata' }).optional(),
  }),
})
const branch = specOf({
  kind: 'if',
  outputs: () => [
    { id: 'true', title: 'Yes' },
    { id: 'false', title: 'No' },
  ],
})
const start = specOf({ kind: 'start', title: 'Start', hasInput: false })
const fragile = specOf({
  kind: 'fragile',
  outputs: () => {
    throw new TypeError('cases is not iterable')
  },
})
const specs = specsOf(http, branch, start, fragile, specOf({ kind: 'log', title: 'Log' }))

const cron: TriggerSpec = {
  kind: 'cron',
  title: 'Schedule',
  description: 'Starts runs by the clock.',
  icon: 'clock',
  parameters: z.object({ expression: z.string().min(1), zone: z.string().default('UTC') }),
  defaults: {},
  summary: () => '',
}
const options = {
  triggerSpecs: new Map([['cron', cron]]),
  checkExpression: (text: string) =>
    text.includes('((') ? { message: 'Unexpected end.', position: 1 } : null,
}

const check = (parts: JsonObject): readonly Problem[] => validateWorkflow(documentOf(parts), specs, options)
const codes = (parts: JsonObject): readonly string[] => check(parts).map((problem) => problem.code)
const node = (fields: JsonObject = {}): JsonObject => ({ kind: 'log', ...fields })
const request = (parameters: JsonObject): JsonObject => ({
  nodes: { a: { kind: 'http', title: 'Fetch', parameters } },
})

test('a sound workflow has no problems', () => {
  const nodes = {
    a: { kind: 'http', parameters: { url: 'x', headers: [{ name: '{{ input.n }}' }] } },
    b: node(),
  }
  expect(check({ nodes, edges: edgesOf('a>b', 'a:error>b') })).toEqual([])
})

test('every problem says what and what next, in sentences [S58]', () => {
  const problems = check({
    nodes: { a: node(), b: { kind: 'gone' }, c: { kind: 'http' } },
    edges: edgesOf('a>b', 'b>a', 'a:x>c', 'a>nowhere'),
    sagaScopes: { s: { nodes: ['zzz'] } },
    triggers: { t: { kind: 'cron' }, u: { kind: 'moon' } },
    input: { type: 'string' },
  })
  expect(problems.length).toBeGreaterThan(7)
  for (const problem of problems) {
    expect(problem.code).toMatch(/^[a-z_]+$/)
    expect(problem.message).toMatch(/^[“A-Z].*[.]$/)
    expect(problem.hint).toMatch(/^[A-Z].*[.]$/)
  }
  const severities = problems.map((problem) => problem.severity)
  expect(severities).toEqual([...severities].sort())
  expect(isRunnable(problems)).toBe(false)
})

describe('in steps', () => {
  test('a large workflow is left alone now and then, and the same is found', () => {
    let parsed = 0
    const parameters = z.object({ url: z.string() }).refine(() => {
      parsed += 1
      return true
    })
    const kinds = specsOf(specOf({ kind: 'counted', parameters }))
    const ids = Array.from({ length: 300 }, (_, index) => `n${index}`)
    const document = documentOf({
      nodes: Object.fromEntries(
        ids.map((id, index) => [id, { kind: 'counted', parameters: index === 7 ? {} : { url: 'x' } }]),
      ),
    })
    const steps = validationSteps(document, kinds)
    const atStops: number[] = []
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) atStops.push(parsed)
    const most = Math.max(...atStops.map((at, index) => at - (atStops[index - 1] ?? 0)))
    expect(most).toBeLessThanOrEqual(64)
    expect(parsed).toBe(299)
    expect(next.value.map(({ nodeId }) => nodeId)).toContain('n7')
    expect(next.value).toEqual(validateWorkflow(document, kinds))
  })
})

describe('parameters', () => {
  test.for<[JsonObject, string, string]>([
    [{}, 'missing_parameter parameters.url', '“Fetch”: “Address” is missing.'],
    [{ url: '' }, 'wrong_parameter parameters.url', '“Fetch”: “Address” must not be empty.'],
    [{ url: 'x', port: 'eighty' }, 'wrong_parameter parameters.port', '“Fetch”: “Port” must be a number.'],
    [{ url: 'x', port: 1.5 }, 'wrong_parameter parameters.port', '“Fetch”: “Port” must be a whole number.'],
    [{ url: 'x', port: 70_000 }, 'wrong_parameter parameters.port', '“Fetch”: “Port” must be at most 65535.'],
    [
      { url: 'x', method: 'PUT' },
      'wrong_parameter parameters.method',
      '“Fetch”: “Method” must be "GET" or "POST".',
    ],
    [
      { url: 'x', headers: [{ name: 'a' }, {}] },
      'missing_parameter parameters.headers[1].name',
      '“Fetch”: “Header name (entry 2)” is missing.',
    ],
  ])('%j', ([parameters, place, message]) => {
    const [problem, ...others] = check(request(parameters))
    expect(others).toEqual([])
    expect(`${problem?.code} ${problem?.field}`).toBe(place)
    expect(problem?.message).toBe(message)
    expect(problem?.nodeId).toBe('a')
  })

  test('a value that holds an expression is not typed yet', () => {
    const parameters = {
      url: 'x',
      port: '{{ input.port }}',
      method: '{{ m }}',
      headers: '{{ h }}',
      condition: 'a > 1',
    }
    expect(codes(request(parameters))).toEqual([])
  })

  test('an unknown kind is a problem of its node and nothing else', () => {
    const nodes = { a: { kind: 'not.there', title: 'Odd', parameters: { x: 1 } } }
    expect(check({ nodes })).toMatchObject([{ code: 'unknown_kind', nodeId: 'a', field: 'kind' }])
    expect(check({ nodes })[0]?.message).toContain('“Odd” is of the kind “not.there”')
  })
})

describe('expressions', () => {
  test.for<[string, JsonObject, string, string]>([
    ['an open brace', { url: 'a {{ b' }, 'template_unterminated', 'parameters.url'],
    ['empty braces', { url: '{{}}' }, 'template_empty', 'parameters.url'],
    ['bad syntax in a text', { url: '{{ (( }}' }, 'expression_invalid', 'parameters.url'],
    [
      'bad syntax in an expression',
      { url: 'x', condition: '((' },
      'expression_invalid',
      'parameters.condition',
    ],
    [
      'bad syntax in what the step asks later',
      { url: 'x', next: '((' },
      'expression_invalid',
      'parameters.next',
    ],
    ['too much of it', { url: `{{ "${'x'.repeat(70_000)}" }}` }, 'expression_too_long', 'parameters.url'],
    ['an unknown node', { url: '{{ nodes.zzz }}' }, 'unknown_reference', 'parameters.url'],
    ['itself', { url: '{{ nodes.a }}' }, 'reference_not_before', 'parameters.url'],
    ['a name found on every object', { url: '{{ nodes.toString }}' }, 'unknown_reference', 'parameters.url'],
  ])('%s', ([, parameters, code, field]) => {
    expect(check(request(parameters))).toMatchObject([{ code, field, nodeId: 'a' }])
  })

  test.for<[string, string, string]>([
    ['bad syntax', '((', 'expression_invalid'],
    ['an unknown node', 'nodes.zzz', 'unknown_reference'],
    ['itself', 'nodes.a.output = 1', 'reference_not_before'],
    ['a secret', 'secrets.A = "x"', 'secret_not_here'],
  ])('a condition to be skipped with %s is told, and one to be tried again', ([, condition, code]) => {
    const nodes = { a: node({ skipIf: condition }) }
    expect(check({ nodes })).toMatchObject([{ code, field: 'skipIf', nodeId: 'a' }])
    const retried = { a: node({ retry: { maxAttempts: 2, retryIf: condition } }) }
    expect(check({ nodes: retried })).toMatchObject([{ code, field: 'retry.retryIf', nodeId: 'a' }])
  })

  test('code is left alone', () => {
    expect(codes(request({ url: 'x', source: 'return `{{ ((`' }))).toEqual([])
  })

  test('a node may read what leads to it, directly or not, and is warned about the rest', () => {
    const reads = (id: string): JsonObject => ({ kind: 'http', parameters: { url: `{{ nodes.${id}.x }}` } })
    const nodes = { a: node(), b: node(), c: reads('a'), d: reads('c'), e: reads('d') }
    const problems = check({ nodes, edges: edgesOf('a>b', 'b>c', 'b>d', 'e>d') })
    expect(problems.map((problem) => [problem.code, problem.nodeId, problem.severity])).toEqual([
      ['reference_not_before', 'd', 'warning'],
      ['reference_not_before', 'e', 'warning'],
    ])
  })

  test('the output may read every node, a compensation too', () => {
    const task = { kind: 'http', parameters: { url: '{{ nodes.b }}' } }
    const nodes = { a: node({ compensation: { task } }), b: node() }
    expect(codes({ nodes, edges: edgesOf('a>b'), settings: { output: 'nodes.b' } })).toEqual([])
    expect(codes({ nodes, settings: { output: 'nodes.zzz' } })).toEqual(['unknown_reference'])
    expect(codes({ nodes, settings: { output: '((' } })).toEqual(['expression_invalid'])
  })
})

describe('structure', () => {
  test.for<[string, JsonObject, readonly string[]]>([
    ['no nodes', { nodes: {} }, ['empty_workflow']],
    ['an edge from nowhere', { nodes: { a: node() }, edges: edgesOf('x>a') }, ['unknown_edge_end']],
    ['an edge to nowhere', { nodes: { a: node() }, edges: edgesOf('a>constructor') }, ['unknown_edge_end']],
    [
      'an unknown way out',
      { nodes: { a: { kind: 'if' }, b: node() }, edges: edgesOf('a>b') },
      ['unknown_port'],
    ],
    ['a known way out', { nodes: { a: { kind: 'if' }, b: node() }, edges: edgesOf('a:true>b') }, []],
    [
      'an unknown way in',
      {
        nodes: { a: node(), b: node() },
        edges: { e: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'side' } } },
      },
      ['unknown_port'],
    ],
    [
      'a kind without a way in',
      { nodes: { a: node(), b: { kind: 'start' } }, edges: edgesOf('a>b') },
      ['no_input'],
    ],
    [
      'two edges with the same ends',
      { nodes: { a: node(), b: node() }, edges: edgesOf('a>b', 'a>b') },
      ['duplicate_edge'],
    ],
    [
      'a circle without a start',
      { nodes: { a: node(), b: node() }, edges: edgesOf('a>b', 'b>a') },
      ['cycle', 'no_start_node'],
    ],
    [
      'a node behind a circle',
      { nodes: { s: node(), a: node(), b: node() }, edges: edgesOf('a>a', 'a>b') },
      ['cycle', 'unreachable'],
    ],
    [
      'a spec that fails on the parameters',
      { nodes: { a: { kind: 'fragile' }, b: node() }, edges: edgesOf('a:x>b') },
      [],
    ],
    [
      'a join that can never be satisfied',
      { nodes: { a: node(), b: node({ join: { mode: 'count', count: 2 } }) }, edges: edgesOf('a>b') },
      ['join_impossible'],
    ],
    [
      'a kind that is to find out whether it happened, and can’t',
      { nodes: { a: node({ onLost: 'verify' }) } },
      ['probe_missing'],
    ],
  ])('%s', ([, parts, expected]) => {
    expect(codes(parts)).toEqual(expected)
  })

  test('a cycle names its nodes in order', () => {
    const nodes = { a: node({ title: 'A' }), b: node({ title: 'B' }), c: node({ title: 'C' }), s: node() }
    const [cycle] = check({ nodes, edges: edgesOf('s>a', 'a>b', 'b>c', 'c>a') })
    expect(cycle?.message).toBe('These nodes wait for each other in a circle: “A” → “B” → “C” → “A”.')
  })
})

describe('policies', () => {
  test.for<[string, JsonObject, string]>([
    ['undone by an unknown node', { compensation: { node: 'zzz' } }, 'compensation_unknown_node'],
    ['undone by itself', { compensation: { node: 'a' } }, 'compensation_of_itself'],
    [
      'undone by two',
      { compensation: { node: 'a', task: { kind: 'log', parameters: {} } } },
      'compensation_ambiguous',
    ],
    [
      'undone by a task, though nothing can undo it',
      { compensation: { impossible: 'sent', task: { kind: 'log', parameters: {} } } },
      'compensation_ambiguous',
    ],
    [
      'undone with an input that can’t be read',
      { compensation: { task: { kind: 'log', parameters: {} }, input: { id: '{{ }}' } } },
      'template_empty',
    ],
    ['undone by an unknown kind', { compensation: { task: { kind: 'x', parameters: {} } } }, 'unknown_kind'],
    [
      'undone without parameters',
      { compensation: { task: { kind: 'http', parameters: {} } } },
      'missing_parameter',
    ],
    ['too many attempts', { retry: { maxAttempts: 101 } }, 'wrong_form'],
    ['a timeout of nothing', { timeout: { attemptMs: 0 } }, 'wrong_form'],
    ['keys without keys', { concurrency: { running: 'KEYS' } }, 'concurrency_without_keys'],
    ['a compensation of the wrong form', { compensation: 'undo' }, 'wrong_form'],
    ['a join of the wrong form', { join: 3 }, 'wrong_form'],
  ])('%s', ([, fields, code]) => {
    expect(codes({ nodes: { a: node(fields) } })).toEqual([code])
  })

  test('what undoes a node is no part of the way forward, and no flow of its own', () => {
    const nodes = { a: node({ compensation: { node: 'u' } }), u: node(), b: node() }
    expect(codes({ nodes, edges: edgesOf('a>b') })).toEqual([])
    expect(codes({ nodes, edges: edgesOf('a>b', 'b>u') })).toEqual(['compensation_connected'])
    const task = { kind: 'stop', parameters: {} }
    const taskSpecs = specsOf(specOf({ kind: 'log' }), specOf({ kind: 'stop' }))
    const document = documentOf({ nodes: { a: node({ compensation: { task } }) } })
    expect(validateWorkflow(document, taskSpecs).map(({ code }) => code)).toEqual(['compensation_wrong_kind'])
  })

  test.for([
    ['if', 'only says where a run goes on'],
    ['approval', 'waits for somebody'],
    ['map', 'runs the nodes of its body'],
  ])('what undoes a node and is of the kind %s says why it can’t', ([kind = '', why = '']) => {
    const taskSpecs = specsOf(specOf({ kind: 'log' }), specOf({ kind }))
    const nodes = { a: node({ compensation: { node: 'u' } }), u: node({ kind }) }
    const problems = validateWorkflow(documentOf({ nodes }), taskSpecs)
    const problem = problems.find(({ code }) => code === 'compensation_wrong_kind')
    expect(problem).toMatchObject({ nodeId: 'a', field: 'compensation.node' })
    expect(problem?.message).toContain(why)
  })

  test('saga scopes name nodes that are there, each once', () => {
    const nodes = { a: node(), b: node() }
    const sagaScopes = { s: { nodes: ['a', 'x'] }, t: { title: 'T', nodes: ['b', 'a'] } }
    const problems = check({ nodes, sagaScopes })
    expect(problems.map((problem) => problem.code)).toEqual(['saga_unknown_node', 'saga_overlap'])
    expect(problems[1]?.message).toBe('“Log” (a) is in two saga scopes, “s” and “T”.')
  })

  test('triggers: missing parameters, duplicates with defaults, unknown kinds as a warning', () => {
    const nodes = { a: node() }
    const every = { kind: 'cron', parameters: { expression: '*' } }
    const same = { kind: 'cron', parameters: { zone: 'UTC', expression: '*' } }
    expect(codes({ nodes, triggers: { t: { kind: 'cron' } } })).toEqual(['missing_parameter'])
    expect(codes({ nodes, triggers: { t: every, u: same } })).toEqual(['duplicate_trigger'])
    expect(check({ nodes, triggers: { t: { kind: 'moon' } } })).toMatchObject([
      { code: 'unknown_trigger_kind', severity: 'warning', field: 'triggers.t' },
    ])
  })

  test.for<[JsonObject, readonly string[]]>([
    [{}, []],
    [{ type: 'object', properties: { n: { type: 'integer' } } }, []],
    [{ type: 'string' }, ['input_schema_not_object']],
    [{ type: 'object', properties: { n: { type: 'int' } } }, ['input_schema_invalid']],
    [{ type: 'object', properties: { n: { pattern: '(a+)+$' } } }, ['input_schema_invalid']],
    [{ type: 'object', properties: [] }, ['input_schema_invalid']],
  ])('input schema %j', ([input, expected]) => {
    expect(codes({ nodes: { a: node() }, input })).toEqual(expected)
  })
})

test('5,000 nodes that read each other are validated in one go', () => {
  const count = 5_000
  const names = Array.from({ length: count }, (_, index) => `n${index}`)
  const nodes = Object.fromEntries(
    names.map((name, index) => [
      name,
      { kind: 'http', parameters: { url: `{{ nodes.n${Math.max(0, index - 1)} }}` } },
    ]),
  )
  const edges = edgesOf(...names.slice(1).map((name, index) => `n${index}>${name}`))
  expect(codes({ nodes, edges })).toEqual(['reference_not_before'])
})
