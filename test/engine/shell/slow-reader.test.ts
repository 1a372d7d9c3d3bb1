/** A page that is stuck for a while is shown how its run stands, not all that it missed: on each kind of line alike. */

import { createServer } from 'node:http'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Cursor, EngineEvent } from '../../../src-engine/model/event.ts'
import { runId } from '../../../src-engine/model/ids.ts'
import {
  bustleFrameMs,
  eventFrameMs,
  framesUnderWayMax,
  readerBehindMs,
} from '../../../src-engine/model/limits.ts'
import type { Channel } from '../../../src-engine/protocol/channel.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import type { EngineFrame, Topic } from '../../../src-engine/protocol/frames.ts'
import { messagePortChannel } from '../../../src-engine/shell/channels/message-port.ts'
import { webSocketChannel } from '../../../src-engine/shell/channels/web-socket.ts'
import { serveChannel } from '../../../src-engine/shell/host.ts'
import type { SubscriptionDeps } from '../../../src-engine/shell/subscription.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { eventsFrom, fakeClock, silentLog } from './shell-fixtures.ts'

type Line = readonly [page: Channel, engine: Channel]

function portLine(): Promise<Line> {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  return Promise.resolve([messagePortChannel(port1), messagePortChannel(port2)])
}

function webSocketLine(): Promise<Line> {
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  return new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const address = http.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const page = new WebSocket(`ws://127.0.0.1:${port}`)
      server.on('connection', (socket) => resolve([webSocketChannel(page), webSocketChannel(socket)]))
      onTestFinished(() => {
        page.terminate()
        http.close()
      })
    })
  })
}

/** A run whose events are kept, and given from any cursor on. */
function keptRun() {
  type Receive = (events: readonly EngineEvent[], cursor: Cursor) => void
  let seq = 0
  const followers = new Set<Receive>()
  const at = (place: number): Cursor => [{ partition: 0, epoch: 1, seq: place }]
  const engine: Partial<SubscriptionDeps['engine']> = {
    // The subscription reads only the place of a snapshot.
    snapshot: async (id) =>
      ({ run: { id, partition: 0 }, epoch: 1, seq, invocations: [], skipped: [] }) as never,
    follow: ({ cursor, receive }) => {
      const from = cursor?.[0]?.seq ?? 0
      followers.add(receive)
      if (from < seq) receive(eventsFrom(from + 1, seq), at(seq))
      return () => followers.delete(receive)
    },
    onLive: () => () => undefined,
    liveSoFar: () => [],
  }
  return {
    engine: engine as SubscriptionDeps['engine'],
    seq: () => seq,
    happen: (count: number) => {
      const events = eventsFrom(seq + 1, seq + count)
      seq += count
      for (const receive of followers) receive(events, at(seq))
    },
  }
}

/** A page whose thread can be stuck: what comes waits, as it does in a browser. */
function stuckable(channel: Channel) {
  let isStuck = false
  let receive: (text: string) => void = () => undefined
  const waiting: string[] = []
  const answered = new Map<number, () => void>()
  channel.onMessage((text) => {
    const frame = JSON.parse(text) as EngineFrame
    const settled = frame.type === 'reply' ? answered.get(frame.id) : undefined
    if (settled !== undefined) settled()
    else if (isStuck) waiting.push(text)
    else receive(text)
  })
  let asked = 1_000_000
  return {
    channel: { ...channel, onMessage: (next: (text: string) => void) => void (receive = next) },
    waiting,
    stick: () => (isStuck = true),
    release: () => {
      isStuck = false
      for (const text of waiting.splice(0)) receive(text)
    },
    /** All that was said until now has arrived, in both directions. */
    settle: () =>
      new Promise<void>((resolve) => {
        asked += 1
        answered.set(asked, resolve)
        channel.send(JSON.stringify({ type: 'call', id: asked, method: 'drafts.list', input: {} }))
      }),
  }
}

type Told = { readonly kind: 'snapshot' | 'event'; readonly seq: number }

async function setUp([page, engine]: Line) {
  const clock = fakeClock()
  const run = keptRun()
  const handlers = { 'drafts.list': () => Promise.resolve([]) } as never
  const welcome = { engineVersion: '1', storeId: 's' }
  serveChannel({ handlers, engine: run.engine, clock, log: silentLog, welcome }, engine, null)
  const thread = stuckable(page)
  const client = createClient(thread.channel, { token: null, acknowledges: true, readsGroups: true })
  await client.welcome
  const subscribe = async (wants: 'states' | 'events'): Promise<Told[]> => {
    const told: Told[] = []
    const topic: Topic = { kind: 'run', runId: runId('r1') }
    const events = (all: readonly EngineEvent[]): void =>
      void told.push(...all.map(({ seq }) => ({ kind: 'event', seq }) as const))
    client.subscribe(
      { topic, cursor: wants === 'states' ? null : [] },
      wants === 'events'
        ? { events }
        : { events, snapshot: ({ seq }) => void told.push({ kind: 'snapshot', seq }) },
    )
    await frame()
    return told
  }
  /** One display frame passes. */
  const frame = async (): Promise<void> => {
    await thread.settle()
    clock.advance(eventFrameMs)
    await thread.settle()
  }
  return { run, thread, subscribe, frame }
}

