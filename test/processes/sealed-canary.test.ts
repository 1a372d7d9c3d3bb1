/**
 * A text that stands for a secret goes through every feature that keeps values, with the product's own engine,
 * on the data file and on Redis. Then no byte of the store has it, and the runs gave what they give unsealed.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nodeId, storeId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { ComposedEngine } from '../../src-engine/shell/compose-engine.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import type { RedisServers } from '../support/redis-servers.ts'
import { startRedis, until } from '../support/redis-servers.ts'
import { composeSealed, library } from './sealed-scene.ts'

const canary = 'canary-Wq7-4711'

/** Names in the open, values sealed: everything that a step, a message or a person can say. */
const everything = documentOf({
  id: 'everything',
  settings: { concurrency: { limit: 5, key: 'input.secret' } },
  nodes: {
    log: { kind: 'log', parameters: { message: 'It is {{ input.secret }}' } },
    program: {
      kind: 'shell-command',
      parameters: {
        program: process.execPath,
        arguments: ['-e', 'console.error(process.env.SAID); console.log(process.env.SAID)'],
        env: { SAID: '{{ input.secret }}' },
      },
    },
    flaky: {
      kind: 'debug',
      parameters: { failTimes: 1, failMessage: 'no: {{ nodes.log.output.secret }}' },
      retry: { maxAttempts: 3, delayMs: 1, jitter: 0 },
    },
    large: {
      kind: 'transform',
      parameters: { expression: '($v := nodes.log.output.secret; $join([1..4000].($v)))' },
    },
    each: { kind: 'map', parameters: { items: 'nodes.log.output.list', limit: 2 } },
    item: { kind: 'transform', parent: 'each', parameters: { expression: 'input & "!"' } },
    again: { kind: 'loop', parameters: { mode: 'count', count: 2 } },
    turn: { kind: 'transform', parent: 'again', parameters: { expression: '$string(loop.value) & "?"' } },
    limited: {
      kind: 'transform',
      parameters: { expression: 'nodes.log.output.secret' },
      concurrency: { running: 'ARGUMENTS', registration: 'ARGUMENTS', limit: 1 },
    },
    child: {
      kind: 'sub-workflow',
      parameters: { workflow: 'child', input: '{ "secret": nodes.log.output.secret }' },
    },
    wait: {
      kind: 'wait-signal',
      parameters: { name: 'go', correlation: 'nodes.log.output.secret' },
    },
    tell: {
      kind: 'emit-event',
      parameters: {
        name: 'told',
        payload: '{ "secret": nodes.log.output.secret }',
        correlation: 'nodes.log.output.secret',
      },
    },
    fails: {
      kind: 'debug',
      onError: 'continue',
      parameters: { failTimes: 9, failMessage: 'never: {{ nodes.log.output.secret }}', retryable: false },
    },
    result: {
      kind: 'transform',
      parameters: {
        expression:
          '{ "said": nodes.program.output, "flaky": nodes.flaky.output, "large": $length(nodes.large.output), "each": nodes.each.output, "again": nodes.again.output, "limited": nodes.limited.output, "child": nodes.child.output, "wait": nodes.wait.output }',
      },
    },
  },
  edges: edgesOf(
    'log>program',
    'program>flaky',
    'flaky>large',
    'large>each',
    'each>again',
    'again>limited',
    'limited>child',
    'child>wait',
    'wait>tell',
    'tell>fails',
    'fails>result',
  ),
})

/** It ends in failure: its error, its dead letter and its attempts quote what it worked on. */
const failing = documentOf({
  id: 'failing',
  nodes: { fails: { kind: 'debug', parameters: { failTimes: 9, failMessage: 'lost {{ input.secret }}' } } },
})

const waiting = documentOf({
  id: 'waiting',
  nodes: {
    wait: { kind: 'wait-signal', parameters: { name: 'told', correlation: 'input.secret' } },
  },
})

const input = { secret: canary, list: [`${canary}-1`, `${canary}-2`] }

/** What the runs gave, without what differs from run to run. */
async function playAll(engine: Engine): Promise<JsonValue> {
  const start = async (document: typeof everything, given: JsonValue = input) =>
    (await engine.startRun({ document, input: given, requestId: null, baseDirectory: null })).runId
  const valueOf = async (wanted: { runId: Awaited<ReturnType<typeof start>>; step?: string }) => {
    const nodeOf = wanted.step === undefined ? null : nodeId(wanted.step)
    const payload = await engine.results.read({ runId: wanted.runId, nodeId: nodeOf })
    if (payload.kind === 'inline') return JSON.parse(payload.json) as JsonValue
    if (payload.kind === 'sealed') throw new Error('It came out sealed.')
    return JSON.parse(Buffer.from(await engine.store.getBlob(payload.hash)).toString('utf8')) as JsonValue
  }
  const listener = await start(waiting)
  const whole = await start(everything)
  const signal = { runId: whole, name: 'go', correlation: canary, payload: { from: canary }, messageId: 'm1' }
  expect((await engine.sendSignal(signal)).messageId).toBe('m1')
  const ended = await engine.waitForRun(whole)
  const heard = await engine.waitForRun(listener)
  const failed = await engine.waitForRun(await start(failing))
  const cancelled = await start(waiting, { secret: 'other' })
  const why = { runId: cancelled, action: 'cancel', nodeId: null, by: null, wait: true } as const
  await engine.controlRun({ ...why, reason: `because of ${canary}` })
  const late = { name: 'late', correlation: canary, payload: { late: canary }, messageId: 'm2' }
  await engine.emitEvent({ ...late, runId: cancelled })
  const again = { runId: failed.id, nodeId: null, version: 'same', document: null, by: null } as const
  await engine.retryRun({ ...again, input: { value: input }, reason: `again: ${canary}` })
  const stillFailed = await engine.waitForRun(failed.id)
  const logs = (await engine.attempts(whole, null)).map(({ log }) =>
    log?.kind === 'inline' ? log.json.replaceAll(/"at":\d+/g, '') : null,
  )
  const query = { reason: null, workflowId: null, runId: null, after: null, limit: 100 }
  const { letters } = await engine.deadLetters.list(query)
  return {
    ended: [ended.status, await valueOf({ runId: whole }), await valueOf({ runId: whole, step: 'large' })],
    heard: [heard.status, await valueOf({ runId: listener })],
    failed: [failed.status, failed.error?.message ?? null, stillFailed.error?.message ?? null],
    logs,
    letters: letters
      .map(({ reason, message }) => `${reason}: ${message.replaceAll(/run_\w+/g, 'RUN')}`)
      .sort(),
    snapshot: (await engine.snapshot(whole)).invocations.length,
  }
}

