/** Steps for which a result of an earlier run stands: what their records say, and what follows. */

import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { cancelRun } from '../../../src-engine/core/requests.ts'
import { invocationId } from '../../../src-engine/model/ids.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { json, sceneOf } from './run-scene.ts'

const reused = { from: invocationId('run_0/b'), at: 5 }
const reuses = (ports: readonly string[] | null = null): AttemptEnd => ({
  kind: 'reused',
  output: json('kept'),
  ports,
  reused,
})

const chain = async (): Promise<Scene> => {
  const nodes = { a: { kind: 'debug' }, b: { kind: 'debug' }, c: { kind: 'debug' } }
  const scene = sceneOf({ nodes, edges: edgesOf('a>b', 'b>c') })
  await scene.start()
  await scene.end('a')
  return scene
}

describe('a step that takes over a result', () => {
  test('has succeeded, says whose result it is, and what follows begins', async () => {
    const scene = await chain()
    await scene.end('b', reuses())
    expect(scene.record('b')).toMatchObject({
      status: 'SUCCESS',
      output: json('kept'),
      ports: null,
      error: null,
      dispatch: { reused },
    })
    expect(scene.record('c').status).toBe('RUNNING')
    await scene.end('c')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('goes the ways that were gone then', async () => {
    const scene = await chain()
    await scene.end('b', reuses(['other']))
    expect(scene.record('b').ports).toEqual(['other'])
    expect(scene.skipped()).toEqual(['c'])
  })

  test('did nothing: a cancel that came meanwhile counts', async () => {
    const scene = await chain()
    await scene.decide(cancelRun, { actor: 'operator', claims: false })
    await scene.end('b', reuses())
    expect(scene.record('b')).toMatchObject({ status: 'CANCELLED', error: { code: 'task_cancelled' } })
    expect(scene.record('b').dispatch?.reused).toBeUndefined()
  })
})

test('only a step without effects, which nothing undoes, has a rule for it', () => {
  const cache = { ttlMs: 1_000 }
  const nodes = {
    plain: { kind: 'debug' },
    pure: { kind: 'debug', cache },
    keyed: { kind: 'debug', cache: { ...cache, key: ' ' }, sideEffect: 'keyed' },
    unsafe: { kind: 'debug', cache, sideEffect: 'unsafe' },
    undone: { kind: 'debug', cache, compensation: { task: { kind: 'log', parameters: {} } } },
    lasting: {
      kind: 'debug',
      cache: { ...cache, key: 'input.id' },
      compensation: { impossible: 'it only reads' },
    },
    off: { kind: 'debug', cache, disabled: true },
    passed: { kind: 'debug', cache, bypassed: true },
    waits: { kind: 'delay', cache },
  }
  const { nodeById } = sceneOf({ nodes, edges: {} }).state.workflow
  const rules = Object.keys(nodes).flatMap((id) => {
    const rule = nodeById.get(id as never)?.cache ?? null
    return rule === null ? [] : [[id, rule.ttlMs, rule.key]]
  })
  expect(rules).toEqual([
    ['pure', 1_000, null],
    ['lasting', 1_000, 'input.id'],
  ])
})
