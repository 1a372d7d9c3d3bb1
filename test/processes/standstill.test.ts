/** Runner processes that are stopped and go on, as a laptop's lid does it, on a real file and by real clocks. */

import { expect, test } from 'vitest'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { createGate } from './gate.ts'
import type { RunnerProcess } from './runner-processes.ts'
import { begin, bound, chain, executing, nap, openStarter, startRunner } from './runner-processes.ts'

/** Long enough that nobody who lives is thought dead on a busy machine, short enough to wait for their end. */
const leaseSeconds = 10
const shortLeases = { SAGASMITH_CLAIM_TTL: String(leaseSeconds) }

async function outcomes(engine: Engine, runId: Parameters<Engine['attempts']>[0]) {
  const attempts = await engine.attempts(runId, null)
  return attempts.map(({ number, outcome, runnerId }) => ({ number, outcome, runnerId }))
}

/** What its row says of its last sign of life. */
async function heartbeat(engine: Engine, { runnerId }: RunnerProcess): Promise<number> {
  const rows = await engine.store.list(0, 'runners', { filter: null, page: { after: null, limit: 10 } })
  return rows.find(({ id }) => id === runnerId)?.heartbeatAt ?? 0
}

test('a stopped runner that goes on gives up what another has taken over, and works on', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const crew = [
    await startRunner(directory, ['--concurrency', '1'], shortLeases),
    await startRunner(directory, ['--concurrency', '1'], shortLeases),
  ]
  const gate = createGate()
  const runId = await begin(starter, chain({ gate: gate.step }), 1)
  await expect.poll(() => executing(starter, runId), bound).not.toBeNull()
  const owner = await executing(starter, runId)
  const first = crew.find(({ runnerId }) => runnerId === owner)
  const second = crew.find(({ runnerId }) => runnerId !== owner)
  if (first === undefined || second === undefined) throw new Error('one of the two executes it')
  first.child.kill('SIGSTOP')
  await expect.poll(() => executing(starter, runId), bound).toBe(second.runnerId)
  first.child.kill('SIGCONT')
  gate.open()
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  expect(await outcomes(starter, runId)).toEqual([
    { number: 1, outcome: 'lost', runnerId: first.runnerId },
    { number: 2, outcome: 'succeeded', runnerId: second.runnerId },
  ])
  second.child.kill('SIGTERM')
  await second.ended
  const next = await begin(starter, chain({ nap: nap(10) }), 1)
  expect((await starter.waitForRun(next)).status).toBe('SUCCEEDED')
  expect((await outcomes(starter, next)).map(({ runnerId }) => runnerId)).toEqual([first.runnerId])
})

test('a stopped runner whose work nobody took completes it when it goes on', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const runner = await startRunner(directory, [], shortLeases)
  const gate = createGate()
  const runId = await begin(starter, chain({ gate: gate.step }), 1)
  await expect.poll(() => executing(starter, runId), bound).toBe(runner.runnerId)
  runner.child.kill('SIGSTOP')
  const stoppedAt = Date.now()
  // Until every lease of its is over by the clock, and longer.
  await expect
    .poll(async () => Date.now() - Math.max(stoppedAt, await heartbeat(starter, runner)), bound)
    .toBeGreaterThan(1_500 * leaseSeconds)
  runner.child.kill('SIGCONT')
  gate.open()
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  expect(await outcomes(starter, runId)).toEqual([
    { number: 1, outcome: 'succeeded', runnerId: runner.runnerId },
  ])
  await expect.poll(() => heartbeat(starter, runner), bound).toBeGreaterThan(stoppedAt + 1_500 * leaseSeconds)
})

test('a killed runner is noticed on its machine long before its lease is over [P29]', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const crew = await Promise.all([1, 2].map(() => startRunner(directory, ['--concurrency', '1'])))
  const gate = createGate()
  const runId = await begin(starter, chain({ gate: gate.step }), 1)
  await expect.poll(() => executing(starter, runId), bound).not.toBeNull()
  const [{ lease } = { lease: null }] = await starter.store.load(0, 'invocations', { runId })
  const owner = lease?.runnerId
  const first = crew.find(({ runnerId }) => runnerId === owner)
  if (first === undefined) throw new Error('one of the two executes it')
  first.child.kill('SIGKILL')
  await first.ended
  gate.open()
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  const [lost, done] = await starter.attempts(runId, null)
  expect(lost).toMatchObject({ number: 1, outcome: 'lost', runnerId: first.runnerId })
  expect(done).toMatchObject({ number: 2, outcome: 'succeeded' })
  // How soon is told in virtual time; this lease was given for five minutes.
  expect(lost?.endedAt ?? Number.POSITIVE_INFINITY).toBeLessThan(lease?.expiresAt ?? 0)
})

test('a living runner is never taken for a silent one, however long its step takes', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  // Whoever is silent for as long as a lease is given up, whatever its lease says.
  const patience = `${leaseSeconds}s`
  const impatient = { ...shortLeases, SAGASMITH_RUNNER_CONSIDERED_DEAD_AFTER_MINUTES: patience }
  await Promise.all([1, 2].map(() => startRunner(directory, ['--concurrency', '1'], impatient)))
  const runId = await begin(starter, chain({ nap: nap(1_500 * leaseSeconds) }), 1)
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  expect((await outcomes(starter, runId)).map(({ outcome }) => outcome)).toEqual(['succeeded'])
})

test('a step that times out ends its whole runner where that is wanted', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const runner = await startRunner(directory, [], {
    SAGASMITH_STOP_WORKER_ON_TIMEOUT: 'true',
    SAGASMITH_STOP_GRACE: '0s',
  })
  const slow = { ...nap(600_000), timeout: { attemptMs: 300 } }
  const runId = await begin(starter, chain({ nap: slow }), 1)
  expect((await starter.waitForRun(runId)).status).toBe('TIMED_OUT')
  expect(await runner.ended).toBe(0)
  expect(runner.lines.find(({ type }) => type === 'runner.draining')).toMatchObject({
    signal: 'stop_worker_on_timeout',
  })
})
