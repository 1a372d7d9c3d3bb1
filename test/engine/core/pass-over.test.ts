/** Steps that their own condition keeps from running: what follows, and what is undone. */

import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { cancelRun } from '../../../src-engine/core/requests.ts'
import { passedOverBy } from '../../../src-engine/model/passed-over.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'
import { recordedOf, undo } from './saga/saga-scene.ts'

const skips = (output?: unknown): AttemptEnd => ({
  kind: 'skipped',
  condition: 'input.total = 0',
  output: output === undefined ? null : json(output),
})

const chain = async (more = {}): Promise<Scene> => {
  const nodes = { a: undo(), b: undo({ skipIf: 'input.total = 0', ...more }), c: undo(), d: undo() }
  const scene = sceneOf({ nodes, edges: edgesOf('a>b', 'b>c', 'a>d', 'c>d') })
  await scene.start()
  await scene.end('a')
  return scene
}

describe('a step whose condition holds', () => {
  test('is skipped with its reason, and so is what only it leads to', async () => {
    const scene = await chain()
    await scene.end('b', skips())
    const record = scene.record('b')
    expect(record).toMatchObject({
      status: 'CANCELLED',
      error: null,
      output: null,
      cause: { kind: 'skipped', by: record.id, detail: 'input.total = 0' },
    })
    expect(passedOverBy(record)).toBe('input.total = 0')
    expect(scene.skipped()).toEqual(['c'])
    await scene.end('d')
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(recordedOf(scene)).toEqual(['a', 'd'])
  })

  test('hands on what arrived where it is to, and what it leads to runs', async () => {
    const scene = await chain({ onSkip: 'pass' })
    await scene.end('b', skips({ total: 0 }))
    expect(scene.record('b')).toMatchObject({ status: 'SUCCESS', output: json({ total: 0 }), ports: null })
    expect(scene.record('c').status).toBe('RUNNING')
    await scene.end('c')
    await scene.end('d')
    // It did nothing: there is nothing to undo.
    expect(recordedOf(scene)).toEqual(['a', 'c', 'd'])
  })

  test('that decides something leaves by the first of its ways where it hands on what arrived', async () => {
    const scene = sceneOf({
      nodes: {
        x: { kind: 'approval', skipIf: 'true', onSkip: 'pass' },
        b: { kind: 'noop' },
        c: { kind: 'noop' },
      },
      edges: edgesOf('x:approved>b', 'x:rejected>c'),
    })
    await scene.start()
    await scene.end('x', skips({ total: 0 }))
    expect(scene.record('x')).toMatchObject({ status: 'SUCCESS', ports: ['approved'] })
    expect(scene.record('b').status).toBe('RUNNING')
    expect(scene.skipped()).toEqual(['c'])
  })

  test.each(['skip', 'pass'] as const)(
    'is undone all the same when an earlier attempt was lost: %s',
    async (onSkip) => {
      const scene = await chain({ onSkip })
      await scene.lose('b')
      await scene.claim()
      await scene.begin('b')
      await scene.end('b', onSkip === 'pass' ? skips(1) : skips())
      expect(recordedOf(scene)).toEqual(['a', 'b'])
    },
  )

  test('is cancelled where somebody cancelled the run meanwhile', async () => {
    const scene = await chain({ onSkip: 'pass' })
    await scene.decide(cancelRun, { actor: 'operator', claims: false })
    await scene.end('b', skips(1))
    expect(scene.record('b')).toMatchObject({ status: 'CANCELLED', error: { code: 'task_cancelled' } })
    expect(passedOverBy(scene.record('b'))).toBeNull()
    expect(scene.state.run.status).toBe('COMPENSATING')
  })

  test('may have been tried before', async () => {
    const scene = await chain({ retry: { maxAttempts: 3, delayMs: 10, jitter: 0 } })
    await scene.end('b', failed())
    scene.now += 10
    await scene.claim()
    await scene.begin('b')
    await scene.end('b', skips())
    expect(scene.record('b')).toMatchObject({ status: 'CANCELLED', error: null, attempt: 2 })
  })
})

test('a join with a condition is asked in an attempt; one that is bypassed or off isn’t asked', async () => {
  const nodes = {
    a: { kind: 'noop', skipIf: 'true' },
    b: { kind: 'noop', skipIf: 'true', bypassed: true },
    c: { kind: 'noop', skipIf: 'true', disabled: true },
    d: { kind: 'noop', skipIf: '  ' },
  }
  const scene = sceneOf({ nodes, edges: {} })
  await scene.start()
  expect(scene.statuses()).toMatchObject({ a: 'RUNNING', b: 'SUCCESS' })
  expect(scene.skipped()).toEqual(['c'])
  const { nodeById } = scene.state.workflow
  const rules = ['a', 'b', 'c', 'd'].map((id) => nodeById.get(id as never)?.skip ?? null)
  expect(rules).toEqual([{ condition: 'true', handsOn: false }, null, null, null])
  await scene.end('a', succeeded())
})
