/** Frames to text and back. What comes from outside is checked here, once; malformed text gets a clear error. */

import { z } from 'zod'
import { SagasmithError } from '../model/errors.ts'
import type { Cursor } from '../model/event.ts'
import { runId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import { frameBytesMax } from '../model/limits.ts'
import type { ClientFrame, EngineFrame } from './frames.ts'

/** A frame, or why there is none; `id` names the request when it could be made out. */
export type DecodedFrame<Frame> =
  | { readonly ok: true; readonly frame: Frame }
  | { readonly ok: false; readonly id: number | null; readonly error: SagasmithError }

const id = z.number().int().nonnegative()
const place = z.object({
  partition: z.number().int().nonnegative(),
  epoch: z.number().int().nonnegative(),
  seq: z.number().int().nonnegative(),
})
/** More partitions than any store has. */
const partitionsMax = 4_096

const topic = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), runId: z.string().min(1).max(200).transform(runId) }),
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('runs') }),
])

const clientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    token: z.string().max(1_000).nullable(),
    cluster: z.string().min(1).max(200).exactOptional(),
    isCommand: z.boolean().exactOptional(),
    readsGroups: z.boolean().exactOptional(),
    acknowledges: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal('call'),
    id,
    method: z.string().max(200),
    // The text was parsed as JSON just before, so the value is JSON; the method's schema says more.
    input: z.custom<JsonValue>((value) => value !== undefined),
  }),
  z.object({
    type: z.literal('subscribe'),
    id,
    topic,
    cursor: z.array(place).max(partitionsMax).nullable(),
    states: z.boolean().exactOptional(),
    hashes: z.boolean().exactOptional(),
  }),
  z.object({ type: z.literal('unsubscribe'), id }),
  z.object({ type: z.literal('acknowledge'), frame: id }),
]) satisfies z.ZodType<ClientFrame>

const engineFrameTypes: Readonly<Record<EngineFrame['type'], true>> = {
  welcome: true,
  refused: true,
  reply: true,
  snapshot: true,
  events: true,
  groups: true,
  frame: true,
  live: true,
  ended: true,
}

/** The text of a frame. Throws `payload_too_large` when no other side would take it. */
export function encodeFrame(frame: ClientFrame | EngineFrame): string {
  const text = JSON.stringify(frame)
  if (text.length > frameBytesMax) throw tooLarge(text.length)
  return text
}

/** The text of an `events` or `groups` frame, each of which was encoded before. */
export function encodeEvents(frame: {
  readonly type: 'events' | 'groups'
  readonly id: number
  readonly texts: readonly string[]
  readonly cursor: Cursor
}): string {
  const { type, id, texts, cursor } = frame
  return `{"type":"${type}","id":${id},"${type}":[${texts.join(',')}],"cursor":${JSON.stringify(cursor)}}`
}

/** The text of a `frame` of what was encoded before. */
export const encodeFrames = (frame: number, texts: readonly string[]): string =>
  `{"type":"frame","frame":${frame},"pushed":[${texts.join(',')}]}`

/** A client's frame, checked. Never throws. */
export function decodeClientFrame(text: string): DecodedFrame<ClientFrame> {
  const parsed = parse(text)
  if (!parsed.ok) return parsed
  const checked = clientFrame.safeParse(parsed.frame)
  if (checked.success) return { ok: true, frame: checked.data }
  return { ok: false, id: idAtHead(text), error: badRequest('The message', checked.error) }
}

/** An engine's frame. The engine is trusted to send what its types say; only noise is caught. */
export function decodeEngineFrame(text: string): DecodedFrame<EngineFrame> {
  const parsed = parse(text)
  if (!parsed.ok) return parsed
  const frame = parsed.frame
  const known =
    typeof frame === 'object' && frame !== null && 'type' in frame && String(frame.type) in engineFrameTypes
  // The check above is all that is asked of a trusted sender.
  if (known) return { ok: true, frame: frame as EngineFrame }
  const message = 'The other side sent a message that is no Sagasmith frame.'
  return { ok: false, id: null, error: new SagasmithError('bad_request', { message }) }
}

/** A `bad_request` that names each wrong field. `what` begins the sentence: `The input of runs.start`. */
export function badRequest(what: string, error: z.ZodError): SagasmithError {
  const fields = error.issues.slice(0, 5).map((issue) => {
    const path = issue.path.map(String).join('.')
    return path === '' ? issue.message : `${path}: ${issue.message}`
  })
  return new SagasmithError('bad_request', {
    message: `${what} does not have the expected form (${fields.join('; ')}).`,
    details: { fields },
  })
}

function parse(text: string): DecodedFrame<unknown> {
  if (text.length > frameBytesMax) return { ok: false, id: idAtHead(text), error: tooLarge(text.length) }
  try {
    return { ok: true, frame: JSON.parse(text) as unknown }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `The message is not valid JSON: ${reason}`
    return { ok: false, id: idAtHead(text), error: new SagasmithError('bad_request', { message, cause }) }
  }
}

/** The id of a request without parsing it: our own encoder puts it right after the type. */
function idAtHead(text: string): number | null {
  const match = /^\{"type":"(?:call|subscribe)","id":(\d{1,15}),/.exec(text.slice(0, 60))
  return match?.[1] === undefined ? null : Number(match[1])
}

function tooLarge(length: number): SagasmithError {
  const megabytes = (length / 1_000_000).toFixed(1)
  return new SagasmithError('payload_too_large', {
    message: `The message has ${megabytes} MB; one message may have ${frameBytesMax / 1_000_000} MB.`,
    details: { length, limit: frameBytesMax },
  })
}
