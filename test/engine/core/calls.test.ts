/** Steps that wait for a run of another workflow: what its end, or a refusal, makes of them. */

import { describe, expect, test } from 'vitest'
import type { CallOutcome } from '../../../src-engine/core/calls.ts'
import { endCall } from '../../../src-engine/core/calls.ts'
import { pauseNode } from '../../../src-engine/core/control/pause.ts'
import type { ChildRun } from '../../../src-engine/model/child-run.ts'
import { errorRecord } from '../../../src-engine/model/errors.ts'
import { definitionHash, nodeId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { newRun } from '../../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { json, sceneOf } from './run-scene.ts'

const child = runId('run_sub_1')

/** A step `call` that waits for the child, or goes on at once; `after` follows it. */
async function called(node: JsonObject = {}, waits = true): Promise<Scene> {
  const scene = sceneOf({
    nodes: { call: { kind: 'sub-workflow', ...node }, after: { kind: 'noop' } },
    edges: edgesOf('call>after'),
  })
  await scene.start()
  const { id } = scene.record('call')
  const asked: ChildRun = {
    ...{ runId: child, tenant: 'local', hash: definitionHash('w1_child'), input: json(1) },
    ...{ baseDirectory: null, deadlineAt: null, parentRunId: scene.state.run.id },
    ...{ priority: 'NORMAL', parentInvocationId: id, waits },
  }
  const decision = await scene.end('call', { kind: 'calls', child: asked, output: json(child), versions: [] })
  expect(decision?.checkpoint.writes.outbox.map((effect) => effect.id)).toEqual([`start:${child}`])
  return scene
}

const ended = (status: RunRecord['status'], set: Partial<RunRecord> = {}): CallOutcome => {
  const own = { id: child, workflowId: workflowId('w'), workflowTitle: 'Child', seed: child, status, ...set }
  const run = newRun({ definitionHash: definitionHash('w1_child'), now: 0, input: json(1), ...own })
  return { kind: 'ended', run, isUndoable: false }
}

const tell = (scene: Scene, outcome: CallOutcome, of = child) =>
  scene.decide(
    (state, context) =>
      endCall(state, context, { id: scene.record('call').id, child: of, outcome, random: 0.5 }),
    { actor: 'run' },
  )

const broken = { status: 'FAILED', error: errorRecord('csv_invalid') } as const

describe('a step that waits for a run', () => {
  test('goes on with what that gave, and leaves it alone: it has ended by itself', async () => {
    const scene = await called()
    expect(scene.record('call')).toMatchObject({ status: 'WAITING', wait: { kind: 'run', runId: child } })
    const decision = await tell(scene, ended('SUCCEEDED', { output: json(7) }))
    expect(scene.record('call')).toMatchObject({ status: 'SUCCESS', output: json(7), wait: null })
    expect(scene.record('after').status).toBe('RUNNING')
    expect(decision?.checkpoint.writes.outbox).toEqual([])
  })

  test('hears of no other run, and of its own once', async () => {
    const scene = await called()
    expect(await tell(scene, ended('SUCCEEDED'), runId('run_sub_2'))).toBeNull()
    await tell(scene, ended('SUCCEEDED'))
    expect(scene.record('call').output).toEqual(json(null))
    expect(await tell(scene, ended('SUCCEEDED', { output: json(8) }))).toBeNull()
  })

  test.for([
    { outcome: ended('FAILED', broken), status: 'FAILED', code: 'sub_run_failed', cause: 'csv_invalid' },
    { outcome: ended('TIMED_OUT'), status: 'TIMEOUT', code: 'sub_run_failed', cause: null },
    { outcome: ended('CANCELLED'), status: 'FAILED', code: 'sub_run_cancelled', cause: null },
    {
      outcome: { kind: 'refused', error: errorRecord('document_invalid') },
      status: 'FAILED',
      code: 'document_invalid',
    },
  ] as const)('fails as that did: $status with $code', async ({ outcome, status, code, ...told }) => {
    const scene = await called()
    await tell(scene, outcome)
    expect(scene.record('call')).toMatchObject({ status, error: { code } })
    if ('cause' in told)
      expect(scene.record('call').error?.details).toMatchObject({ childRunId: child, cause: told.cause })
  })

  test('is tried again where it says so, and waits for nobody until then', async () => {
    const scene = await called({ retry: { maxAttempts: 2, delayMs: 1_000, jitter: 0, backoff: 'fixed' } })
    const error = { ...errorRecord('http_status'), retryable: true }
    await tell(scene, { kind: 'refused', error })
    expect(scene.record('call')).toMatchObject({
      ...{ status: 'RETRY', wait: null, failureCount: 1, notBefore: scene.now + 1_000 },
      waitReason: { code: 'backoff' },
    })
    expect(await tell(scene, ended('SUCCEEDED'))).toBeNull()
  })

  test('is not tried again past the time that it has for all of its tries', async () => {
    const scene = await called({
      retry: { maxAttempts: 2, delayMs: 1_000, jitter: 0, backoff: 'fixed' },
      timeout: { totalMs: 1_500 },
    })
    scene.now += 600
    await tell(scene, { kind: 'refused', error: { ...errorRecord('http_status'), retryable: true } })
    expect(scene.record('call')).toMatchObject({ status: 'FAILED', failureCount: 1 })
  })

  test('that stands still goes on with the end of its run, and nothing of the pause stays on it', async () => {
    const scene = await called()
    const by = { actor: 'operator', claims: false } as const
    await scene.decide((state, context) => pauseNode(state, context, nodeId('call')), by)
    expect(scene.record('call').dispatch?.held).not.toBeNull()
    await tell(scene, ended('SUCCEEDED', { output: json(7) }))
    expect(scene.record('call')).toMatchObject({
      ...{ status: 'SUCCESS', output: json(7) },
      dispatch: { held: null, pauseRequestedAt: null },
    })
  })
})

test('a step that only starts a run goes on at once', async () => {
  const scene = await called({}, false)
  expect(scene.record('call')).toMatchObject({ status: 'SUCCESS', output: json(child), wait: null })
  expect(scene.record('after').status).toBe('RUNNING')
})
