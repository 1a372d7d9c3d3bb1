/** What failures, timeouts, cancels and lost owners lead to. */

import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import type { PersonDecision } from '../../../src-engine/core/requests.ts'
import { cancelRun, resolveByPerson, timeOutRun, wake } from '../../../src-engine/core/requests.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, sceneStart, succeeded, timedOut } from './run-scene.ts'

/** A refusal that says when to come back. */
function asking(retryAfterMs: number | string) {
  const details = { status: 429, retryAfterMs }
  const error = { code: 'http_status', message: 'Too many.', hint: 'Wait.', details, retryable: true }
  return { kind: 'failed', error, random: 0.5 } as const
}

/** A failure with what the condition of its retries said. */
const answered = (again: boolean, retryable = false) =>
  ({ ...failed('csv_invalid', retryable), again }) as AttemptEnd

const one = (node: JsonObject, parts: JsonObject = {}): Scene =>
  sceneOf({ nodes: { a: { kind: 'noop', ...node } }, edges: {}, ...parts })

describe('retry', () => {
  test.for([
    { title: 'fixed', policy: { backoff: 'fixed', delayMs: 100 }, delays: [100, 100, 100] },
    { title: 'exponential', policy: { delayMs: 100, factor: 3 }, delays: [100, 300, 900] },
    { title: 'capped', policy: { delayMs: 100, factor: 10, maxDelayMs: 500 }, delays: [100, 500, 500] },
  ])('$title backoff is durable [P11] [S32] [C58] [T6] [T16]', async ({ policy, delays }) => {
    const scene = one({ retry: { maxAttempts: 4, jitter: 0, ...policy } })
    await scene.start()
    for (const delay of delays) {
      await scene.end('a', failed())
      expect(scene.record('a')).toMatchObject({ status: 'RETRY', notBefore: scene.now + delay })
      expect(scene.record('a').waitReason?.code).toBe('backoff')
      scene.now += delay
      expect(await scene.claim()).toEqual(['a'])
      await scene.begin('a')
    }
    await scene.end('a', failed())
    expect(scene.record('a')).toMatchObject({ status: 'FAILED', attempt: 4, failureCount: 4 })
    expect(scene.state.run.status).toBe('FAILED')
  })

  test('jitter moves a pause by at most half of its share, in both directions [T6]', async () => {
    for (const random of [0, 0.25, 0.999]) {
      const scene = one({ retry: { maxAttempts: 2, delayMs: 1_000, jitter: 0.4 } })
      await scene.start()
      const end = failed()
      await scene.end('a', end.kind === 'failed' ? { ...end, random } : end)
      const pause = (scene.record('a').notBefore ?? 0) - scene.now
      expect(pause).toBeGreaterThanOrEqual(800)
      expect(pause).toBeLessThanOrEqual(1_200)
    }
  })

  test.for([
    { title: 'longer than the backoff', asked: 20_000, pause: 20_000 },
    { title: 'shorter than the backoff', asked: 10, pause: 1_000 },
    { title: 'longer than the longest wait', asked: 90_000, pause: 60_000 },
    { title: 'what is no time', asked: '20000', pause: 1_000 },
    { title: 'a time that is over', asked: -5_000, pause: 1_000 },
    { title: 'without end', asked: 1e300, policy: { maxDelayMs: 86_400_000 }, pause: 600_000 },
    { title: 'half of a millisecond more', asked: 20_000.5, pause: 20_001 },
  ])('an error that asks for a pause, $title, gets $pause ms', async ({ asked, pause, policy }) => {
    const scene = one({ retry: { maxAttempts: 2, jitter: 0, ...policy } })
    await scene.start()
    await scene.end('a', asking(asked))
    expect(scene.record('a')).toMatchObject({ status: 'RETRY', notBefore: scene.now + pause })
    scene.now += pause - 1
    expect(await scene.claim()).toEqual([])
    scene.now += 1
    expect(await scene.claim()).toEqual(['a'])
  })

  test('jitter makes a pause that is asked for longer, never shorter', async () => {
    const pauses: number[] = []
    for (const random of [0, 0.5, 0.999]) {
      const scene = one({ retry: { maxAttempts: 2, jitter: 0.4 } })
      await scene.start()
      await scene.end('a', { ...asking(20_000), random })
      pauses.push((scene.record('a').notBefore ?? 0) - scene.now)
    }
    expect(pauses).toEqual([20_000, 22_000, 23_996])
  })

  test('an error that asks for a pause is tried no more often for it, nor beyond the total timeout', async () => {
    const once = one({})
    await once.start()
    await once.end('a', asking(1_000))
    expect(once.record('a').status).toBe('FAILED')
    const hurried = one({ retry: { maxAttempts: 2 }, timeout: { totalMs: 20_000 } })
    await hurried.start()
    await hurried.end('a', asking(20_000))
    expect(hurried.record('a')).toMatchObject({ status: 'FAILED', error: { code: 'http_status' } })
  })

  test.for([
    { title: 'what the error calls hopeless', policy: {}, end: failed('csv_invalid', false), again: false },
    { title: 'neverOn', policy: { neverOn: ['task_failed'] }, end: failed(), again: false },
    { title: 'retryOn without it', policy: { retryOn: ['http_status'] }, end: failed(), again: false },
    {
      title: 'retryOn with it',
      policy: { retryOn: ['csv_invalid'] },
      end: failed('csv_invalid', false),
      again: true,
    },
    { title: 'a timeout', policy: {}, end: timedOut(), again: true },
    { title: 'a condition that holds', policy: { retryIf: 'c' }, end: answered(true), again: true },
    { title: 'one that doesn’t', policy: { retryIf: 'c' }, end: answered(false, true), again: false },
    {
      title: 'a condition that holds, and neverOn',
      policy: { retryIf: 'c', neverOn: ['csv_invalid'] },
      end: answered(true),
      again: false,
    },
    {
      title: 'a condition that holds, and other codes',
      policy: { retryIf: 'c', retryOn: ['http_status'] },
      end: answered(true),
      again: false,
    },
    { title: 'a condition that nobody could ask', policy: { retryIf: 'c' }, end: failed(), again: true },
    { title: 'an answer that nobody asked for', policy: { retryIf: ' ' }, end: answered(true), again: false },
  ])('$title: tried again is $again [C58]', async ({ policy, end, again }) => {
    const scene = one({ retry: { maxAttempts: 2, ...policy } })
    await scene.start()
    await scene.end('a', end)
    expect(scene.record('a').status).toBe(again ? 'RETRY' : 'FAILED')
  })

  test('no further try begins after the total timeout, and the attempt’s deadline ends with it', async () => {
    const scene = one({ retry: { maxAttempts: 9, delayMs: 400, jitter: 0 }, timeout: { totalMs: 1_000 } })
    await scene.start()
    expect(scene.record('a').deadlineAt).toBe(sceneStart + 1_000)
    scene.now += 700
    await scene.end('a', failed())
    expect(scene.record('a').status).toBe('FAILED')
  })
})

