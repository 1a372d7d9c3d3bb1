/** Rollbacks on an engine with the product's tasks: what compensations see, crashes, sub-workflows, people. */

import { afterEach, describe, expect, test } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

let scene = new FlowScene(createMemoryStore())
afterEach(async () => {
  await scene.close()
  scene = new FlowScene(createMemoryStore())
})

const give = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })

const step = (expression: string, compensation: JsonObject): JsonObject => ({
  ...give(expression),
  sideEffect: 'idempotent',
  compensation,
})

const refuse = { kind: 'stop', parameters: { status: 'failed', message: 'The carrier refused.' } }

const undo = (expression: string, more: JsonObject = {}): JsonObject => ({ task: give(expression), ...more })

async function outputsOf(id: RunId): Promise<Record<string, unknown>> {
  const records = await scene.store.load(0, 'invocations', { runId: id })
  return Object.fromEntries(
    records.map(({ id: name, output }) => [
      name.slice(name.indexOf('/') + 1),
      output?.kind === 'inline' ? JSON.parse(output.json) : null,
    ]),
  )
}

async function undoneInOrder(id: RunId): Promise<readonly string[]> {
  const attempts = await scene.engine.attempts(id, null)
  return attempts
    .map(({ invocationId }) => invocationId.slice(invocationId.indexOf('/') + 1))
    .filter((name) => name.includes('~undo'))
}

const chain = {
  nodes: {
    a: step('{"id": input.order}', undo('{"of": original.output.id, "was": original.input.order}')),
    b: step('{"id": 2}', undo('input', { input: { id: '{{ original.output.id }}', run: '{{ run.id }}' } })),
    c: refuse,
  },
  edges: edgesOf('a>b', 'b>c'),
}

describe('a rollback', () => {
  test('shows each compensation the step that it undoes, and ends the run as compensated [C40]', async () => {
    await scene.launch()
    const run = await scene.play(chain, { order: 7 })
    expect(run).toMatchObject({ status: 'COMPENSATED', error: { code: 'run_stopped' } })
    expect(await undoneInOrder(run.id)).toEqual(['b~undo', 'a~undo'])
    expect(await outputsOf(run.id)).toMatchObject({
      'a~undo': { of: 7, was: 7 },
      'b~undo': { id: 2, run: run.id },
    })
  })

  test('a node of its own undoes several steps, and is no part of the way forward', async () => {
    await scene.launch()
    const by = { node: 'revert' }
    const nodes = { a: step('1', by), b: step('2', by), c: refuse, revert: give('original.output') }
    const run = await scene.play({ nodes, edges: edgesOf('a>b', 'b>c') })
    expect(run.status).toBe('COMPENSATED')
    expect(await outputsOf(run.id)).toEqual({ a: 1, b: 2, c: 2, 'a~undo': 1, 'b~undo': 2 })
  })

  test.for([
    'attempt.before-commit',
    'attempt.after-commit',
    'attempt.effect-done',
    'attempt.before-execute',
  ] as const)('goes on after a crash at %s, wherever that comes [C40]', async (name) => {
    for (let nth = 1; nth <= 5; nth += 1) {
      scene = new FlowScene(createMemoryStore())
      await scene.launch({ name, nth })
      const started = scene.start(chain, { order: 7 })
      await scene.settled(started, () => scene.isDead)
      await scene.pass(1_000)
      if (scene.isDead) await scene.launch()
      await scene.pass(120_000)
      const [run] = await scene.store.list(0, 'runs', {
        filter: { workflowId: null, statuses: null, createdFrom: null, createdBefore: null, tenant: null },
        page: { after: null, limit: 1 },
      } as never)
      expect(run?.status, `${name} ${nth}`).toBe('COMPENSATED')
      const order = (await undoneInOrder(run?.id ?? runId(''))).filter((id, at, all) => all[at - 1] !== id)
      expect(order).toEqual(['b~undo', 'a~undo'])
    }
  })

  test('reaches what a sub-workflow did, and waits for it', async () => {
    await scene.launch()
    const inner = documentOf({
      id: 'inner',
      nodes: { pay: step('"paid"', undo('"refunded"')), note: give('1') },
      edges: edgesOf('pay>note'),
    })
    scene.workflows.set('inner', { document: inner, folder: null })
    const nodes = {
      a: step('1', undo('"undone"')),
      call: { kind: 'sub-workflow', parameters: { workflow: 'inner', input: '{}', mode: 'wait' } },
      c: refuse,
    }
    const run = await scene.play({ nodes, edges: edgesOf('a>call', 'call>c') })
    const child = (await scene.store.load(0, 'invocations', { runId: run.id })).find(
      ({ id }) => id === `${run.id}/call`,
    )
    const details = child?.output
    expect(details).not.toBeNull()
    expect(run.status).toBe('COMPENSATED')
    const order = (await scene.store.load(0, 'invocations', { runId: run.id })).filter(
      ({ role }) => role === 'compensation',
    )
    const ends = Object.fromEntries(order.map(({ nodeId, finishedAt }) => [nodeId, finishedAt ?? 0]))
    expect(ends['a']).toBeGreaterThanOrEqual(ends['call'] ?? Number.POSITIVE_INFINITY)
  })
})

