/** Joins with a time that wait for branches which can't come any more. */

import { describe, expect, test } from 'vitest'
import { pauseRun, resumeRun } from '../../../src-engine/core/control/pause.ts'
import type { Draft } from '../../../src-engine/core/draft.ts'
import { endVainJoins } from '../../../src-engine/core/vain-joins.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, sceneOf, succeeded } from './run-scene.ts'

const minutes = (amount: number, onTimeout = 'port'): JsonObject => ({ onTimeout, amount, unit: 'minutes' })

/** Branches `a`, `b` and `c` from a fork into the join `j`; `after` follows it in time, `late` else. */
async function begun(parameters: JsonObject, document: JsonObject): Promise<Scene> {
  const names = ['s', 'a', 'b', 'c', 'after', 'late']
  const scene = sceneOf({
    nodes: {
      ...Object.fromEntries(names.map((name) => [name, { kind: 'noop' }])),
      j: { kind: 'join', parameters },
    },
    edges: {
      ...edgesOf('s>a', 's>b', 's>c', 'a>j', 'b>j', 'c>j', 'j>after'),
      ...(parameters['onTimeout'] === 'port' ? edgesOf('j:timeout>late') : edgesOf('after>late')),
    },
    ...document,
  })
  await scene.start()
  await scene.end('s')
  return scene
}

describe('a join whose other branches can’t come any more, in a run that finishes', () => {
  const finishing = { settings: { onFailure: 'finish' } }
  const broken = failed('csv_invalid', false)

  test('goes on with what has come as soon as the last of them has failed', async () => {
    const scene = await begun(minutes(5), finishing)
    await scene.end('a', succeeded(1))
    await scene.end('b', broken)
    expect(scene.record('j').status).toBe('WAITING')
    await scene.end('c', broken)
    expect(scene.record('j')).toMatchObject({ status: 'SUCCESS', ports: ['timeout'] })
    await scene.end('late')
    expect(scene.skipped()).toEqual(['after'])
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
  })

  test('also where it comes to wait only then, and where it is to fail', async () => {
    const scene = await begun(minutes(5, 'fail'), finishing)
    await scene.end('b', broken)
    await scene.end('c', broken)
    await scene.end('a', succeeded(1))
    expect(scene.record('j')).toMatchObject({ status: 'TIMEOUT', error: { code: 'join_timeout' } })
    expect(scene.state.run.status).toBe('FAILED')
  })

  test('waits while something on the way to it is at work, whatever else is', async () => {
    const nodes = {
      a: { kind: 'noop' },
      b: { kind: 'noop' },
      b2: { kind: 'noop' },
      c: { kind: 'noop' },
      other: { kind: 'noop' },
      j: { kind: 'join', parameters: minutes(5) },
    }
    const scene = sceneOf({ nodes, edges: edgesOf('a>j', 'b>b2', 'b2>j', 'c>j'), ...finishing })
    scene.capacity = 5
    await scene.start()
    await scene.end('a', succeeded(1))
    await scene.end('c', broken)
    expect(scene.record('j').status).toBe('WAITING')
    await scene.end('b')
    expect(scene.record('j').status).toBe('WAITING')
    await scene.end('b2', broken)
    expect(scene.record('j').status).toBe('SUCCESS')
    expect(scene.record('other').status).toBe('RUNNING')
  })

  test('stands still with a paused run, and goes on with its resume', async () => {
    const scene = await begun(minutes(5), finishing)
    await scene.end('a', succeeded(1))
    await scene.end('b', broken)
    const by = { actor: 'operator', claims: false } as const
    await scene.decide((state, context) => pauseRun(state, context), by)
    await scene.end('c', broken)
    expect(scene.record('j').status).toBe('WAITING')
    await scene.decide((state, context) => resumeRun(state, context), by)
    expect(scene.record('j').status).toBe('SUCCESS')
  })
})

test('a run that hasn’t failed isn’t looked through for them: each of its decisions would look at all of its nodes', () => {
  // Only that it has no error may be read of it.
  const draft = new Proxy({ run: { error: null } } as Draft, {
    get: (target, name) => {
      if (name !== 'run') throw new Error(`it looked at ${String(name)}`)
      return target.run
    },
  })
  expect(() => endVainJoins(draft)).not.toThrow()
})
