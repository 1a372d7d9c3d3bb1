/** Redis commands on a real server: arguments as they are, transactions, refusals, and an end that is one. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { redisCommandMock } from '../../src-engine/tasks/redis-command/mock.ts'
import { createRedisCommandRun } from '../../src-engine/tasks/redis-command/run.ts'
import { redisCommandSpec } from '../../src-engine/tasks/redis-command/spec.ts'
import type { TaskContext } from '../../src-engine/tasks/task.ts'
import type { RedisServer } from '../support/redis-servers.ts'
import { startRedisServer, until } from '../support/redis-servers.ts'
import { outputOf, taskContext, thrownBy } from '../support/task-context.ts'

const task = createRedisCommandRun({ lookup: async () => [] })
let server: RedisServer
beforeAll(async () => {
  server = await startRedisServer()
})
afterAll(() => server.kill())

const send = async (
  commands: readonly JsonObject[],
  raw: JsonObject = {},
  parts: Partial<TaskContext> = {},
) =>
  outputOf(
    await task.execute(
      redisCommandSpec.parameters.parse({
        host: server.host,
        port: server.port,
        tls: 'off',
        commands,
        ...raw,
      }),
      taskContext({ approvedHosts: [server.host], ...parts }),
    ),
  )
const command = (name: string, ...args: readonly (string | number | JsonObject | null)[]): JsonObject => ({
  name,
  args: [...args],
})

test('arguments reach the server as they are', async () => {
  const odd = 'x\r\n*1\r\n$8\r\nFLUSHALL\r\n'
  expect(await send([command('SET', 'a', odd), command('get', 'a'), command('SET', 'o', { n: 1 })])).toEqual({
    answer: 'OK',
    answers: ['OK', odd, 'OK'],
  })
  expect(
    await send([command('GET', 'o'), command('EXISTS', 'a', 'o', 'none'), command('GET', 'none')]),
  ).toEqual({
    answer: '{"n":1}',
    answers: ['{"n":1}', 2, null],
  })
})

test('lists, streams, scripts, times to live', async () => {
  await send([command('XADD', 'stream', '1-1', 'k', 'v'), command('SET', 'ttl', 'x', 'EX', 100)])
  expect(
    await send([
      command('XINFO STREAM', 'stream'),
      command('XRANGE', 'stream', '-', '+'),
      command('EVAL', 'return {KEYS[1], ARGV[1]}', 1, 'k', 'v'),
      command('TTL', 'ttl'),
    ]),
  ).toMatchObject({
    answers: [expect.arrayContaining(['length', 1]) as unknown, [['1-1', ['k', 'v']]], ['k', 'v'], 100],
  })
})

test('a key goes away after a time, and its answer is no answer of the step', async () => {
  const first = { ...command('SET', 'short', 'x'), ttlMs: 100_000 }
  expect(await send([first, command('GET', 'short')])).toEqual({ answer: 'OK', answers: ['OK', 'x'] })
  expect(await send([command('TTL', 'short')])).toMatchObject({ answer: 100 })
  const none = { ...command('PING'), ttlMs: 1_000 }
  expect(await thrownBy(() => send([none]))).toMatchObject({ code: 'task_input_invalid' })
})

test('a script gets its keys and arguments as data, and may be held to reading', async () => {
  const odd = "'] .. redis.call('FLUSHALL') .. ['"
  const script = "redis.call('SET', KEYS[1], ARGV[1]); return {KEYS[2], ARGV[2], redis.call('GET', KEYS[1])}"
  const raw = { mode: 'script', script, keys: ['scripted', odd], arguments: [odd, { n: 1 }] }
  expect(await send([], raw)).toMatchObject({ answers: [[odd, '{"n":1}', odd]] })
  expect(await thrownBy(() => send([], { ...raw, readsOnly: true }))).toMatchObject({
    code: 'redis_command_refused',
  })
  expect(await thrownBy(() => send([], { mode: 'script', script: 'return (' }))).toMatchObject({
    code: 'redis_command_refused',
  })
  expect(redisCommandSpec.parameters.safeParse({ host: 'a', mode: 'script' }).success).toBe(false)
  expect(redisCommandSpec.parameters.safeParse({ host: 'a', commands: [] }).success).toBe(false)
})

test('as one: all or none', async () => {
  await send([command('SET', 'text', 'x')])
  const work = () => send([command('SET', 'n', 1), command('NOSUCH')], { atomic: true })
  expect(await thrownBy(work)).toMatchObject({ code: 'redis_command_refused' })
  expect(await send([command('EXISTS', 'n')])).toMatchObject({ answer: 0 })
  expect(await send([command('INCR', 'n'), command('INCR', 'n')], { atomic: true })).toMatchObject({
    answers: [1, 2],
  })
})

describe('refuses', () => {
  test.for([
    ['SUBSCRIBE', 'x'],
    ['MONITOR'],
    ['multi'],
    ['AUTH', 'x'],
    ['CLIENT', 'REPLY', 'OFF'],
    ['SHUTDOWN'],
  ])('%s', async ([name = '', ...args]) => {
    expect(await thrownBy(() => send([command(name, ...args)]))).toMatchObject({ code: 'task_input_invalid' })
  })

  test('two commands in one', () => {
    const commands = [{ name: 'SET a b\r\nFLUSHALL', args: [] }]
    expect(redisCommandSpec.parameters.safeParse({ host: 'x', commands }).success).toBe(false)
  })

  test('what the server does not know, and the wrong type', async () => {
    await send([command('SET', 'text', 'x')])
    expect(await thrownBy(() => send([command('LPUSH', 'text', 'y')]))).toMatchObject({
      code: 'redis_command_refused',
      retryable: false,
      details: { word: 'WRONGTYPE' },
    })
  })
})

test('sign in', async () => {
  await server.admin.call('ACL', 'SETUSER', 'reader', 'on', '>right', '~*', '+get', '+select', '+client')
  const signed = (password: string) => send([command('GET', 'a')], { user: 'reader', password })
  expect(await signed('right')).toMatchObject({ answers: [expect.any(String)] })
  expect(await thrownBy(() => signed('wrong'))).toMatchObject({ code: 'sign_in_refused' })
  const more = () => send([command('FLUSHALL')], { user: 'reader', password: 'right' })
  expect(await thrownBy(more)).toMatchObject({ code: 'sign_in_refused' })
})

test('what is called off under way is left, and nobody knows what came of it', async () => {
  const stop = new AbortController()
  const atWork = async () => String(await server.admin.call('CLIENT', 'LIST')).includes('cmd=blpop')
  const work = thrownBy(() => send([command('BLPOP', 'nothing', 0)], {}, { signal: stop.signal }))
  await until('the server has the command', atWork)
  stop.abort()
  expect(await work).toMatchObject({ code: 'task_cancelled', details: { effect: 'unknown' } })
  await until('the connection is gone', async () => !(await atWork()))
})

test('nobody there, not approved, no certificate', async () => {
  const get = [command('GET', 'a')]
  expect(await thrownBy(() => send(get, { port: 9 }))).toMatchObject({
    code: 'connection_failed',
    retryable: true,
  })
  expect(await thrownBy(() => send(get, {}, { approvedHosts: [] }))).toMatchObject({
    code: 'http_address_denied',
  })
  expect(await thrownBy(() => send(get, { tls: 'verify', timeoutMs: 3_000 }))).toMatchObject({
    code: expect.stringMatching(/connection_failed|task_timeout/) as string,
  })
})

test('the mock sends nothing', () => {
  const parameters = redisCommandSpec.parameters.parse({
    host: 'x',
    commands: [{ name: 'GET', args: ['a'] }],
  })
  expect(redisCommandMock(parameters, taskContext())).toMatchObject({ output: { answers: [null] } })
})
