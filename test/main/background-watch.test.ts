import { expect, test, vi } from 'vitest'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import { createChannelPair } from '../../src-engine/protocol/channel-pair.ts'
import type { Notice } from '../../src-engine/protocol/notices.ts'
import { createBackgroundWatch } from '../../src-main/background-watch.ts'

const entry = (id: string) => ({
  kind: 'effect',
  invocationId: id,
  workflowTitle: 'Orders',
  nodeTitle: 'Charge',
})

/** An engine's end of a line: says welcome, answers with what waits now, tells events on demand. */
function fakeEngine() {
  const state = { entries: [entry('old')] as readonly unknown[], workflowId: 'orders' }
  let far: Channel | null = null
  let subscription = 0
  const send = (frame: unknown): void => far?.send(JSON.stringify(frame))
  const open = (): Channel => {
    const [near, other] = createChannelPair()
    far = other
    other.onMessage((text) => {
      const frame = JSON.parse(text)
      if (frame.type === 'hello') send({ type: 'welcome', protocol: 1, engineVersion: '0', storeId: 's' })
      if (frame.type === 'subscribe') subscription = frame.id
      if (frame.type !== 'call') return
      const value =
        frame.method === 'runs.get'
          ? {
              run: {
                id: frame.input.runId,
                workflowId: state.workflowId,
                generation: 1,
                status: 'FAILED',
                workflowTitle: 'Orders',
                parentRunId: null,
                error: null,
              },
            }
          : { entries: state.entries, next: null, counts: {} }
      send({ type: 'reply', id: frame.id, ok: true, value })
    })
    return near
  }
  const tell = (body: unknown): void =>
    send({ type: 'events', id: subscription, events: [{ runId: 'run_1', body }], cursor: [] })
  return { state, open, tell, end: () => far?.close() }
}

function setUp() {
  const engine = fakeEngine()
  const told: Notice[] = []
  const badges: number[] = []
  const watch = createBackgroundWatch({
    open: engine.open,
    runNotices: () => 'failed',
    tell: (notice) => void told.push(notice),
    setBadge: (count) => void badges.push(count),
  })
  return { engine, told, badges, watch }
}

const asked = { type: 'invocation.changed', from: 'RUNNING', to: 'APPROVAL_REQUIRED', set: {}, attempt: null }

test('what waits already is counted and not told, what comes is told', async () => {
  const { engine, told, badges, watch } = setUp()
  watch.start()
  await vi.waitFor(() => expect(badges).toEqual([1]))
  engine.state.entries = [entry('old'), entry('new')]
  engine.tell(asked)
  await vi.waitFor(() => expect(badges).toEqual([1, 2]))
  expect(told.map(({ title, body }) => [title, body])).toEqual([
    ['Sagasmith needs a decision', 'Orders: Charge'],
  ])
})

test('a run that fails is told of', async () => {
  const { engine, told, badges, watch } = setUp()
  watch.start()
  await vi.waitFor(() => expect(badges).toEqual([1]))
  engine.tell({ type: 'run.changed', from: 'RUNNING', to: 'FAILED', set: {} })
  await vi.waitFor(() => expect(told.map(({ title }) => title)).toEqual(['Orders failed']))
})

test('the chores of the engine are not told of, however they end', async () => {
  const { engine, told, badges, watch } = setUp()
  watch.start()
  await vi.waitFor(() => expect(badges).toEqual([1]))
  engine.state.workflowId = 'core.recover-pending'
  engine.tell({ type: 'run.changed', from: 'RUNNING', to: 'FAILED', set: {} })
  // What comes after it is answered after it.
  engine.state.entries = []
  engine.tell({ ...asked, from: 'APPROVAL_REQUIRED', to: 'SUCCESS' })
  await vi.waitFor(() => expect(badges).toEqual([1, 0]))
  expect(told).toEqual([])
})

test('after the engine came back, watching begins anew', async () => {
  const { engine, badges, watch } = setUp()
  watch.start()
  await vi.waitFor(() => expect(badges).toEqual([1]))
  engine.end()
  await vi.waitFor(() => {
    watch.start()
    expect(badges).toEqual([1, 1])
  })
  watch.stop()
})