test('a group has what undoes a step begin anew from time to time, also after a crash', async () => {
  await scene.launch()
  let failures = 3
  const fails = {
    execute: async () => {
      failures -= 1
      if (failures >= 0) throw new SagasmithError('csv_invalid', { message: 'The refund was refused.' })
      return completed('refunded')
    },
  }
  scene.instead.set('ask-model', fails)
  const run = await scene.start({
    nodes: { a: step('1', { task: { kind: 'ask-model', parameters: { model: 'm' } } }), c: refuse },
    edges: edgesOf('a>c'),
    sagaScopes: { s: { nodes: ['a'], onFailure: 'retry' } },
  })
  await scene.pass(40_000)
  expect(await undoneInOrder(run)).toEqual(['a~undo', 'a~undo2'])
  expect((await scene.run(run)).status).toBe('COMPENSATING')
  scene.crash()
  await scene.launch()
  await scene.pass(300_000)
  expect((await scene.run(run)).status).toBe('COMPENSATED')
  expect(await undoneInOrder(run)).toEqual(['a~undo', 'a~undo2', 'a~undo3', 'a~undo4'])
  const filter = { reason: null, workflowId: null, runId: run }
  const letters = await scene.store.list(0, 'deadLetters', { filter, page: { after: null, limit: 9 } })
  expect(letters.filter(({ id }) => id.includes('~undo'))).toEqual([])
})

describe('people', () => {
  const broken = {
    nodes: {
      a: step('1', undo('1')),
      b: step('2', undo('$error("The refund was refused.")')),
      c: refuse,
    },
    edges: edgesOf('a>b', 'b>c'),
  }
  const ask = (id: RunId, action: 'compensate' | 'retry' | 'skip' | 'abandon') =>
    scene.within(
      scene.engine.saga.act({ runId: id, action, of: null, by: 'Ada', reason: 'Refunded by phone.' }),
    )

  test('see what failed, and pass over it: the rest is undone, and the list says what stays', async () => {
    await scene.launch()
    const run = await scene.play(broken)
    expect(run.status).toBe('COMPENSATION_FAILED')
    const before = await scene.engine.saga.show(run.id)
    expect(before.actions).toEqual(['retry', 'skip', 'abandon'])
    expect(before.entries.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['b', 'failed'],
      ['a', 'recorded'],
    ])
    await ask(run.id, 'skip')
    await scene.pass(1_000)
    const after = await scene.engine.saga.show(run.id)
    expect(after).toMatchObject({ status: 'COMPENSATED', undone: [`${run.id}/a`], actions: [] })
    expect(after.leftBehind).toMatchObject([
      { nodeId: 'b', reason: 'skipped', message: 'Refunded by phone.', by: 'Ada' },
    ])
  })

  test('try it again, as one more of its chain, or give up', async () => {
    await scene.launch()
    const run = await scene.play(broken)
    await ask(run.id, 'retry')
    await scene.pass(1_000)
    const again = await scene.engine.saga.show(run.id)
    expect(again).toMatchObject({ status: 'COMPENSATION_FAILED' })
    expect(again.entries[0]).toMatchObject({ id: `${run.id}/b~undo2`, state: 'failed' })
    expect(await ask(run.id, 'abandon')).toMatchObject({ status: 'ABANDONED' })
    const { leftBehind } = await scene.engine.saga.show(run.id)
    expect(leftBehind.map(({ nodeId, reason }) => [nodeId, reason])).toEqual([
      ['b', 'abandoned'],
      ['a', 'abandoned'],
    ])
    await expect(ask(run.id, 'retry')).rejects.toMatchObject({ code: 'rollback_not_possible' })
  })

  test('roll back a run that went well; once', async () => {
    await scene.launch()
    const run = await scene.play({ nodes: { a: step('1', undo('1')), b: give('2') }, edges: edgesOf('a>b') })
    expect(run.status).toBe('SUCCEEDED')
    expect((await scene.engine.saga.show(run.id)).actions).toEqual(['compensate'])
    await ask(run.id, 'compensate')
    await scene.pass(1_000)
    expect((await scene.run(run.id)).status).toBe('COMPENSATED')
    await ask(run.id, 'compensate')
    expect((await scene.engine.saga.show(run.id)).undone).toEqual([`${run.id}/a`])
  })
})