/** Every file below the folder that belongs to the store. */
function bytesOfFiles(folder: string): Buffer {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = names.filter((name) => name.startsWith('sagasmith.db') || name.startsWith('blobs'))
  const files = own.map((name) => join(folder, name)).filter((path) => statSync(path).isFile())
  return Buffer.concat(files.map((path) => readFileSync(path)))
}

const servers: RedisServers[] = []
afterAll(async () => {
  for (const item of servers) await item.stop()
})

/** Compressed values would hide what is in them. */
async function redis(): Promise<RedisServers> {
  const started = await startRedis({ rdbcompression: 'no' })
  servers.push(started)
  return started
}

async function bytesOfRedis({ servers: [server] }: RedisServers): Promise<Buffer> {
  const admin = server?.admin
  if (admin === undefined) throw new Error('There is a server.')
  const found: Buffer[] = []
  for (let cursor = '0'; ; ) {
    const [next, keys] = await admin.scanBuffer(cursor, 'COUNT', 1_000)
    for (const key of keys) found.push(key, (await admin.dumpBuffer(key)) ?? Buffer.alloc(0))
    cursor = next.toString()
    if (cursor === '0') return Buffer.concat(found)
  }
}

const openRedis = ({ servers: all }: RedisServers, name: string): Promise<Store> =>
  storeCatalogue.redis({
    nodes: all.map(({ host, port }) => ({ host, port })),
    storeId: storeId(name),
    prefix: name,
    partitions: 4,
    clock: systemClock,
    writerId: name,
  })

async function playAndClose({ engine, close }: ComposedEngine): Promise<JsonValue> {
  await engine.start()
  const played = await playAll(engine)
  await close()
  return played
}

/** In no form in which somebody could read it. */
function expectAbsent(bytes: Buffer): void {
  const forms = [canary, Buffer.from(canary).toString('hex'), encodeURIComponent(canary)]
  for (const offset of [0, 1, 2]) {
    // Base64 of a text depends on what stands before it; the ends depend on what stands around.
    const coded = Buffer.from('x'.repeat(offset) + canary).toString('base64')
    forms.push(coded.slice(4, -4))
  }
  for (const form of forms) expect(bytes.includes(form)).toBe(false)
}

test('nothing of a value is in a data file that seals, nor in its blobs, and the runs give the same', async () => {
  const plain = temporaryFolder()
  library(plain)
  const expected = await playAndClose(await composeSealed({ folder: plain, store: null, wanted: false }))
  // The look at the files would see it.
  expect(bytesOfFiles(plain).includes(canary)).toBe(true)
  const sealed = temporaryFolder()
  library(sealed)
  const played = await playAndClose(await composeSealed({ folder: sealed, store: null, wanted: true }))
  expect(played).toEqual(expected)
  expect(played).toMatchObject({ ended: ['SUCCEEDED', { large: 4_000 * canary.length }, expect.anything()] })
  const bytes = bytesOfFiles(sealed)
  expect(bytes.includes('sealed:1:')).toBe(true)
  expectAbsent(bytes)
})

test('nothing of a value reaches a Redis that seals, neither in a key nor on the way there', async () => {
  const started = await redis()
  const folder = temporaryFolder()
  library(folder)
  const expected = await playAndClose(
    await composeSealed({ folder, store: await openRedis(started, 'plain'), wanted: false }),
  )
  const [server] = started.servers
  expect((await bytesOfRedis(started)).includes(canary)).toBe(true)
  await server?.admin.flushall()
  const heard: string[] = []
  // All that is ever sent there, hints included.
  const listener = await server?.admin.duplicate().monitor()
  listener?.on('monitor', (_time: string, words: readonly string[]) => heard.push(...words))
  const played = await playAndClose(
    await composeSealed({ folder, store: await openRedis(started, 'sealed'), wanted: true }),
  )
  await server?.admin.echo('the end')
  await until('all was heard', () => Promise.resolve(heard.includes('the end')))
  listener?.disconnect()
  expect(played).toEqual(expected)
  const bytes = Buffer.concat([await bytesOfRedis(started), Buffer.from(heard.join('\n'))])
  expect(bytes.includes('sealed:1:')).toBe(true)
  expectAbsent(bytes)
})
