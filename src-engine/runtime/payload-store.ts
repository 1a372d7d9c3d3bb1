/** Values to payloads and back: small ones stay in the record, large ones go to the store by hash. */

import { SagasmithError } from '../model/errors.ts'
import type { JsonValue } from '../model/json.ts'
import { blobBytesMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import type { Store } from '../store/store.ts'

export interface PayloadStore {
  /** The payload of JSON text; `payload_too_large` beyond `bytesMax`. */
  readonly keep: (json: string, bytesMax?: number) => Payload | Promise<Payload>
  readonly json: (payload: Payload) => string | Promise<string>
  readonly value: (payload: Payload) => JsonValue | Promise<JsonValue>
}

/** Synchronous wherever nothing is stored: most payloads are small, and steps are many. */
export function createPayloadStore(store: Store): PayloadStore {
  const json = (payload: Payload): string | Promise<string> =>
    payload.kind === 'inline'
      ? payload.json
      : store.getBlob(payload.hash).then((bytes) => decoder.decode(bytes))
  return {
    keep: (text, bytesMax = blobBytesMax) => inlinePayload(text) ?? keepBlob(store, text, bytesMax),
    json,
    value: (payload) => {
      const text = json(payload)
      return typeof text === 'string'
        ? (JSON.parse(text) as JsonValue)
        : text.then((loaded) => JSON.parse(loaded) as JsonValue)
    },
  }
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

async function keepBlob(store: Store, text: string, bytesMax: number): Promise<Payload> {
  const bytes = encoder.encode(text)
  if (bytes.byteLength > bytesMax) {
    throw new SagasmithError('payload_too_large', {
      message: `The data has ${megabytes(bytes.byteLength)} MB; at most ${megabytes(bytesMax)} MB can be handed on.`,
      details: { bytes: bytes.byteLength, bytesMax },
    })
  }
  return { kind: 'blob', hash: await store.putBlob(bytes), bytes: bytes.byteLength }
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)
