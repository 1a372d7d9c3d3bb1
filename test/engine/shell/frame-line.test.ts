/** One message for each display frame, acknowledged, and what a page that is behind is spared. */

import { expect, test } from 'vitest'
import {
  connectionPendingMax,
  eventFrameMs,
  framesUnderWayMax,
  readerBehindMs,
  readerPatienceMaxMs,
} from '../../../src-engine/model/limits.ts'
import { createFrameLine, framesInTime } from '../../../src-engine/shell/frame-line.ts'
import { fakeClock } from './shell-fixtures.ts'

function setUp() {
  const clock = fakeClock()
  const sent: { readonly at: number; readonly frame: number; readonly pushed: readonly unknown[] }[] = []
  let pending = 0
  const line = createFrameLine({
    clock,
    send: (text) => {
      const { frame, pushed } = JSON.parse(text) as { frame: number; pushed: unknown[] }
      sent.push({ at: clock.monotonic(), frame, pushed })
    },
    pending: () => pending,
  })
  return { clock, sent, line, setPending: (length: number) => (pending = length) }
}

test('what is said within a frame is one message, and the first word of a quiet while comes at once', () => {
  const { clock, sent, line } = setUp()
  for (const text of ['1', '2', '3']) line.send(text)
  clock.advance(eventFrameMs - 1)
  expect(sent.map(({ pushed }) => pushed)).toEqual([[1]])
  clock.advance(1)
  expect(sent.map(({ pushed }) => pushed)).toEqual([[1], [2, 3]])
  clock.advance(1_000)
  line.acknowledged(2)
  line.send('4')
  expect(sent.at(-1)).toMatchObject({ at: 1_000 + eventFrameMs, pushed: [4] })
})

test('however much is said, there is one message for each frame, in order', () => {
  const { clock, sent, line } = setUp()
  for (let ms = 0; ms < 320; ms += 1) {
    line.send(String(ms))
    line.acknowledged(sent.at(-1)?.frame ?? 0)
    clock.advance(1)
  }
  clock.advance(eventFrameMs)
  expect(sent.flatMap(({ pushed }) => pushed)).toEqual(Array.from({ length: 320 }, (_, ms) => ms))
  for (const [index, { at }] of sent.entries())
    if (index > 0) expect(at - (sent[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(eventFrameMs)
})

test('no more are under way than a page can take in; an answer makes room', () => {
  const { clock, sent, line } = setUp()
  for (let frame = 0; frame < 10; frame += 1) {
    line.send(String(frame))
    clock.advance(eventFrameMs)
  }
  expect(sent).toHaveLength(framesUnderWayMax)
  expect(line.isOpen()).toBe(false)
  line.acknowledged(2)
  expect(sent.at(-1)?.pushed).toEqual([4, 5, 6, 7, 8, 9])
  line.acknowledged(5)
  expect(line.isOpen()).toBe(true)
})

test('a page that takes nothing in for so long is behind until it has taken in all of it', () => {
  const { clock, line } = setUp()
  line.send('1')
  clock.advance(eventFrameMs)
  line.send('2')
  clock.advance(readerBehindMs - eventFrameMs)
  expect(line.isBehind()).toBe(false)
  clock.advance(1)
  expect([line.isBehind(), line.isOpen()]).toEqual([true, false])
  line.acknowledged(1)
  expect(line.isBehind()).toBe(true)
  line.acknowledged(2)
  expect([line.isBehind(), line.isOpen()]).toEqual([false, true])
})

test('an answer that comes too late counts, also when nobody asked in the meantime', () => {
  const { clock, line } = setUp()
  line.send('1')
  clock.advance(eventFrameMs)
  line.send('2')
  clock.advance(readerBehindMs)
  line.acknowledged(1)
  expect(line.isBehind()).toBe(true)
})

test('a page that is far away is not behind for that', () => {
  const { clock, sent, line } = setUp()
  const wayMs = 2 * readerBehindMs
  line.send('1')
  clock.advance(wayMs)
  line.acknowledged(1)
  for (let frame = 2; frame < 6; frame += 1) {
    line.send(String(frame))
    clock.advance(wayMs)
    expect(line.isBehind()).toBe(false)
    line.acknowledged(sent.at(-1)?.frame ?? 0)
  }
  line.send('6')
  clock.advance(wayMs + readerBehindMs + 1)
  expect(line.isBehind()).toBe(true)
})

test('who falls behind again has twice as long, and as long as at first once it keeps up', () => {
  const { clock, sent, line } = setUp()
  const answer = () => line.acknowledged(sent.at(-1)?.frame ?? 0)
  /** How long it takes until it is behind, to a frame. */
  const patience = (): number => {
    const begun = clock.monotonic()
    line.send('1')
    while (!line.isBehind()) clock.advance(1)
    const ms = clock.monotonic() - begun - 1
    answer()
    clock.advance(eventFrameMs)
    return ms
  }
  // The way there and back is seen to take no time.
  line.send('0')
  answer()
  clock.advance(eventFrameMs)
  expect([patience(), patience(), patience()]).toEqual([
    readerBehindMs,
    2 * readerBehindMs,
    4 * readerBehindMs,
  ])
  for (let time = 0; time < 5; time += 1) patience()
  expect(patience()).toBe(readerPatienceMaxMs)
  for (let frame = 0; frame < framesInTime; frame += 1) {
    line.send('2')
    answer()
    clock.advance(eventFrameMs)
  }
  expect(patience()).toBe(readerBehindMs)
})

test('what is under way has a bound in characters, together with what the line holds back', () => {
  const { clock, line, setPending } = setUp()
  line.send(JSON.stringify('x'.repeat(connectionPendingMax / 2)))
  clock.advance(eventFrameMs)
  expect(line.isOpen()).toBe(true)
  setPending(connectionPendingMax / 2)
  expect(line.isOpen()).toBe(false)
  setPending(0)
  line.send(JSON.stringify('x'.repeat(connectionPendingMax / 2)))
  clock.advance(eventFrameMs)
  expect(line.isOpen()).toBe(false)
})

test('long texts of one frame are several messages', () => {
  const { clock, sent, line } = setUp()
  line.send('0')
  for (let text = 0; text < 3; text += 1) line.send(JSON.stringify(String(text).repeat(1_900_000)))
  for (let frame = 1; frame < 5; frame += 1) {
    clock.advance(eventFrameMs)
    line.acknowledged(frame)
  }
  expect(sent.map(({ pushed }) => pushed.length)).toEqual([1, 2, 1])
})

test('once stopped it says nothing any more', () => {
  const { clock, sent, line } = setUp()
  line.send('1')
  line.send('2')
  line.stop()
  line.send('3')
  clock.advance(1_000)
  expect(sent).toHaveLength(1)
})
