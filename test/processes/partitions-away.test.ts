/** A master that is lost with its replica: what its partitions hold is missing from lists, and every list says so. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { slotOf } from '../../src-engine/store/redis/slots.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedisCluster } from '../support/redis-servers.ts'
import { add, bound, chain, startRunner } from './runner-processes.ts'
import { sagasmith } from './sagasmith.ts'

test('lists say which part of the store doesn’t answer, until it does', async () => {
  const cluster = await startRedisCluster(3, { 'cluster-require-full-coverage': 'no' })
  onTestFinished(cluster.stop)
  const address = `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
  const data = temporaryFolder()
  const file = join(data, 'one.json')
  writeFileSync(file, JSON.stringify(chain({ add: add() })))
  await startRunner(address, [], { SAGASMITH_DATA: temporaryFolder() })
  expect((await sagasmith(data, 'run', file, '--input', '1', '--store', address)).code).toBe(0)
  const asked = async (...words: readonly string[]) =>
    (await sagasmith(data, ...words, '--cluster', address)).lines
  expect((await asked('runs', 'list')).map(({ type }) => type)).toEqual(['run'])

  // The masters share the slots evenly, in their order; each has its replica three places behind.
  const home = Math.floor((slotOf('{p0}') * 3) / 16_384)
  const lost = (home + 1) % 3
  const pair = [cluster.servers[lost], cluster.servers[lost + 3]]
  for (const server of pair) server?.process.kill('SIGSTOP')
  const missing = {
    type: 'store.missing',
    partitions: 64,
    missing: expect.arrayContaining([expect.objectContaining({ code: expect.stringMatching(/^redis_/) })]),
  }
  const [runs, letters, bulk] = await Promise.all([
    asked('runs', 'list'),
    asked('dlq', 'list'),
    asked('runs', 'cancel', '--status', 'running'),
  ])
  for (const lines of [runs, letters, bulk]) expect(lines?.at(-1)).toMatchObject(missing)

  for (const server of pair) server?.process.kill('SIGCONT')
  const told = async () => (await asked('runs', 'list')).map(({ type }) => type)
  await expect.poll(told, bound).toEqual(['run'])
})
