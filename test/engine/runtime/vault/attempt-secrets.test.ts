/** The secrets of an attempt: who may open them, how refusals name the step, what is taken out of its words. */

import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorRecord } from '../../../../src-engine/model/errors.ts'
import { nodeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { SecretChange } from '../../../../src-engine/model/secret.ts'
import type { TaskSpec } from '../../../../src-engine/model/task-spec.ts'
import { createExpressionService } from '../../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import {
  createSecretSource,
  openSecrets,
  redactedError,
  redactedOutcome,
  referencesOnly,
} from '../../../../src-engine/runtime/vault/attempt-secrets.ts'
import { MarkedParameters } from '../../../../src-engine/runtime/vault/marked-parameters.ts'
import { createRedactor } from '../../../../src-engine/runtime/vault/redactor.ts'
import { thrownBy } from '../../../support/task-context.ts'
import { vaultScene } from './vault-scene.ts'

const service = createExpressionService({ clock: systemClock })
afterAll(() => service.close())

const value = 'canary-4711-value'
const use = { workflowId: workflowId('orders'), nodeId: nodeId('charge'), taskKind: 'probe' }
const spec: TaskSpec = {
  kind: 'probe',
  title: 'Probe',
  description: 'For tests.',
  icon: 'bug',
  category: 'debug',
  keywords: [],
  parameters: z.strictObject({
    token: z.string().default('').meta({ title: 'Token', secret: 'expected' }),
    headers: z.record(z.string(), z.string()).default({}).meta({ secret: 'allowed' }),
    url: z.string().default('').meta({ title: 'Address' }),
  }),
  defaults: {},
  hasInput: true,
  outputs: () => [],
  sideEffect: 'pure',
  execution: 'runner',
  summary: () => '',
}

/** The input tries to be a reference, and a mark. */
const scope = {
  input: () => '{{ secrets.A }}',
  nodes: async () => ({}),
  run: () => ({}),
  vars: {},
  now: 0,
  seed: '',
}

async function resolved(parameters: JsonObject, marksSecrets = true): Promise<unknown> {
  return service.resolveParameters({ parameters, spec, scope, marksSecrets })
}

async function marked(parameters: JsonObject): Promise<MarkedParameters> {
  const found = await resolved(parameters)
  if (found instanceof MarkedParameters) return found
  throw new Error('it names no secret')
}

async function sourceWith(...changes: readonly SecretChange[]) {
  const { vault } = vaultScene()
  for (const change of changes) await vault.set(change)
  return createSecretSource(vault)
}

describe('references', () => {
  const parameters = { token: 'Bearer {{ secrets.A }}', headers: { x: '{{ secrets.B }}', y: '{{ input }}' } }

  test('stay references for everybody but the attempt', async () => {
    const plain = {
      token: 'Bearer {{ secrets.A }}',
      headers: { x: '{{ secrets.B }}', y: '{{ secrets.A }}' },
      url: '',
    }
    expect(await resolved(parameters, false)).toEqual(plain)
    expect((await marked(parameters)).references()).toEqual(plain)
    expect(await service.evaluate({ text: 'a {{ secrets.A }}', mode: 'template', scope })).toBe(
      'a {{ secrets.A }}',
    )
  })

  test('become values in the task’s own copy, and what data says never does', async () => {
    const source = await sourceWith({ name: 'A', value }, { name: 'B', value: `${value}-b` })
    const opened = await source.open(await marked(parameters), use)
    expect(opened.parameters).toEqual({
      token: `Bearer ${value}`,
      headers: { x: `${value}-b`, y: '{{ secrets.A }}' },
      url: '',
    })
  })

  test('parameters without a secret are what they always were', async () => {
    expect(await resolved({ token: '{{ input }}' })).toEqual({
      token: '{{ secrets.A }}',
      headers: {},
      url: '',
    })
  })

  test('a field that is seen by others takes none', async () => {
    const thrown = await thrownBy(() => resolved({ url: 'https://x/{{ secrets.A }}' }))
    expect(thrown).toMatchObject({
      code: 'secret_not_allowed',
      message: '“Address” may not hold a secret, and it names “A”.',
    })
  })

  test('an expression that works on a secret is refused', async () => {
    for (const token of ['{{ $uppercase(secrets.A) }}', '{{ secrets }}', '{{ secrets.A & "x" }}']) {
      expect(await thrownBy(() => resolved({ token }))).toMatchObject({ code: 'expression_invalid' })
    }
  })

  test('a dry run opens nothing', async () => {
    const opened = await referencesOnly.open(await marked(parameters), use)
    expect(opened.parameters).toMatchObject({ token: 'Bearer {{ secrets.A }}' })
  })
})