const frames = async (frame: () => Promise<void>, ms: number): Promise<void> => {
  for (let at = 0; at < ms; at += eventFrameMs) await frame()
}

describe.for([
  ['a WebSocket', webSocketLine],
  ['a MessagePort, which doesn’t tell what waits in it', portLine],
] as const)('on %s', ([, open]) => {
  test('who is stuck gets a few messages, and a snapshot once it goes on', async () => {
    const { run, thread, subscribe, frame } = await setUp(await open())
    const told = await subscribe('states')
    run.happen(3)
    await frame()
    expect(told).toEqual([{ kind: 'snapshot', seq: 0 }, ...[1, 2, 3].map((seq) => ({ kind: 'event', seq }))])
    thread.stick()
    for (let ms = 0; ms < 4 * readerBehindMs; ms += eventFrameMs) {
      run.happen(100)
      await frame()
    }
    expect(thread.waiting.length).toBeLessThanOrEqual(framesUnderWayMax + 1)
    const before = told.length
    thread.release()
    await frames(frame, 4 * eventFrameMs)
    run.happen(1)
    await frame()
    const snapshots = told.filter(({ kind }) => kind === 'snapshot')
    expect(snapshots.at(-1)).toEqual({ kind: 'snapshot', seq: run.seq() - 1 })
    expect(snapshots).toHaveLength(2)
    expect(told.at(-1)).toEqual({ kind: 'event', seq: run.seq() })
    // What happened in the first moments was under way already: a few messages of a bustle.
    expect(told.length - before).toBeLessThan(((framesUnderWayMax + 2) * 100 * bustleFrameMs) / eventFrameMs)
    expect(told.length - before).toBeLessThan(run.seq() / 3)
  })

  test('who wants every event has every event, however often it is stuck', async () => {
    const { run, thread, subscribe, frame } = await setUp(await open())
    const told = await subscribe('events')
    for (let turn = 0; turn < 2; turn += 1) {
      thread.stick()
      for (let ms = 0; ms < 2 * readerBehindMs; ms += eventFrameMs) {
        run.happen(1_000)
        await frame()
      }
      thread.release()
      await frames(frame, 20 * eventFrameMs)
    }
    expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: run.seq() }, (_, index) => index + 1))
  })

  test('whenever it is stuck, what it is told begins where a snapshot ends, and has no gap', async () => {
    const { run, thread, subscribe, frame } = await setUp(await open())
    const random = createRandomSource('slow reader')
    const told = await subscribe('states')
    let isStuck = false
    for (let step = 0; step < 200; step += 1) {
      if (random.below(3) > 0) run.happen(1 + random.below(50))
      if (random.below(isStuck ? 20 : 8) === 0) {
        isStuck = !isStuck
        if (isStuck) thread.stick()
        else thread.release()
      }
      await frame()
    }
    thread.release()
    await frames(frame, 20 * eventFrameMs)
    let seq = -1
    for (const one of told) {
      if (one.kind === 'event') expect(one.seq).toBe(seq + 1)
      else expect(one.seq).toBeGreaterThanOrEqual(seq)
      seq = one.seq
    }
    expect(seq).toBe(run.seq())
    expect(told.filter(({ kind }) => kind === 'snapshot').length).toBeGreaterThan(1)
  })
})

test('several subscriptions of a page share its messages', async () => {
  const [page, engine] = await portLine()
  let messages = 0
  const counted: Channel = {
    ...engine,
    send: (text) => {
      if (!text.startsWith('{"type":"reply"')) messages += 1
      engine.send(text)
    },
  }
  const { run, subscribe, frame } = await setUp([page, counted])
  const told = [await subscribe('states'), await subscribe('events'), await subscribe('states')]
  await frames(frame, 4 * eventFrameMs)
  messages = 0
  for (let count = 0; count < 20; count += 1) {
    run.happen(5)
    await frame()
  }
  expect(messages).toBeLessThanOrEqual(21)
  await frames(frame, 3 * eventFrameMs)
  for (const one of told) expect(one.at(-1)?.seq).toBe(run.seq())
})
