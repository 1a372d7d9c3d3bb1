/**
 * The signatures that senders put on their calls. Each is over the very bytes of the body; where the time is
 * signed too, it must be near ours.
 * Sources: standardwebhooks.com; docs.github.com (validating webhook deliveries); docs.stripe.com/webhooks;
 * docs.slack.dev (verifying requests).
 */

import type { Instant } from '../../model/time.ts'
import type { Proof } from './proof.ts'
import { disbelieved } from './proof.ts'
import type { HmacAlgorithm, HmacEncoding } from './secure-compare.ts'
import { equalInConstantTime, hmacOf } from './secure-compare.ts'
import type { WebCall } from './web-call.ts'
import { headerOf } from './web-call.ts'

/** How far a signed time may be from ours, either way. */
const signedTimeSkewMs = 300_000

const second = 1_000

/** `webhook-id`, `webhook-timestamp` and one or more `v1,…` signatures over `id.timestamp.body`. */
export function standardProof(call: WebCall, keys: readonly string[]): Proof {
  const id = headerOf(call, 'webhook-id')
  const timestamp = headerOf(call, 'webhook-timestamp')
  const signatures = headerOf(call, 'webhook-signature')
    .split(/\s+/)
    .flatMap((signature) => prefixed(signature, 'v1,') ?? [])
  if (id === '' || timestamp === '' || signatures.length === 0) return disbelieved('missing')
  const late = refuseTime(timestamp, call.at)
  if (late !== null) return late
  const wanted = keys.flatMap((key) => {
    const bytes = standardKey(key)
    return bytes === null
      ? []
      : [hmacOf({ key: bytes, before: `${id}.${timestamp}.`, body: call.body, encoding: 'base64' })]
  })
  if (wanted.length === 0) return disbelieved('no_secret')
  return believeAny({ wanted, signatures, messageId: () => id, isTimed: true })
}

/** Kept as `whsec_` and base64; any other text is the key itself. Null when nothing is left of it. */
function standardKey(key: string): Uint8Array | string | null {
  if (!key.startsWith('whsec_')) return key === '' ? null : key
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  return bytes.length === 0 ? null : bytes
}

/** `x-hub-signature-256: sha256=…` over the body. A delivery sent again has the same signature. */
export function githubProof(call: WebCall, keys: readonly string[]): Proof {
  const signature = prefixed(headerOf(call, 'x-hub-signature-256'), 'sha256=')
  if (signature === null) return disbelieved('missing')
  const wanted = keys.map((key) => hmacOf({ key, body: call.body, encoding: 'hex' }))
  // The delivery's id isn't signed, so anybody who saw one could send it under another: the body's is it.
  return believeAny({ wanted, signatures: [signature], messageId: () => signature, isTimed: false })
}

/** `stripe-signature: t=…,v1=…` over `timestamp.body`; there may be several `v1`. */
export function stripeProof(call: WebCall, keys: readonly string[]): Proof {
  const parts = headerOf(call, 'stripe-signature').split(/\s*,\s*/)
  const valuesOf = (name: string): readonly string[] =>
    parts.flatMap((part) => prefixed(part, `${name}=`) ?? [])
  const [timestamp] = valuesOf('t')
  const signatures = valuesOf('v1')
  if (timestamp === undefined || signatures.length === 0) return disbelieved('missing')
  const late = refuseTime(timestamp, call.at)
  if (late !== null) return late
  const wanted = keys.map((key) => hmacOf({ key, before: `${timestamp}.`, body: call.body, encoding: 'hex' }))
  return believeAny({ wanted, signatures, messageId: () => memberOf(call, 'id'), isTimed: true })
}

/** `x-slack-signature: v0=…` over `v0:timestamp:body`. */
export function slackProof(call: WebCall, keys: readonly string[]): Proof {
  const timestamp = headerOf(call, 'x-slack-request-timestamp')
  const signature = prefixed(headerOf(call, 'x-slack-signature'), 'v0=')
  if (timestamp === '' || signature === null) return disbelieved('missing')
  const late = refuseTime(timestamp, call.at)
  if (late !== null) return late
  const wanted = keys.map((key) =>
    hmacOf({ key, before: `v0:${timestamp}:`, body: call.body, encoding: 'hex' }),
  )
  return believeAny({
    wanted,
    signatures: [signature],
    messageId: () => memberOf(call, 'event_id'),
    isTimed: true,
  })
}

/** A signature of the body in a header of choice. */
export interface PlainHmac {
  readonly header: string
  readonly algorithm: HmacAlgorithm
  readonly encoding: HmacEncoding
  /** What stands before the signature. */
  readonly prefix: string
  /** The header with the sender's id of the message; empty when it sends none. */
  readonly idHeader: string
}

export function hmacProof(call: WebCall, keys: readonly string[], how: PlainHmac): Proof {
  const signature = prefixed(headerOf(call, how.header.toLowerCase()), how.prefix)
  if (signature === null || signature === '') return disbelieved('missing')
  const { algorithm, encoding } = how
  const wanted = keys.map((key) => hmacOf({ key, body: call.body, algorithm, encoding }))
  const id = how.idHeader === '' ? '' : headerOf(call, how.idHeader.toLowerCase())
  return believeAny({
    wanted,
    signatures: [signature],
    messageId: () => (id === '' ? null : id),
    isTimed: false,
  })
}

/** Every signature is compared with every wanted one, so that the time tells nothing of which fitted. */
function believeAny(look: {
  readonly wanted: readonly string[]
  readonly signatures: readonly string[]
  readonly messageId: () => string | null
  readonly isTimed: boolean
}): Proof {
  let fitting: string | null = null
  for (const wanted of look.wanted) {
    for (const signature of look.signatures) {
      if (equalInConstantTime(wanted, signature)) fitting = wanted
    }
  }
  if (fitting === null) return disbelieved('wrong')
  return { kind: 'believed', messageId: look.messageId(), tryId: look.isTimed ? fitting : null }
}

function refuseTime(timestamp: string, at: Instant): Proof | null {
  if (!/^\d{1,12}$/.test(timestamp)) return disbelieved('malformed')
  return Math.abs(Number(timestamp) * second - at) > signedTimeSkewMs ? disbelieved('out_of_time') : null
}

/** The text after a prefix; null when it doesn't begin with it. */
const prefixed = (text: string, prefix: string): string | null =>
  text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : null

/** A text member of the signed body, which names the message in each of its tries. */
function memberOf(call: WebCall, name: string): string | null {
  try {
    const body: unknown = JSON.parse(Buffer.from(call.body).toString('utf8'))
    if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null
    const value: unknown = (body as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' && value !== '' ? value : null
  } catch {
    // A signed body that is no JSON names nothing.
    return null
  }
}
