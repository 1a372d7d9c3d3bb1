/** Steps that end the whole run, whatever else goes on or has failed in it. */

import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { cancelRun } from '../../../src-engine/core/requests.ts'
import type { StopEnd } from '../../../src-engine/core/stop-run.ts'
import { errorRecord } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'

const stops = (status: StopEnd['status'], output: unknown = 'done'): AttemptEnd => ({
  ...{ kind: 'stops', status, output: json(output) },
  error: errorRecord('run_stopped', { message: 'Enough.' }),
})

const broken = failed('csv_invalid', false)

/** A stop step beside two others, all under way. */
async function running(document: JsonObject = {}): Promise<Scene> {
  const nodes = { stop: { kind: 'stop' }, a: { kind: 'noop' }, b: { kind: 'noop' } }
  const scene = sceneOf({ nodes, edges: {}, ...document })
  await scene.start()
  return scene
}

describe('a step that ends its run', () => {
  test.for([
    { how: 'succeeded', status: 'SUCCEEDED', error: null },
    { how: 'failed', status: 'FAILED', error: { code: 'run_stopped', details: { nodeId: 'stop' } } },
    { how: 'cancelled', status: 'CANCELLED', error: { code: 'run_cancelled' } },
  ] as const)(
    'as $how: the others are asked to stop, and it ends with the last of them',
    async ({ how, status, error }) => {
      const scene = await running()
      await scene.end('stop', stops(how))
      expect(scene.record('stop')).toMatchObject({ status: 'SUCCESS', output: json('done') })
      expect(scene.record('a').cancelRequestedAt).toBe(scene.now)
      await scene.end('a', { kind: 'cancelled' })
      expect(scene.state.run.status).toBe('RUNNING')
      await scene.end('b', { kind: 'cancelled' })
      if (error === null) expect(scene.state.run).toMatchObject({ status, error, output: json('done') })
      else expect(scene.state.run).toMatchObject({ status, error, output: null })
    },
  )

  test('as succeeded is not undone by what fails as it is asked to stop', async () => {
    const scene = await running()
    await scene.end('stop', stops('succeeded'))
    await scene.end('a', broken)
    await scene.end('b', succeeded(2))
    expect(scene.state.run).toMatchObject({ status: 'SUCCEEDED', error: null, output: json('done') })
  })

  test('as failed says why, also where another branch had failed before and the rest was to finish', async () => {
    const scene = await running({ settings: { onFailure: 'finish' } })
    await scene.end('a', broken)
    expect(scene.record('b').cancelRequestedAt).toBeNull()
    await scene.end('stop', stops('failed'))
    expect(scene.record('b').cancelRequestedAt).toBe(scene.now)
    await scene.end('b', broken)
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'run_stopped' } })
  })

  test('as succeeded changes nothing of a run that somebody cancels, nor of one that another has ended', async () => {
    const cancelled = await running()
    await cancelled.decide(cancelRun, { actor: 'operator' })
    await cancelled.end('stop', stops('succeeded'))
    for (const id of ['a', 'b']) await cancelled.end(id, { kind: 'cancelled' })
    expect(cancelled.state.run).toMatchObject({ status: 'CANCELLED', output: null })
    const nodes = { one: { kind: 'stop' }, two: { kind: 'stop' } }
    const twice = sceneOf({ nodes, edges: {} })
    await twice.start()
    await twice.end('one', stops('succeeded', 1))
    await twice.end('two', stops('cancelled', 2))
    expect(twice.state.run).toMatchObject({ status: 'SUCCEEDED', output: json(1) })
  })
})
