/** Pools and forks across real runner processes that share one data file. */

import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { createGate } from './gate.ts'
import { begin, bound, chain, nap, openStarter, startRunner, workers } from './runner-processes.ts'
import { sagasmith } from './sagasmith.ts'

/** `sagasmith pools …` as people call it; what it prints. */
const pools = async (directory: string, ...words: readonly string[]) =>
  (await sagasmith(directory, 'pools', ...words)).lines

test('the branches of a fork run at the same time in three processes [T1]', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  await Promise.all([1, 2, 3].map(() => startRunner(directory, ['--concurrency', '1'])))
  // All three have the same beginning and no edge between them.
  const gate = createGate()
  const document = { ...chain({ a: gate.step, b: gate.step, c: gate.step }), edges: {} }
  const runId = await begin(starter, document, 1)
  await expect.poll(async () => (await workers(starter, runId)).size, bound).toBe(3)
  gate.open()
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  expect(await starter.attempts(runId, null)).toHaveLength(3)
})

test('a pool drained from the command line takes nothing new, ends what runs, and comes back', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  await startRunner(directory, ['--concurrency', '4'])
  const gate = createGate()
  const first = await begin(starter, chain({ a: gate.step }), 1)
  await expect.poll(async () => (await workers(starter, first)).size, bound).toBe(1)
  expect((await sagasmith(directory, 'pools', 'drain', 'defualt')).code).toBe(2)
  const [drained] = await pools(directory, 'drain', 'default')
  expect(drained).toMatchObject({ type: 'pool', name: 'default', status: 'draining' })
  gate.open()
  expect((await starter.waitForRun(first)).status).toBe('SUCCEEDED')
  const poolNow = async () => (await pools(directory, 'list')).find(({ name }) => name === 'default')
  // The runner itself notices that nothing of the pool is at work any more: from then on it surely knows.
  await expect.poll(async () => (await poolNow())?.['status'], bound).toBe('inactive')
  const late = await begin(starter, chain({ a: nap(0) }), 1)
  expect(await poolNow()).toMatchObject({ status: 'inactive', waiting: 1 })
  expect((await starter.store.load(0, 'invocations', { runId: late }))[0]?.status).toBe('REGISTERED')
  await pools(directory, 'activate', 'default')
  expect((await starter.waitForRun(late)).status).toBe('SUCCEEDED')
})
