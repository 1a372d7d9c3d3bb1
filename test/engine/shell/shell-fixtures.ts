/** What the shell's tests share: a clock that stands until told, an engine that is told what to say. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import { opId, runId } from '../../../src-engine/model/ids.ts'
import type { FeedItem } from '../../../src-engine/model/packed-group.ts'
import { placeAfter } from '../../../src-engine/model/packed-group.ts'
import type { Clock, Logger } from '../../../src-engine/model/ports.ts'
import type { Channel } from '../../../src-engine/protocol/channel.ts'
import type { LiveLine } from '../../../src-engine/runtime/engine.ts'
import type { FeedRequest } from '../../../src-engine/runtime/event-feed.ts'
import type { SubscriptionDeps } from '../../../src-engine/shell/subscription.ts'

type FeedEngine = SubscriptionDeps['engine']
type Receive = Extract<FeedRequest, { form: 'packed' }>['receive']

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The same channel, and all that is said on it. */
export function listenedTo(near: Channel): { readonly channel: Channel; readonly heard: readonly string[] } {
  const heard: string[] = []
  const onMessage: Channel['onMessage'] = (call) =>
    near.onMessage((text) => {
      heard.push(text)
      call(text)
    })
  return { channel: { ...near, onMessage }, heard }
}

export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

export interface FakeClock extends Clock {
  /** Moves on and calls what has become due, in order. */
  readonly advance: (span: number) => void
}

/** A clock that stands at 0. */
export function fakeClock(): FakeClock {
  let now = 0
  let timers: { readonly at: number; readonly call: () => void }[] = []
  return {
    now: () => now,
    monotonic: () => now,
    after: (span, call) => {
      const timer = { at: now + span, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance: (span) => {
      const end = now + span
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.call()
      }
      now = end
    },
  }
}

export interface FakeFeed {
  readonly engine: FeedEngine
  /** Hands events to whoever follows. */
  readonly push: (items: readonly FeedItem[]) => void
  readonly print: (line: LiveLine) => void
  /** The cursors that following began at. */
  readonly followedFrom: unknown[]
  /** What was asked for each time: groups (`packed`), or events where it is undefined. */
  readonly forms: unknown[]
  /** How often the one that follows it now has it looked for; null for at every hint. */
  readonly paceMs: () => number | null
  readonly isFollowed: () => boolean
}

/** A feed that says what it is told, over a run whose snapshot ends at sequence 3. */
export function fakeFeed(): FakeFeed {
  const receivers = new Set<Receive>()
  const listeners = new Set<(line: LiveLine) => void>()
  const printed: LiveLine[] = []
  const followedFrom: unknown[] = []
  const forms: unknown[] = []
  let pace: (() => number) | null = null
  const engine: Partial<FeedEngine> = {
    snapshot: async (id) => {
      if (id !== 'r1') throw new Error(`no run ${id}`)
      // The subscription reads only the place of a snapshot.
      return { run: { id, partition: 0 }, epoch: 1, seq: 3, invocations: [], skipped: [] } as never
    },
    follow: (request) => {
      const { cursor, form } = request
      // Tests hand on what the form allows.
      const receive = request.receive as Receive
      pace = form === 'packed' ? (request.paceMs ?? null) : null
      followedFrom.push(cursor)
      forms.push(form)
      receivers.add(receive)
      return () => receivers.delete(receive)
    },
    onLive: (receive) => {
      listeners.add(receive)
      return () => listeners.delete(receive)
    },
    liveSoFar: (id) => printed.filter((line) => line.runId === id),
  }
  return {
    // The tests of subscriptions to one run never touch the store.
    engine: engine as FeedEngine,
    push: (items) => {
      const last = items.at(-1)
      const cursor = last === undefined ? [] : [placeAfter(last)]
      for (const receive of receivers) receive(items, cursor)
    },
    print: (line) => {
      printed.push(line)
      for (const listener of listeners) listener(line)
    },
    followedFrom,
    forms,
    paceMs: () => pace?.() ?? null,
    isFollowed: () => receivers.size > 0,
  }
}

/** Events of run r1 with the sequences `from` to `to`. */
export function eventsFrom(from: number, to: number): readonly EngineEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    partition: 0,
    epoch: 1,
    seq: from + index,
    at: 0,
    opId: opId('op'),
    actor: { kind: 'run', id: null },
    runId: runId('r1'),
    invocationId: null,
    cause: { kind: 'manual', by: null, detail: null },
    body: { type: 'register.changed', key: 'k', value: null },
    prevHash: '',
    hash: '',
  }))
}
