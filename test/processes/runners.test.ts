/** `sagasmith runner` as people start it: real processes that share one data file, and how they end. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFileName } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { createGate } from './gate.ts'
import type { RunnerProcess } from './runner-processes.ts'
import {
  add,
  addTo,
  begin,
  bound,
  chain,
  executing,
  openStarter,
  startRunner,
  workers,
} from './runner-processes.ts'

test('two runners share six runs of three steps, each step once, with the right outputs [S43]', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const [a, b] = await Promise.all([
    startRunner(directory, ['--concurrency', '1']),
    startRunner(join(directory, dataFileName), ['--concurrency', '1']),
  ])
  const gate = createGate()
  const document = chain({ add: add(), gate: gate.step, again: addTo('add') })
  const runs = await Promise.all([1, 2, 3, 4, 5, 6].map((input) => begin(starter, document, input)))
  await expect.poll(async () => (await workers(starter, ...runs)).size, bound).toBe(2)
  gate.open()
  const ended = await Promise.all(runs.map((runId) => starter.waitForRun(runId)))
  expect(ended.map(({ output }) => output)).toEqual(
    [3, 4, 5, 6, 7, 8].map((value) => ({ kind: 'inline', json: String(value) })),
  )
  const attempts = (await Promise.all(runs.map((runId) => starter.attempts(runId, null)))).flat()
  expect(attempts).toHaveLength(18)
  expect(new Set(attempts.map(({ invocationId }) => invocationId)).size).toBe(18)
  expect(new Set(attempts.map(({ runnerId }) => runnerId))).toEqual(new Set([a.runnerId, b.runnerId]))
})

test('SIGTERM hands work back, and what SIGKILL leaves behind is recovered by the other [P53]', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  // All are up before the work begins: starting one may take longer than the step.
  const crew = await Promise.all([1, 2, 3].map(() => startRunner(directory, ['--grace', '0s'])))
  const gate = createGate()
  const runId = await begin(starter, chain({ gate: gate.step }), 1)
  const others = [...crew]
  const nextOwner = async (): Promise<RunnerProcess> => {
    const isOne = async (): Promise<boolean> => {
      const owner = await executing(starter, runId)
      return others.some(({ runnerId }) => runnerId === owner)
    }
    await expect.poll(isOne, bound).toBe(true)
    const owner = await executing(starter, runId)
    const [found] = others.splice(
      others.findIndex(({ runnerId }) => runnerId === owner),
      1,
    )
    if (found === undefined) throw new Error('somebody executes it')
    return found
  }
  const first = await nextOwner()
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(first.lines.map(({ type }) => type)).toEqual([
    'runner.started',
    'runner.draining',
    'runner.handing-back',
    'runner.stopped',
  ])
  const second = await nextOwner()
  second.child.kill('SIGKILL')
  await nextOwner()
  gate.open()
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  const events = await starter.store.readEvents({
    after: { partition: 0, epoch: starter.store.info.epochs[0] ?? 0, seq: 0 },
    runId,
    until: null,
    limit: 500,
  })
  const moves = events.flatMap(({ body }) =>
    body.type === 'invocation.changed' && body.from !== body.to ? [body.to] : [],
  )
  const telling = ['RUNNING', 'KILLED', 'REROUTED', 'RUNNING_RECOVERY', 'SUCCESS']
  const told = moves.filter((to) => telling.includes(to)).join(' ')
  expect(told).toMatch(/^RUNNING KILLED (REROUTED )+RUNNING RUNNING_RECOVERY (REROUTED )*RUNNING SUCCESS$/)
})

test('a draining runner ends what it has begun, within its grace', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const runner = await startRunner(directory, ['--grace', '5m'])
  const gate = createGate()
  const runId = await begin(starter, chain({ gate: gate.step, after: addTo('gate') }), 1)
  await expect.poll(() => executing(starter, runId), bound).toBe(runner.runnerId)
  runner.child.kill('SIGTERM')
  await expect.poll(() => runner.lines.at(-1)?.type, bound).toBe('runner.draining')
  gate.open()
  expect(await runner.ended).toBe(0)
  expect(runner.lines.map(({ type }) => type)).toEqual([
    'runner.started',
    'runner.draining',
    'runner.stopped',
  ])
  const records = await starter.store.load(0, 'invocations', { runId })
  expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'REGISTERED'])
})
