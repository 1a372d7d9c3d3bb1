import { describe, expect, test } from 'vitest'
import type { SagasmithError } from '../../src-engine/model/errors.ts'
import { packEvents } from '../../src-engine/model/event-codec.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { WireGroup } from '../../src-engine/model/packed-group.ts'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import { createInbox } from '../../src-engine/protocol/channel-inbox.ts'
import type { ClientFrame, EngineFrame } from '../../src-engine/protocol/frames.ts'
import { protocolVersion } from '../../src-engine/protocol/frames.ts'
import { createConnection } from '../../src-renderer/bridge/connection.ts'
import { takeSessionToken } from '../../src-renderer/bridge/session-token.ts'
import { engineAddress } from '../../src-renderer/bridge/web-socket-channel.ts'
import { happyEvents } from './factories.ts'

/** An engine at the far end of a channel, played by the test. */
function createFarEnd() {
  const lines: { sent: ClientFrame[]; say: (frame: EngineFrame) => void; hangUp: () => void }[] = []
  const timers: (() => void)[] = []
  const open = (): Promise<Channel> => {
    const inbox = createInbox()
    const sent: ClientFrame[] = []
    lines.push({ sent, say: (frame) => inbox.deliver(JSON.stringify(frame)), hangUp: () => inbox.end() })
    return Promise.resolve({
      send: (text) => sent.push(JSON.parse(text) as ClientFrame),
      onMessage: inbox.onMessage,
      onClose: inbox.onClose,
      close: () => inbox.discard(),
    })
  }
  const after = (_ms: number, call: () => void) => {
    timers.push(call)
    return () => undefined
  }
  return { lines, timers, open, after }
}

const welcome: EngineFrame = { type: 'welcome', protocol: protocolVersion, engineVersion: '1', storeId: 's' }
/** Lets promises that are settled already run on. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

async function connected() {
  const far = createFarEnd()
  const connection = createConnection({ open: far.open, token: 'secret', after: far.after })
  await settled()
  far.lines[0]?.say(welcome)
  await settled()
  return { far, connection }
}

describe('connection', () => {
  test('says hello with its token, and a call made early waits for the welcome', async () => {
    const far = createFarEnd()
    const connection = createConnection({ open: far.open, token: 'secret', after: far.after })
    const answer = connection.call('drafts.list', {})
    await settled()
    const hello = {
      type: 'hello',
      protocol: protocolVersion,
      token: 'secret',
      readsGroups: true,
      acknowledges: true,
    }
    expect(far.lines[0]?.sent).toEqual([hello])
    far.lines[0]?.say(welcome)
    await settled()
    far.lines[0]?.say({ type: 'reply', id: 1, ok: true, value: [] })
    expect(await answer).toEqual([])
  })

  test('pending calls are rejected when the line breaks, and errors keep their code', async () => {
    const { far, connection } = await connected()
    const refused = connection.call('drafts.list', {})
    const lost = connection.call('drafts.list', {})
    await settled()
    far.lines[0]?.say({
      type: 'reply',
      id: 1,
      ok: false,
      error: { code: 'store_busy', message: 'm', hint: 'h', details: {}, retryable: true },
    })
    await expect(refused).rejects.toMatchObject({ code: 'store_busy', hint: 'h' })
    far.lines[0]?.hangUp()
    await expect(lost).rejects.toMatchObject({ code: 'engine_stopped' })
    expect(connection.state.getState().status).toBe('lost')
  })

  test('a new line goes on after the last cursor', async () => {
    const { far, connection } = await connected()
    const seen: number[] = []
    connection.follow(
      { kind: 'run', runId: runId('run-1') },
      { events: (events) => seen.push(events.length) },
    )
    const cursor = [{ partition: 0, epoch: 0, seq: 6 }]
    const subscribed = far.lines[0]?.sent.find((frame) => frame.type === 'subscribe')
    far.lines[0]?.say({ type: 'events', id: subscribed?.id ?? 0, events: happyEvents(), cursor })
    far.lines[0]?.hangUp()
    await settled()
    far.timers[0]?.()
    await settled()
    far.lines[1]?.say(welcome)
    await settled()
    expect(seen).toEqual([6])
    expect(far.lines[1]?.sent.find((frame) => frame.type === 'subscribe')).toMatchObject({ cursor })
    expect(connection.state.getState().status).toBe('open')
  })

  test('groups are handed on packed to who takes them so, and a new line goes on after them', async () => {
    const { far, connection } = await connected()
    const [packed, unpacked] = [[] as unknown[], [] as unknown[]]
    const topic = { kind: 'run', runId: runId('run-1') } as const
    const events = (found: readonly unknown[]) => unpacked.push(...found)
    connection.follow(topic, { events, groups: (found) => packed.push(...found) })
    connection.follow(topic, { events })
    const [first] = happyEvents()
    if (first === undefined) throw new Error('There is an event.')
    const { partition, epoch, seq, runId: of } = first
    const group: WireGroup = [partition, epoch, seq, of, JSON.parse(packEvents(first, [first])) as unknown[]]
    const cursor = [{ partition: 0, epoch: 0, seq: 6 }]
    for (const frame of far.lines[0]?.sent ?? []) {
      if (frame.type === 'subscribe')
        far.lines[0]?.say({ type: 'groups', id: frame.id, groups: [group], cursor })
    }
    expect(packed).toEqual([group])
    expect(unpacked).toMatchObject([{ seq, body: first.body }])
    far.lines[0]?.hangUp()
    await settled()
    far.timers[0]?.()
    await settled()
    far.lines[1]?.say(welcome)
    await settled()
    const again = far.lines[1]?.sent.filter((frame) => frame.type === 'subscribe') ?? []
    expect(again.map((frame) => frame.cursor)).toEqual([cursor, cursor])
  })

  test('a wrong token is not tried again', async () => {
    const far = createFarEnd()
    const connection = createConnection({ open: far.open, token: null, after: far.after })
    await settled()
    const error = { code: 'unauthorized', message: 'no', hint: 'h', details: {}, retryable: false }
    far.lines[0]?.say({ type: 'refused', error })
    await settled()
    const state = connection.state.getState()
    expect(state.status).toBe('refused')
    expect(far.timers).toHaveLength(0)
    await expect(connection.call('drafts.list', {})).rejects.toSatisfy(
      (thrown: SagasmithError) => thrown.code === 'unauthorized',
    )
  })
})

describe('token', () => {
  test('goes from the fragment into the session, and out of the address', () => {
    const kept = new Map<string, string>()
    const shown: string[] = []
    const page = {
      location: { hash: '#t=abc', pathname: '/', search: '' },
      history: { replaceState: (_data: unknown, _title: string, url: string) => shown.push(url) },
      sessionStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, text: string) => kept.set(key, text),
      },
    } as unknown as Parameters<typeof takeSessionToken>[0]
    expect(takeSessionToken(page)).toBe('abc')
    expect(shown).toEqual(['/'])
    const reloaded = { ...page, location: { hash: '', pathname: '/', search: '' } } as unknown as typeof page
    expect(takeSessionToken(reloaded)).toBe('abc')
    const leading = {
      ...page,
      location: { hash: '#t=abc&to=x', pathname: '/', search: '' },
    } as unknown as typeof page
    takeSessionToken(leading)
    expect(shown.at(-1)).toBe('/#to=x')
  })

  test('the socket is the page’s own origin', () => {
    expect(engineAddress({ protocol: 'http:', host: '127.0.0.1:1' })).toBe('ws://127.0.0.1:1/engine')
    expect(engineAddress({ protocol: 'https:', host: 'x' })).toBe('wss://x/engine')
  })
})
