/** Workers that are killed because somebody asked for it: real processes, and what their runs come to. */

import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { bound, startRunner } from './runner-processes.ts'
import { sagasmith, startProgram } from './sagasmith.ts'

/** Answers at once, but for the first call to `/a`, which waits. */
async function openService(): Promise<{
  readonly url: string
  readonly calls: string[]
  readonly open: () => void
}> {
  const calls: string[] = []
  const opened = Promise.withResolvers<undefined>()
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key']
    calls.push(`${request.url} ${String(key)}`)
    const wait = request.url === '/a' ? opened.promise : Promise.resolve()
    void wait.then(() => response.end('1'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    opened.resolve(undefined)
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, calls, open: () => opened.resolve(undefined) }
}

/** `pool`: where the first step is done; where all are when null. */
function put(folder: string, url: string, pool: string | null = null): string {
  const call = (path: string): JsonObject => ({
    kind: 'http-request',
    ...(pool !== null && path === '/a' ? { pool } : {}),
    parameters: { method: 'POST', url: `${url}${path}` },
  })
  const edge = (from: string, to: string): JsonObject => ({
    from: { node: from, port: 'out' },
    to: { node: to, port: 'in' },
  })
  const path = join(folder, 'pay.json')
  const head = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'pay',
    title: 'Pay',
    capabilities: { hosts: ['127.0.0.1'] },
  }
  const nodes = { a: call('/a'), b: call('/b'), c: { kind: 'noop' } }
  writeFileSync(path, JSON.stringify({ ...head, nodes, edges: { ab: edge('a', 'b'), bc: edge('b', 'c') } }))
  return path
}

interface Engine {
  readonly child: ChildProcess
  readonly lines: readonly (JsonObject & { readonly type: string })[]
}

/** The engine of the data directory, with a run in it. */
function start(data: string, path: string): Engine {
  const child = startProgram(['run', path, '--json', '--data', data])
  const lines: (JsonObject & { readonly type: string })[] = []
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    const whole = text.split('\n')
    text = whole.pop() ?? ''
    for (const line of whole) lines.push(JSON.parse(line) as (typeof lines)[number])
  })
  return { child, lines }
}

/** The run that `run FILE` began, once it is listed. */
async function runOf(data: string): Promise<string> {
  const { lines } = await sagasmith(data, 'runs', 'list')
  const id = lines.find(({ type }) => type === 'run')?.['id']
  if (typeof id !== 'string') throw new Error('there is no run')
  return id
}

/** What each step asked for, in order, without the one that comes first. */
const others = (calls: readonly string[]): readonly string[] =>
  calls.filter((call) => !call.startsWith('/a '))

test.for(['after-effect', 'before-commit'] as const)(
  'a worker for the next step dies %s; the step is done again with the same key [C50]',
  async (moment) => {
    const folder = temporaryFolder()
    const data = join(folder, 'd')
    const service = await openService()
    const engine = start(data, put(folder, service.url))
    await expect.poll(() => service.calls.length, bound).toBe(1)
    const id = await runOf(data)

    const crashing = sagasmith(data, 'runs', 'crash', id, '--at-moment', moment, '--yes')
    await expect
      .poll(async () => (await sagasmith(data, 'runs', 'show', id)).lines[0]?.['pauseRequestedAt'], bound)
      .toBeGreaterThan(0)
    service.open()
    const crashed = await crashing
    expect(crashed.lines[0]).toMatchObject({ type: 'run.crash', worker: 'handed-over', isDead: true })
    expect(crashed.lines[0]?.['pid']).not.toBe(engine.child.pid)

    await expect.poll(() => engine.lines.at(-1)?.type, bound).toBe('run.finished')
    expect(engine.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED' })
    // The effect happened twice, and said so to the other side.
    const [first, second, ...more] = others(service.calls)
    expect(first).toBe(second)
    expect(first).toMatch(/^\/b \w/)
    expect(more).toEqual([])

    const { lines } = await sagasmith(data, 'runs', 'crash', id, '--report')
    expect(lines[0]?.['report']).toMatchObject({
      moment,
      state: 'recovered',
      runnerId: crashed.lines[0]?.['runnerId'],
      keptCount: 1,
      steps: [{ nodeId: 'b', sideEffect: 'keyed', effect: 'keyed', state: 'done' }],
    })
    const { lines: audited } = await sagasmith(data, 'audit', '--run', id)
    expect(audited.map(({ act }) => act)).toEqual(expect.arrayContaining(['crashed', 'paused', 'resumed']))
  },
)

test('the runner that has the step is killed now; another takes it over with the same key', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const service = await openService()
  // Only runners of that pool do the first step; the engine that crashes them goes on with the others.
  const engine = start(data, put(folder, service.url, 'far'))
  await expect.poll(() => engine.lines.length, bound).toBeGreaterThan(0)
  const store = join(data, 'sagasmith.db')
  const doomed = await startRunner(store, ['--pool', 'far'])
  await expect.poll(() => service.calls.length, bound).toBe(1)
  const heir = await startRunner(store, ['--pool', 'far'])
  const id = await runOf(data)

  const crashed = await sagasmith(data, 'runs', 'crash', id, '--at-moment', 'now', '--yes')
  expect(crashed.lines[0]).toMatchObject({
    type: 'run.crash',
    worker: 'own',
    isDead: true,
    runnerId: doomed.runnerId,
    pid: doomed.child.pid,
  })
  await doomed.ended
  expect(doomed.child.signalCode).toBe('SIGKILL')
  await expect.poll(() => service.calls.length, bound).toBe(2)
  service.open()

  await expect.poll(() => engine.lines.at(-1)?.type, bound).toBe('run.finished')
  expect(engine.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED' })
  const [first, second] = service.calls
  expect(second).toBe(first)
  const { lines } = await sagasmith(data, 'runs', 'crash', id, '--report')
  expect(lines[0]?.['report']).toMatchObject({
    moment: 'now',
    state: 'recovered',
    runnerId: doomed.runnerId,
    steps: [{ nodeId: 'a', effect: 'keyed', state: 'done', takenBy: heir.runnerId }],
  })
})
