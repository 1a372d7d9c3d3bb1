/** A failed run of a live Redis Cluster: pulled, replayed, fixed and resumed, as people do it. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedisCluster } from '../support/redis-servers.ts'
import { chain, startRunner } from './runner-processes.ts'
import { sagasmith } from './sagasmith.ts'

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })

/** A program that leaves a line in a file: what it does is seen from outside. */
const effect = (file: string): JsonObject => ({
  kind: 'shell-command',
  sideEffect: 'idempotent',
  parameters: { program: 'sh', arguments: ['-c', `echo done >> '${file}'`] },
})
const timesDone = (file: string): number =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0

test('a failed run comes over, is replayed with the fix, and goes on where it came from', async () => {
  const cluster = await startRedisCluster()
  onTestFinished(cluster.stop)
  const address = `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
  await startRunner(address, [], { SAGASMITH_DATA: temporaryFolder() })
  const data = temporaryFolder()
  const [booked, told] = [join(data, 'booked'), join(data, 'told')]
  const file = join(data, 'orders.json')
  const steps = {
    book: effect(booked),
    price: transform('$error("no price")'),
    tell: effect(told),
    end: transform('42'),
  }
  writeFileSync(file, JSON.stringify(chain(steps)))
  const failed = await sagasmith(data, 'run', file, '--input', '1', '--store', address)
  expect(failed.code).toBe(1)
  const { lines: runs } = await sagasmith(data, 'runs', 'list', '--cluster', address)
  const id = runs[0]?.['id']
  if (typeof id !== 'string') throw new Error('the run is listed')

  await sagasmith(data, 'clusters', 'add', 'plant', address)
  const teleport = (...args: readonly string[]) => sagasmith(data, 'teleport', ...args)
  const pulled = await teleport('pull', id, '--cluster', 'plant')
  expect(pulled).toMatchObject({
    code: 0,
    lines: [{ type: 'run.pulled', run: { runId: id, status: 'FAILED', isSnapshot: false } }],
  })
  const shown = await sagasmith(data, 'runs', 'show', id)
  expect(shown.code, 'it is shown like a run of this machine').toBe(0)
  expect(await sagasmith(data, 'runs', 'list')).toMatchObject({ lines: [] })
  expect((await teleport('list')).lines).toMatchObject([{ runId: id, origin: { cluster: 'plant' } }])

  expect(await teleport('replay', id)).toMatchObject({ code: 0 })
  writeFileSync(file, JSON.stringify(chain({ ...steps, price: transform('7') })))
  const replayed = await teleport('replay', id, '--with', file)
  expect(replayed.code, 'something differs').toBe(1)
  expect(replayed.lines.map(({ nodeId, verdict }) => [nodeId, verdict])).toEqual([
    ['book', 'same'],
    ['price', 'differs'],
    ['tell', 'new'],
    ['end', 'new'],
    [undefined, undefined],
  ])
  expect(replayed.lines.at(-1)).toMatchObject({ end: { recorded: 'FAILED', replayed: 'SUCCEEDED' } })
  expect([timesDone(booked), timesDone(told)], 'a replay touches nothing').toEqual([1, 0])

  const looked = await teleport('here', id, '--with', file, '--preview')
  expect(looked.lines).toMatchObject([
    { type: 'here.preview', again: ['price'], acting: ['tell'], refusal: null },
  ])
  expect((await teleport('here', id, '--with', file)).code, 'nobody can be asked').toBe(2)
  const here = await teleport('here', id, '--with', file, '--yes')
  expect(here).toMatchObject({ code: 0 })
  const hereId = `${id}-here1`
  expect(here.lines.at(-1)).toMatchObject({ type: 'run.here', runId: hereId, cancelled: false })
  expect((await sagasmith(data, 'run', '--resume', hereId)).code).toBe(0)
  expect([timesDone(booked), timesDone(told)], 'the rest was done here').toEqual([1, 1])

  const resume = ['resume', id, '--with', file, '--yes', '--follow']
  const refused = await teleport(...resume)
  expect(refused.code).toBe(1)
  expect(refused.lines.at(-1)).toMatchObject({ refusal: { code: 'cluster_read_only' } })
  await sagasmith(data, 'clusters', 'add', 'plant', address, '--writable')
  const resumed = await teleport(...resume)
  expect(resumed.code).toBe(0)
  expect(resumed.lines.find(({ type }) => type === 'run.resumed')).toMatchObject({ again: ['price'] })
  expect(resumed.lines.at(-1)).toMatchObject({ output: 42 })
  expect([timesDone(booked), timesDone(told)], 'what had succeeded was not done again').toEqual([1, 2])

  const late = await teleport('resume', id, '--yes')
  expect(late.lines.at(-1)).toMatchObject({ refusal: { code: 'teleport_run_moved' } })
  const again = await teleport('pull', id, '--cluster', 'plant')
  expect(again.lines).toMatchObject([{ run: { status: 'SUCCEEDED' }, rolledBack: false }])
  expect(await teleport('replay', id)).toMatchObject({ code: 0 })

  const other = `sqlite:${join(data, 'elsewhere')}`
  expect(await teleport('pull', id, '--cluster', 'plant', '--into', other)).toMatchObject({ code: 0 })
  expect((await teleport('drop', id)).code).toBe(0)
  expect((await teleport('list')).lines).toEqual([])
  expect((await teleport('list', '--into', other)).lines).toMatchObject([{ runId: id }])
  expect(await sagasmith(join(data, 'elsewhere'), 'runs', 'show', id)).toMatchObject({ code: 0 })
})
