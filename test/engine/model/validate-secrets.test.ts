/** What validation says about secrets: where none may stand, what is missing, what stands in plain text. */

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import type { SecretEntry } from '../../../src-engine/model/secret.ts'
import { secretUses } from '../../../src-engine/model/secret-uses.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, specOf, specsOf } from './workflow-fixture.ts'

const specs = specsOf(
  specOf({
    kind: 'call',
    parameters: z.object({
      url: z.string().default('').meta({ title: 'Address' }),
      token: z.string().default('').meta({ title: 'Token', secret: 'expected' }),
      headers: z.record(z.string(), z.string()).default({}).meta({ title: 'Headers', secret: 'allowed' }),
    }),
  }),
)
const known: SecretEntry = {
  name: 'A',
  kind: 'token',
  note: '',
  createdAt: 0,
  changedAt: 0,
  lastUsedAt: null,
  hosts: null,
  kinds: null,
  nodes: null,
}

function problemsOf(parameters: JsonObject, secrets?: readonly SecretEntry[], parts: JsonObject = {}) {
  const document = documentOf({ nodes: { a: { kind: 'call', parameters } }, ...parts })
  return validateWorkflow(document, specs, secrets === undefined ? {} : { secrets })
}

const codesOf = (...given: Parameters<typeof problemsOf>) =>
  problemsOf(...given).map(({ code, severity, field }) => `${severity} ${code} ${field}`)

describe('references', () => {
  test('a secret where one may stand is no problem', () => {
    const parameters = { token: '{{ secrets.A }}', headers: { authorization: 'Token {{ secrets.A }}' } }
    expect(codesOf(parameters)).toEqual([])
    expect(codesOf(parameters, [known])).toEqual([])
  })

  test.for<[string, JsonObject, string]>([
    ['where everybody sees it', { url: 'https://x/{{ secrets.A }}' }, 'error secret_not_here parameters.url'],
    ['worked on', { token: '{{ $uppercase(secrets.A) }}' }, 'error secret_in_expression parameters.token'],
  ])('a secret %s is an error', ([, parameters, code]) => {
    expect(codesOf(parameters)).toEqual([code])
  })

  test('a secret in the workflow’s own expressions is an error', () => {
    const settings = { output: 'secrets.A', concurrency: { mode: 'queue', limit: 1, key: 'secrets.A' } }
    expect(codesOf({}, undefined, { settings }).filter((code) => code.includes('secret'))).toEqual([
      'error secret_not_here settings.output',
      'error secret_not_here settings.concurrency.key',
    ])
  })

  test('a compensation’s secrets are checked too', () => {
    const node = {
      kind: 'call',
      compensation: { task: { kind: 'call', parameters: { token: '{{ secrets.B }}' } } },
    }
    const document = documentOf({ nodes: { a: node } })
    expect(validateWorkflow(document, specs, { secrets: [known] })).toMatchObject([
      { code: 'secret_missing', field: 'compensation.task.parameters.token' },
    ])
    expect(secretUses(document)).toEqual([{ name: 'B', nodeId: 'a' }])
  })

  test('what a compensation says beside its parameters holds no secret', () => {
    const task = { kind: 'call', parameters: {} }
    const compensation = { task, input: { id: '{{ secrets.A }}' }, labels: { by: '{{ secrets.A }}' } }
    const problems = validateWorkflow(documentOf({ nodes: { a: { kind: 'call', compensation } } }), specs)
    expect(problems.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'secret_not_here compensation.input.id',
      'secret_not_here compensation.labels.by',
    ])
  })
})

describe('the vault of this machine', () => {
  test('a missing secret is a warning that names it and says how to add it', () => {
    expect(problemsOf({ token: '{{ secrets.B }}' }, [known])).toMatchObject([
      {
        code: 'secret_missing',
        severity: 'warning',
        nodeId: 'a',
        message: '“call” (a) needs the secret “B”, which is not in the vault.',
        hint: 'Add it under Secrets, or with `sagasmith secrets set B`.',
      },
    ])
  })

  test.for<[string, Partial<SecretEntry>]>([
    ['another kind', { kinds: ['shell-command'] }],
    ['another workflow', { nodes: ['billing'] }],
  ])('a secret that is bound to %s is a warning', ([, binding]) => {
    expect(codesOf({ token: '{{ secrets.A }}' }, [{ ...known, ...binding }])).toEqual([
      'warning secret_not_allowed parameters.token',
    ])
  })

  test('nobody who doesn’t know the vault says what is missing', () => {
    expect(codesOf({ token: '{{ secrets.B }}' })).toEqual([])
  })
})

describe('plain text', () => {
  test.for<[string, JsonObject, readonly string[]]>([
    ['a token', { token: 'ghp_123' }, ['warning plain_secret parameters.token']],
    [
      'a header by its name',
      { headers: { 'X-Api-Key': 'k' } },
      ['warning plain_secret parameters.headers.X-Api-Key'],
    ],
    ['an ordinary header', { headers: { accept: 'text/html' } }, []],
    ['nothing yet', { token: '' }, []],
    ['an expression', { token: '{{ input.token }}' }, []],
  ])('%s', ([, parameters, codes]) => {
    expect(codesOf(parameters)).toEqual(codes)
  })

  test('the catalogue knows its passwords', () => {
    const nodes = {
      a: {
        kind: 'http-request',
        parameters: { url: 'http://x', auth: { kind: 'basic', username: 'u', password: 'p' } },
      },
      b: { kind: 'http-request', parameters: { url: 'http://x', auth: { kind: 'bearer', token: 't' } } },
      c: { kind: 'http-request', parameters: { url: 'http://x', auth: { kind: 'api-key', value: 'v' } } },
      d: { kind: 'shell-command', parameters: { program: 'x', env: { DB_PASSWORD: 'p', MODE: 'm' } } },
    }
    const problems = validateWorkflow(documentOf({ nodes }), taskSpecsByKind)
    expect(problems.filter(({ code }) => code === 'plain_secret').map(({ field }) => field)).toEqual([
      'parameters.auth.password',
      'parameters.auth.token',
      'parameters.auth.value',
      'parameters.env.DB_PASSWORD',
    ])
  })
})

test('only fields that are made for it take a secret: a new one is decided on here', () => {
  const hinted = [...taskSpecsByKind.values()].flatMap(({ kind, parameters }) => {
    const text = JSON.stringify(inputJsonSchema(parameters))
    return [...text.matchAll(/"secret":"(\w+)"/g)].map(([, how]) => `${kind} ${how}`)
  })
  expect(
    Object.entries(Object.groupBy(hinted, (text) => text)).map(([text, all]) => [text, all?.length]),
  ).toEqual([
    ['http-request allowed', 6],
    ['http-request expected', 6],
    ['ask-model expected', 1],
    ['send-mail allowed', 1],
    ['send-mail expected', 1],
    ['notify expected', 4],
    ['shell-command allowed', 2],
    ['script allowed', 2],
    ['docker-run allowed', 2],
    ['javascript expected', 1],
    ['code-task expected', 1],
    ['wait-webhook expected', 4],
    ['approval allowed', 1],
    ['approval expected', 1],
    ['sql-query allowed', 2],
    ['sql-query expected', 2],
    ['sql-statement allowed', 2],
    ['sql-statement expected', 2],
    ['sql-export allowed', 2],
    ['sql-export expected', 2],
    ['redis-command allowed', 1],
    ['redis-command expected', 1],
    ['s3 allowed', 1],
    ['s3 expected', 2],
    ['ssh-command allowed', 2],
    ['ssh-command expected', 3],
  ])
})
