/** What a compensation hands to the outside: a key that stays the same, and variables that say what it is. */

import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { runId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { createExpressionService } from '../../../../src-engine/runtime/expressions/expression-service.ts'
import { undoCallOf } from '../../../../src-engine/runtime/saga/undo-call.ts'
import type { UndoWork } from '../../../../src-engine/runtime/saga/undo-work.ts'
import type { ExpressionScope } from '../../../../src-engine/runtime/task-host.ts'
import { createShellCommandRun } from '../../../../src-engine/tasks/shell-command/run.ts'
import { shellCommandSpec } from '../../../../src-engine/tasks/shell-command/spec.ts'
import { outputOf, taskContext } from '../../../support/task-context.ts'

const resolver = createExpressionService({
  clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
})
afterAll(() => resolver.close())

const scope: ExpressionScope = {
  input: () => null,
  nodes: async () => ({}),
  run: () => ({ id: 'run-1' }),
  vars: { shop: 'north' },
  original: async () => ({ input: null, output: { id: 7 }, error: null }),
  now: 0,
  seed: 's',
}

const callOf = (marks: JsonObject | null, of: { readonly step?: string; readonly path?: string } = {}) => {
  const { step = 'run-1/pay', path = '' } = of
  const undo = { step: { id: step, path }, topic: 'refunds', said: { arriving: null, marks } }
  const run = { id: runId('run-1'), workflowId: workflowId('orders') }
  const work = { run, taskKind: 'http-request', undo: undo as unknown as UndoWork }
  return undoCallOf(resolver, work as Parameters<typeof undoCallOf>[1], scope)
}

const keyOf = (text: string): string => `saga:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

describe('the key of a compensation', () => {
  test('is made of run, step, topic, kind and place, each time the same [C40]', async () => {
    const { idempotencyKey } = await callOf(null)
    expect(idempotencyKey).toBe(keyOf('run-1|run-1/pay|refunds|http-request'))
    expect((await callOf({ labels: { a: 'b' } })).idempotencyKey).toBe(idempotencyKey)
    const inMap = { step: 'run-1/pay@each:3', path: 'each:3' }
    expect((await callOf(null, inMap)).idempotencyKey).toBe(
      keyOf('run-1|run-1/pay@each:3|refunds|http-request|each:3'),
    )
  })

  test('that the document names wins, its expressions resolved [C40]', async () => {
    const said = { idempotencyKey: 'refund-{{ original.output.id }}' }
    expect((await callOf(said)).idempotencyKey).toBe('refund-7')
    expect((await callOf({ idempotencyKey: '' })).idempotencyKey).toMatch(/^saga:/)
  })
})

describe('the variables of a compensation', () => {
  test('say what it is, whatever the document names', async () => {
    const labels = { order: '{{ original.output.id }}', is_compensation: 'no' }
    const { env } = await callOf({ labels, env: { SHOP: '{{ vars.shop }}', saga_workflow_id: 'x' } })
    expect(env).toEqual({
      SHOP: 'north',
      order: '7',
      saga_compensation: 'true',
      is_compensation: 'true',
      saga_workflow_id: 'orders',
    })
  })

  test('reach the program that undoes, before those of its parameters', async () => {
    const { env, idempotencyKey } = await callOf({ env: { SHOP: 'south' } })
    const task = createShellCommandRun({
      environment: { PATH: process.env['PATH'] },
      evaluate: async () => null,
    })
    const parameters = { program: 'env', env: { SHOP: 'east', OWN: 'x' }, output: 'lines' }
    const context = taskContext({ env, idempotencyKey })
    const done = await task.execute(shellCommandSpec.parameters.parse(parameters), context)
    expect((outputOf(done) as JsonObject)['stdout']).toEqual(
      expect.arrayContaining([
        'SHOP=south',
        'OWN=x',
        'saga_compensation=true',
        'is_compensation=true',
        'saga_workflow_id=orders',
        `SAGASMITH_IDEMPOTENCY_KEY=${idempotencyKey}`,
      ]),
    )
  })
})