describe('refusals name the secret and the step', () => {
  const parameters = { token: '{{ secrets.A }}' }

  test('a missing secret', async () => {
    const source = await sourceWith()
    const thrown = await thrownBy(async () => source.open(await marked(parameters), use))
    expect(thrown).toMatchObject({
      code: 'secret_not_found',
      message: '“charge” needs a secret that is not there. There is no secret “A” in the vault.',
      details: { name: 'A', nodeId: 'charge' },
      retryable: false,
    })
  })

  test('a locked vault', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.keyFile.text = null
    const thrown = await thrownBy(async () =>
      createSecretSource(scene.again()).open(await marked(parameters), use),
    )
    expect(thrown).toMatchObject({ code: 'vault_key_missing', details: { name: 'A', nodeId: 'charge' } })
    expect(String(thrown)).toContain('“charge” needs the secret “A”.')
  })

  test.for<[string, object, string]>([
    ['another kind of task', { kinds: ['http-request'] }, 'steps of the kind “probe”'],
    ['another workflow', { nodes: ['billing', 'orders/refund'] }, 'the workflow “orders”'],
  ])('a secret for %s', async ([, binding, words]) => {
    const source = await sourceWith({ name: 'A', value, ...binding })
    const thrown = await thrownBy(async () => source.open(await marked(parameters), use))
    expect(thrown).toMatchObject({ code: 'secret_not_allowed' })
    expect(String(thrown)).toContain(words)
  })

  test('an engine without a vault', async () => {
    const thrown = await thrownBy(async () => openSecrets(undefined, await marked(parameters), use))
    expect(thrown).toMatchObject({ code: 'secret_not_found', details: { name: 'A', nodeId: 'charge' } })
  })

  test('a host that it is not bound to, before anybody is asked for it', async () => {
    const source = await sourceWith({ name: 'A', value, hosts: ['api.example.com'] })
    const { guard } = await source.open(await marked(parameters), use)
    guard.checkHost(new URL('https://api.example.com/orders'))
    const thrown = await thrownBy(() => guard.checkHost(new URL('https://evil.example/orders')))
    expect(thrown).toMatchObject({
      code: 'secret_host_denied',
      message: 'The secret “A” may not be sent to evil.example.',
      details: { name: 'A', host: 'evil.example', allowed: ['api.example.com'] },
    })
  })
})

test('of the texts that go to a host, only the secrets that they hold must be meant for it', async () => {
  const source = await sourceWith({ name: 'A', value, hosts: ['login.example.com'] })
  const { guard } = await source.open(await marked({ token: '{{ secrets.A }}' }), use)
  const url = new URL('https://api.example.com/orders')
  guard.checkHost(url, ['nothing of it', ''])
  for (const text of [`Token ${value}`, Buffer.from(`me:${value}`).toString('base64')]) {
    expect(await thrownBy(() => guard.checkHost(url, ['a', text]))).toMatchObject({
      code: 'secret_host_denied',
    })
    guard.checkHost(new URL('https://login.example.com/'), [text])
  }
})

test('what a task got by itself is taken out like a secret, from then on', async () => {
  const source = await sourceWith({ name: 'A', value })
  const { guard, redactor } = await source.open(await marked({ token: '{{ secrets.A }}' }), use)
  expect(guard.redact('opaque-token-77')).toBe('opaque-token-77')
  guard.add({ name: 'access token', value: 'opaque-token-77' })
  expect(guard.redact(`opaque-token-77 ${value}`)).toBe('(secret access token) (secret A)')
  expect(redactor.json({ a: ['Bearer opaque-token-77'] })).toEqual({ a: ['Bearer (secret access token)'] })
  expect(guard.isIn('opaque-token-77')).toBe(true)
})

describe('what a task says', () => {
  const redactor = createRedactor([{ name: 'A', value }])
  const at = { correlation: null, until: null, messageId: 'm', runId: null }

  test.for<object>([
    { kind: 'completed', output: { a: [value] }, ports: ['out'] },
    { kind: 'parked', until: 5, reason: value, output: value },
    { kind: 'items', items: [value], limit: 1, tolerated: 0 },
    { kind: 'turn', iteration: 1, value },
    { kind: 'awaits', name: 'n', onTimeout: 'port', output: value, ...at },
    { kind: 'calls', workflow: 'w', version: '', input: { value }, waits: true },
    { kind: 'emits', name: 'n', payload: value, output: value, ...at },
    { kind: 'stops', status: 'failed', output: value, message: value },
  ])('an outcome of the form $kind holds no value', (outcome) => {
    const said = redactedOutcome(outcome as never, redactor)
    expect(JSON.stringify(said)).not.toContain(value)
    expect(said).toMatchObject({ kind: (outcome as { kind: string }).kind })
    expect(JSON.stringify(said)).toContain('(secret A)')
  })

  test('an error holds no value, and nothing that its details call secret', () => {
    const error = errorRecord('http_status', {
      message: `401 for ${value}`,
      hint: `use ${value}`,
      details: { headers: { 'set-cookie': 'session=1', x: value }, status: 401 },
    })
    expect(redactedError(error, redactor)).toMatchObject({
      message: '401 for (secret A)',
      hint: 'use (secret A)',
      details: { headers: { 'set-cookie': '(redacted)', x: '(secret A)' }, status: 401 },
    })
  })
})
