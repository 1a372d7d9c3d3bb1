/** Runners and commands on a live Redis Cluster, as people start them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedisCluster } from '../support/redis-servers.ts'
import { createGate } from './gate.ts'
import { add, addTo, bound, chain, startRunner } from './runner-processes.ts'
import { sagasmith, sagasmithGiven } from './sagasmith.ts'

async function newCluster(): Promise<string> {
  const cluster = await startRedisCluster()
  onTestFinished(cluster.stop)
  return `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
}

const ownData = () => ({ SAGASMITH_DATA: temporaryFolder() })

test('a run is started from one process, done by the runners of a new cluster, and taken over by another', async () => {
  const address = await newCluster()
  const crew = await Promise.all([1, 2].map(() => startRunner(address, [], ownData())))
  const data = temporaryFolder()
  const gate = createGate()
  const file = join(data, 'chain.json')
  writeFileSync(file, JSON.stringify(chain({ add: add(), gate: gate.step, again: addTo('add') })))
  const ended = sagasmith(data, 'run', file, '--input', '1', '--store', address)
  const owner = async (): Promise<string | null> => {
    const { lines } = await sagasmith(data, 'runs', 'list', '--cluster', address)
    const id = lines[0]?.['id']
    if (typeof id !== 'string') return null
    const shown = await sagasmith(data, 'runs', 'show', id, '--cluster', address)
    const records = shown.lines.flatMap((line) =>
      Array.isArray(line['invocations']) ? line['invocations'] : [line],
    )
    for (const record of records as readonly JsonObject[]) {
      const lease = record['lease'] as JsonObject | null | undefined
      const runner = lease?.['runnerId']
      if (record['nodeId'] !== 'gate' || record['status'] !== 'RUNNING') continue
      if (typeof runner === 'string') return runner
    }
    return null
  }
  let first: string | null = null
  await expect
    .poll(async () => {
      first = await owner()
      return first
    }, bound)
    .not.toBeNull()
  crew.find(({ runnerId }) => runnerId === first)?.child.kill('SIGKILL')
  const other = crew.find(({ runnerId }) => runnerId !== first)
  await expect.poll(owner, bound).toBe(other?.runnerId)
  gate.open()
  const { code, lines } = await ended
  expect(code).toBe(0)
  expect(lines.at(-1)).toMatchObject({ output: 3 })
})

test('a cluster that is named is read-only unless it was made writable', async () => {
  const address = await newCluster()
  const data = temporaryFolder()
  const file = join(data, 'one.json')
  writeFileSync(file, JSON.stringify(chain({ add: add() })))
  expect(await sagasmith(data, 'clusters', 'add', 'plant', address)).toMatchObject({ code: 0 })
  expect(await sagasmith(data, 'clusters', 'test', 'plant')).toMatchObject({ code: 0 })
  const refused = await sagasmith(data, 'run', file, '--input', '1', '--store', 'plant')
  expect(refused.code).toBe(1)
  expect(refused.lines.at(-1)).toMatchObject({ type: 'error', error: { code: 'cluster_read_only' } })
  expect((await sagasmith(data, 'runs', 'list', '--cluster', 'plant')).code).toBe(0)
  await sagasmith(data, 'clusters', 'add', 'plant', address, '--writable')
  await startRunner(address, [], ownData())
  expect(await sagasmith(data, 'run', file, '--input', '1', '--store', 'plant')).toMatchObject({ code: 0 })
})

test('a push says what it means there, publishes once, and leaves runs in flight alone', async () => {
  const address = await newCluster()
  const data = temporaryFolder()
  const file = join(data, 'pushed.json')
  const write = (nodes: Readonly<Record<string, JsonObject>>) =>
    writeFileSync(file, JSON.stringify(chain(nodes)))
  const push = (...more: readonly string[]) => sagasmith(data, 'push', file, '--cluster', address, ...more)
  const gate = createGate()
  write({ gate: gate.step })
  expect(await push('--preview')).toMatchObject({
    code: 0,
    lines: [{ type: 'workflow.preview', known: false, newest: null, runners: 0 }],
  })
  expect((await push()).code, 'nobody can be asked').toBe(2)
  const first = await push('--yes')
  expect(first.lines.at(-1)).toMatchObject({ type: 'workflow.published', isNew: true })
  expect((await push('--yes')).lines).toMatchObject([{ type: 'workflow.preview', known: true }])
  await startRunner(address, [], ownData())
  const ended = sagasmith(data, 'run', file, '--input', '1', '--store', address)
  const running = async () => (await sagasmith(data, 'runs', 'list', '--cluster', address)).lines.length
  await expect.poll(running, bound).toBe(1)
  write({ gate: { ...gate.step, title: 'Another name' }, add: { ...add(), pool: 'gpu' } })
  const { lines } = await push('--yes')
  expect(lines).toMatchObject([
    {
      changes: [
        { what: 'node', id: 'add', change: 'added' },
        { what: 'edge', change: 'added' },
      ],
      missingKinds: [],
      startedWorkflows: [],
      inFlight: [{ count: 1 }],
    },
    { type: 'workflow.published', isNew: true },
  ])
  gate.open()
  expect((await ended).code, 'it was bound to the first version').toBe(0)
})

test('a push names the secrets that no runner there has, until one has them or tells nothing', async () => {
  const address = await newCluster()
  const data = temporaryFolder()
  const file = join(data, 'paid.json')
  const call: JsonObject = {
    kind: 'http-request',
    parameters: { url: 'https://pay.example.com/', headers: { Authorization: '{{ secrets.SHOP }}' } },
  }
  writeFileSync(file, JSON.stringify(chain({ call })))
  const standings = async () => {
    const { lines } = await sagasmith(data, 'push', file, '--cluster', address, '--preview')
    return lines.at(-1)?.['secretStandings']
  }
  const own = temporaryFolder()
  const quick = ['--set', 'heartbeat_interval=1s', '--set', 'poll_interval=1s']
  await startRunner(address, quick, { SAGASMITH_DATA: own })
  const ofCall = { name: 'SHOP', workflow: null, nodes: ['call'] }
  const missing = { ...ofCall, having: 0, lacking: 1, silent: 0, reasons: ['missing'] }
  expect(await standings()).toEqual([missing])
  const value = 'canary-of-the-shop'
  const set = await sagasmithGiven(own, ['secrets', 'set', 'SHOP', '--hosts', 'bank.example.com'], {
    typed: `${value}\n`,
  })
  expect(set).toMatchObject({ code: 0 })
  await expect.poll(standings, bound).toMatchObject([{ lacking: 1, reasons: ['hosts'] }])
  await sagasmith(own, 'secrets', 'bind', 'SHOP', '--hosts', '*.example.com')
  await expect.poll(standings, bound).toMatchObject([{ having: 1, lacking: 0 }])
  await startRunner(address, ['--set', 'tell_secrets=false'], ownData())
  expect(await standings()).toMatchObject([{ having: 1, lacking: 0, silent: 1 }])
  const runners = await sagasmith(data, 'doctor', '--cluster', address)
  expect(runners.text).not.toContain(value)
})

test('what can’t be reached or isn’t known is said in words', async () => {
  const data = temporaryFolder()
  const nobody = await sagasmith(data, 'runs', 'list', '--cluster', 'redis://127.0.0.1:1')
  expect(nobody.lines.at(-1)).toMatchObject({ error: { code: 'redis_unreachable' } })
  const unknown = await sagasmith(data, 'runs', 'list', '--cluster', 'plant')
  expect(unknown.lines.at(-1)).toMatchObject({ error: { code: 'cluster_unknown' } })
  const password = await sagasmith(data, 'runner', '--store', 'redis://ada:hunter2@127.0.0.1:1')
  expect(password).toMatchObject({ code: 2 })
  expect(JSON.stringify(password.lines)).not.toContain('hunter2')
})
