import { expect, test } from 'vitest'
import { runId } from '../../../src-engine/model/ids.ts'
import { frameBytesMax } from '../../../src-engine/model/limits.ts'
import {
  decodeClientFrame,
  decodeEngineFrame,
  encodeEvents,
  encodeFrame,
} from '../../../src-engine/protocol/codec.ts'
import type { ClientFrame, EngineFrame } from '../../../src-engine/protocol/frames.ts'
import { inputSchemas, isMethod } from '../../../src-engine/protocol/schema.ts'

const clientFrames: readonly ClientFrame[] = [
  { type: 'hello', protocol: 1, token: null },
  { type: 'call', id: 1, method: 'engine.info', input: {} },
  { type: 'call', id: 2, method: 'runs.start', input: { deep: [null, 1, 'two', { three: true }] } },
  {
    type: 'subscribe',
    id: 3,
    topic: { kind: 'run', runId: runId('r') },
    cursor: [{ partition: 0, epoch: 1, seq: 9 }],
  },
  { type: 'subscribe', id: 4, topic: { kind: 'all' }, cursor: null },
  { type: 'subscribe', id: 5, topic: { kind: 'runs' }, cursor: null },
  { type: 'unsubscribe', id: 4 },
]

test.for(clientFrames)('a client’s $type frame survives the line', (frame) => {
  expect(decodeClientFrame(encodeFrame(frame))).toEqual({ ok: true, frame })
})

test('an events frame put together from texts is what it would be as a whole', () => {
  const events = [{ seq: 1 }, { seq: 2 }]
  const cursor = [{ partition: 0, epoch: 1, seq: 2 }]
  const text = encodeEvents({
    type: 'events',
    id: 5,
    texts: events.map((event) => JSON.stringify(event)),
    cursor,
  })
  expect(JSON.parse(text)).toEqual({ type: 'events', id: 5, events, cursor })
})

test.for([
  ['', 'not valid JSON'],
  ['null', 'expected form'],
  ['[]', 'expected form'],
  ['{"type":"call","id":-1,"method":"x","input":{}}', 'id'],
  ['{"type":"call","id":1,"method":"x"}', 'input'],
  ['{"type":"subscribe","id":1,"topic":{"kind":"some"},"cursor":null}', 'topic'],
  ['{"type":"subscribe","id":1,"topic":{"kind":"all"},"cursor":[{"partition":0}]}', 'cursor'],
] as const)('%s is refused, saying what is wrong', ([text, part]) => {
  const decoded = decodeClientFrame(text)
  expect(decoded).toMatchObject({
    ok: false,
    error: { code: 'bad_request', message: expect.stringContaining(part) },
  })
})

test('a message over the limit is refused on both sides, with the request it belongs to', () => {
  const input = 'x'.repeat(frameBytesMax)
  const frame: ClientFrame = { type: 'call', id: 77, method: 'runs.start', input }
  expect(() => encodeFrame(frame)).toThrow(expect.objectContaining({ code: 'payload_too_large' }))
  const decoded = decodeClientFrame(JSON.stringify(frame))
  expect(decoded).toMatchObject({ ok: false, id: 77, error: { code: 'payload_too_large' } })
})

test('noise from the engine’s side is caught', () => {
  expect(decodeEngineFrame('{"type":"gossip"}').ok).toBe(false)
  const frame: EngineFrame = { type: 'reply', id: 1, ok: true, value: null }
  expect(decodeEngineFrame(encodeFrame(frame))).toEqual({ ok: true, frame })
})

test('a method is one of the contract, not a name that every object has', () => {
  expect(isMethod('runs.start')).toBe(true)
  expect(isMethod('toString')).toBe(false)
  expect(isMethod('__proto__')).toBe(false)
})

test.for(['../x', 'a/b', 'a.b', '', 'x'.repeat(101)])('%o is no id of a draft', (id) => {
  expect(inputSchemas['drafts.remove'].safeParse({ id }).success).toBe(false)
})
