import { expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import { helloTimeoutMs } from '../../../src-engine/model/limits.ts'
import type { Channel } from '../../../src-engine/protocol/channel.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import type { EngineFrame } from '../../../src-engine/protocol/frames.ts'
import type { Handlers } from '../../../src-engine/shell/handlers/contract.ts'
import { serveChannel } from '../../../src-engine/shell/host.ts'
import { fakeClock, fakeFeed, silentLog } from './shell-fixtures.ts'

/** Handlers of which only some are ever called. */
function someHandlers(handlers: Partial<Handlers>): Handlers {
  return handlers as Handlers
}

function setUp(options: { readonly token?: string; readonly handlers?: Partial<Handlers> } = {}) {
  const [near, far] = createChannelPair()
  const clock = fakeClock()
  const handlers = someHandlers({
    'drafts.list': () => Promise.resolve([]),
    'runs.cancel': () =>
      Promise.reject(new SagasmithError('run_not_found', { message: 'There is no run r9.' })),
    ...options.handlers,
  })
  const welcome = { engineVersion: '1.2.3', storeId: 's1' }
  const { engine } = fakeFeed()
  serveChannel({ handlers, engine, clock, log: silentLog, welcome }, far, options.token ?? null)
  return { near, clock }
}

/** The frames that a raw client gets until the channel closes. */
function framesOf(channel: Channel): Promise<readonly EngineFrame[]> {
  const frames: EngineFrame[] = []
  channel.onMessage((text) => frames.push(JSON.parse(text) as EngineFrame))
  return new Promise((resolve) => channel.onClose(() => resolve(frames)))
}

const hello = (parts: object = {}) => JSON.stringify({ type: 'hello', protocol: 1, token: null, ...parts })

test('a client with the token is welcome', async () => {
  const { near } = setUp({ token: 'secret' })
  const client = createClient(near, { token: 'secret' })
  await expect(client.welcome).resolves.toEqual({ engineVersion: '1.2.3', storeId: 's1' })
  await expect(client.call('drafts.list', {})).resolves.toEqual([])
})

test('a client with another token is refused, its calls included', async () => {
  const { near } = setUp({ token: 'secret' })
  const client = createClient(near, { token: 'guess' })
  const call = client.call('drafts.list', {})
  await expect(client.welcome).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(call).rejects.toMatchObject({ code: 'unauthorized' })
})

test('an error keeps code, message and hint across the line', async () => {
  const { near } = setUp()
  const client = createClient(near, { token: null })
  const error = await client.call('runs.cancel', { runId: 'r9' as never }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SagasmithError)
  expect(error).toMatchObject({ code: 'run_not_found', message: 'There is no run r9.' })
})

test('a wrong input is named with its field', async () => {
  const { near } = setUp()
  const client = createClient(near, { token: null })
  await expect(client.call('runs.cancel', { runId: 5 as never })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/runs\.cancel.*runId/),
  })
})

test('an unknown method is refused by name', async () => {
  const { near } = setUp()
  const client = createClient(near, { token: null })
  await expect(client.call('runs.explode' as never, {} as never)).rejects.toMatchObject({
    code: 'unknown_method',
    message: expect.stringContaining('runs.explode'),
  })
})

test('the stack of a bug of ours stays here', async () => {
  const { near } = setUp({
    handlers: { 'drafts.list': () => Promise.reject(new TypeError('x is undefined')) },
  })
  const client = createClient(near, { token: null })
  await expect(client.call('drafts.list', {})).rejects.toMatchObject({ code: 'internal', details: {} })
})

test('closing the line rejects what is pending', async () => {
  const { near } = setUp({ handlers: { 'drafts.list': () => new Promise(() => undefined) } })
  const client = createClient(near, { token: null })
  await client.welcome
  const call = client.call('drafts.list', {})
  client.close()
  await expect(call).rejects.toMatchObject({ code: 'engine_stopped' })
  await expect(client.call('drafts.list', {})).rejects.toMatchObject({ code: 'engine_stopped' })
})

test.for([
  ['text that is no JSON', '{"type":', /not valid JSON/],
  ['a frame of another program', '{"jsonrpc":"2.0"}', /expected form/],
  ['a call before the hello', '{"type":"call","id":1,"method":"drafts.list","input":{}}', /valid token/],
  ['another protocol version', hello({ protocol: 99 }), /version 1 of the protocol, the app version 99/],
] as const)('%s is refused with a reason and the line is closed', async ([, text, reason]) => {
  const { near } = setUp()
  const frames = framesOf(near)
  near.send(text)
  expect(await frames).toMatchObject([{ type: 'refused', error: { message: expect.stringMatching(reason) } }])
})

test('malformed text after the welcome is answered when it names its request', async () => {
  const { near } = setUp()
  const frames = framesOf(near)
  near.send(hello())
  near.send('{"type":"call","id":3,"method":')
  near.send('nonsense')
  expect(await frames).toMatchObject([
    { type: 'welcome' },
    { type: 'reply', id: 3, ok: false, error: { code: 'bad_request' } },
    { type: 'refused' },
  ])
})

test('who says no hello in time is sent away, for a reason that another try may change', async () => {
  const { near, clock } = setUp()
  const frames = framesOf(near)
  clock.advance(helloTimeoutMs)
  expect(await frames).toMatchObject([
    { type: 'refused', error: { code: 'engine_stopped', message: expect.stringContaining('hello') } },
  ])
})

test('a subscription to a run that is not there ends with the reason', async () => {
  const { near } = setUp()
  const client = createClient(near, { token: null })
  const error = await new Promise((resolve) => {
    client.subscribe(
      { topic: { kind: 'run', runId: 'gone' as never }, cursor: null },
      { events: () => undefined, ended: resolve },
    )
  })
  expect(error).toMatchObject({ message: 'no run gone' })
})
