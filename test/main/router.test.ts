import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import { expect, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { requestChannels } from '../../src-main/ipc/channel-names.ts'
import type { RequestHandlers } from '../../src-main/ipc/router.ts'
import { originOf, registerRequests } from '../../src-main/ipc/router.ts'

type Listener = (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown

const ownFrame = { url: 'app://sagasmith/index.html', parent: null }

function setUp(handlers: Partial<RequestHandlers>) {
  const listeners = new Map<string, Listener>()
  const refused: string[] = []
  const ipc: Pick<IpcMain, 'handle'> = {
    handle: (channel: string, listener: Listener) => void listeners.set(channel, listener),
  }
  registerRequests(
    {
      ipc,
      trustedOrigin: 'app://sagasmith',
      onRefused: (channel, reason) => void refused.push(`${channel} ${reason}`),
    },
    handlers as RequestHandlers,
  )
  const invoke = (channel: string, args: readonly unknown[], frame: unknown = ownFrame): unknown =>
    listeners.get(channel)?.(
      { senderFrame: frame, sender: 'sender' } as unknown as IpcMainInvokeEvent,
      ...args,
    )
  return { invoke, refused, channels: [...listeners.keys()] }
}

test('every listed channel is registered and no other', () => {
  expect(setUp({}).channels).toEqual(Object.values(requestChannels))
})

test('a valid request is answered with a value', async () => {
  const { invoke } = setUp({ takeOpenRequest: () => ({ kind: 'file', path: '/tmp/a.json' }) })
  expect(await invoke('files:take-open-request', [])).toEqual({
    ok: true,
    value: { kind: 'file', path: '/tmp/a.json' },
  })
})

const wrongArguments: readonly (readonly [string, readonly unknown[]])[] = [
  ['files:read', []],
  ['files:read', [7]],
  ['files:read', ['']],
  ['files:read', ['/a', 'more']],
  ['files:save', [{ path: '/a', text: 'x', etag: 'not a hash' }]],
  ['files:save', [{ path: '/a', text: 'x', etag: null, extra: 1 }]],
  ['files:hand-over', [{ name: '', content: 'x' }]],
  ['files:hand-over', [{ name: 'a.png', content: [1, 2] }]],
  ['files:hand-over', [{ name: 'a.png', content: 'x', path: '/etc/passwd' }]],
  ['settings:set', [{ theme: 'pink' }]],
  ['settings:set', [{ windows: [] }]],
  ['window:claim-documents', ['/a.json']],
  ['window:claim-documents', [[7]]],
  ['desk:notify', [{ news: ['a'], title: 'A', body: '', leadsTo: { kind: 'file', path: '/etc/passwd' } }]],
  ['desk:notify', [{ news: ['a'], title: 'A', body: '', leadsTo: { kind: 'page', page: 'nonsense' } }]],
  ['window:new', []],
  ['window:new', [7]],
  ['window:new', ['x'.repeat(513)]],
  ['desk:open-external', ['http://example.com']],
  ['desk:open-external', ['file:///etc/passwd']],
  ['desk:open-external', ['javascript:alert(1)']],
  ['desk:open-external', ['not an address']],
  ['menu:edit-text', ['reload']],
  ['menu:set-state', [[{ id: 'x' }]]],
  ['engine:open-port', ['']],
]

test.for(wrongArguments)('%s refuses %j', async ([channel, args]) => {
  const { invoke } = setUp({})
  expect(await invoke(channel, args)).toMatchObject({ ok: false, error: { code: 'bad_request' } })
})

test('what a window remembers has an end', async () => {
  const { invoke } = setUp({ setWindowSession: () => null })
  const keep = (length: number) => invoke('window:set-session', ['x'.repeat(length)])
  expect(await keep(1_000_000)).toMatchObject({ ok: true })
  expect(await keep(1_000_001)).toMatchObject({ ok: false, error: { code: 'bad_request' } })
})

test('an error of the product keeps its code, anything else is internal', async () => {
  const { invoke } = setUp({
    readWorkflowFile: () => {
      throw new SagasmithError('file_not_found')
    },
    recentFiles: () => {
      throw new Error('surprise')
    },
  })
  expect(await invoke('files:read', ['/a.json'])).toMatchObject({
    ok: false,
    error: { code: 'file_not_found' },
  })
  expect(await invoke('files:recent', [])).toMatchObject({
    ok: false,
    error: { code: 'internal', message: 'surprise' },
  })
})

const strangers: readonly unknown[] = [
  null,
  { url: 'https://example.com/', parent: null },
  { url: 'app://other/index.html', parent: null },
  { url: 'app://sagasmith.evil/index.html', parent: null },
  { url: 'about:blank', parent: null },
  { url: 'app://sagasmith/index.html', parent: ownFrame },
]

test.for(strangers)('a request from %j is refused before its handler', (frame) => {
  let callCount = 0
  const { invoke, refused } = setUp({
    engineState: () => {
      callCount += 1
      return { status: 'running' }
    },
  })
  expect(() => invoke('engine:state', [], frame)).toThrow('may not talk')
  expect(callCount).toBe(0)
  expect(refused).toHaveLength(1)
})

test('an origin is scheme and host, also for schemes of our own', () => {
  expect(originOf('app://sagasmith/x/y?z#w')).toBe('app://sagasmith')
  expect(originOf('http://localhost:5173/')).toBe('http://localhost:5173')
  expect(originOf('nonsense')).toBe('')
})