describe('handled failures', () => {
  test.for([
    { title: 'a failure', end: failed('csv_invalid', false), status: 'FAILED' },
    { title: 'a timeout', end: timedOut(), status: 'TIMEOUT' },
  ])('$title takes the error port [C56]', async ({ end, status }) => {
    const scene = sceneOf({
      nodes: { a: { kind: 'noop' }, ok: { kind: 'noop' }, h: { kind: 'noop' } },
      edges: edgesOf('a>ok', 'a:error>h'),
    })
    await scene.start()
    await scene.end('a', end)
    expect(scene.record('a').status).toBe(status)
    expect(scene.skipped()).toEqual(['ok'])
    await scene.end('h', succeeded('handled'))
    expect(scene.state.run).toMatchObject({ status: 'SUCCEEDED', error: null })
  })

  test('the error port is not taken by a success [C56]', async () => {
    const scene = sceneOf({
      nodes: { a: { kind: 'noop' }, h: { kind: 'noop' } },
      edges: edgesOf('a:error>h'),
    })
    await scene.start()
    await scene.end('a', succeeded(1))
    expect(scene.skipped()).toEqual(['h'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('“continue” hands the fallback on', async () => {
    const scene = sceneOf({
      nodes: { a: { kind: 'noop', onError: 'continue', fallbackOutput: [1] }, j: { kind: 'join' } },
      edges: edgesOf('a>j'),
    })
    await scene.start()
    await scene.end('a', failed('csv_invalid', false))
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.output()).toEqual([1])
  })
})

describe('unhandled failures', () => {
  const parts = (onFailure: string): JsonObject => ({
    settings: { onFailure },
    nodes: { a: { kind: 'noop' }, b: { kind: 'noop' }, b2: { kind: 'noop' }, c: { kind: 'noop' } },
    edges: edgesOf('b>b2'),
  })

  test('“stop” cancels what waits and asks what runs [G19]', async () => {
    const scene = sceneOf(parts('stop'))
    scene.capacity = 2
    await scene.start()
    await scene.end('a', failed('csv_invalid', false))
    expect(scene.statuses()).toEqual({ a: 'FAILED', b: 'RUNNING', c: 'CANCELLED' })
    await scene.end('b', { kind: 'cancelled' })
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
  })

  test('“finish” lets the other branches end first', async () => {
    const scene = sceneOf(parts('finish'))
    await scene.start()
    await scene.end('a', failed('csv_invalid', false))
    await scene.end('b')
    expect(scene.statuses()['b2']).toBe('RUNNING')
    await scene.end('b2')
    await scene.end('c')
    expect(scene.state.run.status).toBe('FAILED')
  })

  test('a timeout that nobody handles ends the run as timed out', async () => {
    const scene = one({})
    await scene.start()
    await scene.end('a', timedOut())
    expect(scene.state.run.status).toBe('TIMED_OUT')
  })

  test('the run’s deadline also stops a run that was finishing its other branches', async () => {
    const scene = sceneOf({ ...parts('finish'), settings: { onFailure: 'finish', timeoutMs: 500 } })
    await scene.start()
    await scene.end('a', failed('csv_invalid', false))
    scene.now += 500
    await scene.decide(timeOutRun, { actor: 'reconciler', claims: false })
    expect(scene.record('b').cancelRequestedAt).toBe(scene.now)
    await scene.end('b', { kind: 'cancelled' })
    await scene.end('c', { kind: 'cancelled' })
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
  })
})

describe('cancel and deadlines', () => {
  const cancel = (scene: Scene) => scene.decide(cancelRun, { actor: 'operator', claims: false })

  test('queued and parked work ends at once, owned work answers [C11] [C60] [T9]', async () => {
    const scene = sceneOf({
      nodes: { a: { kind: 'noop' }, b: { kind: 'delay' }, c: { kind: 'noop' } },
      edges: {},
    })
    scene.capacity = 2
    await scene.start()
    const parked = { kind: 'parked', until: scene.now + 50, reason: 'waits', output: json(1) } as const
    scene.capacity = 0
    await scene.end('b', parked)
    await cancel(scene)
    expect(scene.statuses()).toEqual({ a: 'RUNNING', b: 'CANCELLED', c: 'CANCELLED' })
    expect(await cancel(scene)).toBeNull()
    await scene.end('a', { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('CANCELLED')
    expect(await cancel(scene)).toBeNull()
  })

  test('claimed work that was to be cancelled never begins [S10]', async () => {
    const scene = one({})
    scene.capacity = 0
    await scene.start()
    scene.capacity = 1
    await scene.claim()
    await cancel(scene)
    await scene.begin('a')
    expect(scene.record('a')).toMatchObject({ status: 'CANCELLED', attempt: 0 })
    expect(scene.state.run.status).toBe('CANCELLED')
  })

  test('a step that succeeds although it was to be cancelled keeps its result [C8] [S11]', async () => {
    const scene = sceneOf({ nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } }, edges: edgesOf('a>b') })
    await scene.start()
    await cancel(scene)
    await scene.end('a', succeeded(1))
    expect(scene.statuses()).toEqual({ a: 'SUCCESS' })
    expect(scene.state.run.status).toBe('CANCELLED')
  })

  test('the run’s deadline ends it as timed out, and not before it has passed', async () => {
    const scene = one({}, { settings: { timeoutMs: 1_000 } })
    await scene.start()
    expect(await scene.decide(timeOutRun, { actor: 'reconciler' })).toBeNull()
    scene.now += 1_000
    await scene.decide(timeOutRun, { actor: 'reconciler', claims: false })
    await scene.end('a', { kind: 'cancelled' })
    expect(scene.state.run).toMatchObject({ status: 'TIMED_OUT', error: { code: 'run_timed_out' } })
  })

  test('a parked step goes on when its instant has come, once [S19]', async () => {
    const scene = sceneOf({ nodes: { a: { kind: 'delay' }, b: { kind: 'noop' } }, edges: edgesOf('a>b') })
    await scene.start()
    await scene.end('a', { kind: 'parked', until: scene.now + 50, reason: 'waits', output: json(1) })
    expect(scene.state.run.status).toBe('WAITING')
    const { id } = scene.record('a')
    const ring = () => scene.decide((state, context) => wake(state, context, id), { actor: 'timer' })
    expect(await ring()).toBeNull()
    scene.now += 50
    await ring()
    expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'RUNNING' })
    expect(scene.state.run.status).toBe('RUNNING')
    expect(await ring()).toBeNull()
  })
})

describe('recovery', () => {
  test('claimed work that had not begun is available again, and that is no crash [P55]', async () => {
    const scene = one({})
    scene.capacity = 0
    await scene.start()
    scene.capacity = 1
    await scene.claim()
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status: 'REROUTED', crashCount: 0, attempt: 0 })
    expect(await scene.lose('a')).toBeNull()
  })

  test('the fifth crash takes it out of circulation, with a dead letter [G8]', async () => {
    const scene = one({})
    await scene.start()
    for (let crash = 1; crash < 5; crash += 1) {
      await scene.lose('a')
      expect(scene.record('a')).toMatchObject({ status: 'REROUTED', crashCount: crash, failureCount: 0 })
      await scene.claim()
      await scene.begin('a')
    }
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status: 'FAILED', error: { code: 'worker_lost' } })
    expect(scene.deadLetters).toEqual(['worker_lost'])
    expect(scene.state.run.status).toBe('FAILED')
  })

  test.for([
    { title: 'with tries left is tried again', retry: { maxAttempts: 2, jitter: 0 }, status: 'REROUTED' },
    { title: 'without is a timeout', retry: {}, status: 'TIMEOUT' },
  ])('a deadline that passed meanwhile: one $title [T7]', async ({ retry, status }) => {
    const scene = one({ retry, timeout: { attemptMs: 100 } })
    await scene.start()
    scene.now += 100
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status, attempt: 1, failureCount: 1 })
    expect(scene.record('a').notBefore).toBe(status === 'REROUTED' ? scene.now + 1_000 : null)
    expect(scene.state.run.status).toBe(status === 'TIMEOUT' ? 'TIMED_OUT' : 'RUNNING')
  })

  test('work that was to be cancelled is, without running again [C60]', async () => {
    const scene = one({ sideEffect: 'unsafe' })
    await scene.start()
    await scene.decide(cancelRun, { actor: 'operator', claims: false })
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status: 'CANCELLED', attempt: 1 })
    expect(scene.state.run.status).toBe('CANCELLED')
  })

  test.for<{ decision: PersonDecision; step: string; run: string }>([
    { decision: { kind: 'run-again' }, step: 'REROUTED', run: 'RUNNING' },
    { decision: { kind: 'take-as-done', output: json(9) }, step: 'SUCCESS', run: 'SUCCEEDED' },
    { decision: { kind: 'fail' }, step: 'FAILED', run: 'FAILED' },
  ])('an effect that may have happened: a person decides $decision.kind', async ({ decision, step, run }) => {
    const scene = one({ sideEffect: 'unsafe' })
    await scene.start()
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({
      status: 'APPROVAL_REQUIRED',
      waitReason: { code: 'indeterminate_effect' },
    })
    expect(scene.state.run.status).toBe('WAITING')
    const { id } = scene.record('a')
    const decide = () =>
      scene.decide((state, context) => resolveByPerson(state, context, { id, decision }), {
        actor: 'operator',
        claims: false,
      })
    await decide()
    expect(scene.record('a').status).toBe(step)
    expect(scene.state.run.status).toBe(run)
    expect(await decide()).toBeNull()
  })

  test.for([
    { begun: true, sideEffect: 'unsafe', status: 'APPROVAL_REQUIRED' },
    { begun: false, sideEffect: 'unsafe', status: 'REROUTED' },
    { begun: true, sideEffect: 'keyed', status: 'REROUTED' },
  ])('given back by a stopping runner, $sideEffect and begun $begun: $status', async (given) => {
    const scene = one({ sideEffect: given.sideEffect })
    await scene.start()
    scene.capacity = 0
    await scene.end('a', { kind: 'handed-back', begun: given.begun })
    expect(scene.record('a').status).toBe(given.status)
  })
})
