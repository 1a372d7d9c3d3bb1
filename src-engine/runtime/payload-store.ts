/**
 * Values to payloads and back: small ones stay in the record, large ones go to the store, once by their hash.
 * What was read lately stays in memory as it was parsed, for as many steps as share it.
 */

import { createHash } from 'node:crypto'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { BlobHash } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import { blobBytesMax, sharedValueBytesMax, taskOutputBytesMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload, isFleeting, utf8Bytes } from '../model/payload.ts'
import type { Ids, Logger } from '../model/ports.ts'
import type { EngineSettings } from '../model/settings/engine-settings.ts'
import { defaultEngineSettings } from '../model/settings/engine-settings.ts'
import type { Store } from '../store/store.ts'
import { sealedValueError } from './sealing/value-seal.ts'
import { createSystemIds, systemClock } from './system-ports.ts'

export interface PayloadStore {
  /** The payload of JSON text; `payload_too_large` beyond `bytesMax`. */
  readonly keep: (json: string, bytesMax?: number) => Payload | Promise<Payload>
  /** The same for a value that goes when its run is over; `summary` is what stays of it. Always stored beside its record. */
  readonly keepFleeting: (json: string, summary: string | null) => Promise<Payload>
  /** `output_not_kept` for one that has gone. */
  readonly json: (payload: Payload) => string | Promise<string>
  /** The value, which is shared: nobody may change it. */
  readonly value: (payload: Payload) => JsonValue | Promise<JsonValue>
}

export interface PayloadStoreOptions {
  /** The defaults when absent. */
  readonly settings?: Pick<
    EngineSettings,
    'clientDataDisabled' | 'minSizeToCache' | 'maxSizeToCache' | 'localCacheSize' | 'warnThresholdBytes'
  >
  /** Nobody is told of large values when absent. */
  readonly log?: Pick<Logger, 'warn'>
  /** Where what nobody can guess comes from; the system when absent. */
  readonly ids?: Ids
}

/** Synchronous wherever nothing is stored: most payloads are small, and steps are many. */
export function createPayloadStore(store: Store, options: PayloadStoreOptions = {}): PayloadStore {
  const { settings = defaultEngineSettings, log, ids = createSystemIds(systemClock) } = options
  const { clientDataDisabled, minSizeToCache, maxSizeToCache, warnThresholdBytes } = settings
  const shared = createSharedValues(settings.localCacheSize)
  const json = (payload: Payload): string | Promise<string> => {
    if (payload.kind === 'inline') return payload.json
    if (payload.kind === 'sealed') throw sealedValueError(payload)
    return payloadBytes(store, payload).then((bytes) => decoder.decode(bytes))
  }
  const keepLarge = (text: string, bytesMax: number): Payload | Promise<Payload> => {
    const bytes = utf8Bytes(text)
    if (bytes > bytesMax) throw tooLarge(bytes, bytesMax)
    if (warnThresholdBytes > 0 && bytes > warnThresholdBytes) log?.warn('payload.large', { bytes })
    if (clientDataDisabled || text.length < minSizeToCache) return { kind: 'inline', json: text }
    if (maxSizeToCache > 0 && text.length > maxSizeToCache) {
      log?.warn('payload.not-shared', { bytes, maxSizeToCache })
      return { kind: 'inline', json: text }
    }
    return store.putBlob(encoder.encode(text)).then((hash) => ({ kind: 'blob', hash, bytes }))
  }
  return {
    keep: (text, bytesMax = blobBytesMax) => inlinePayload(text) ?? keepLarge(text, bytesMax),
    keepFleeting: async (text, summary) => {
      const bytes = utf8Bytes(text)
      if (bytes > taskOutputBytesMax) throw tooLarge(bytes, taskOutputBytesMax)
      const hash = await store.putBlob(encoder.encode(text + salt(ids)))
      return { kind: 'blob', hash, bytes, fleeting: { summary } }
    },
    json,
    value: (payload) => {
      // Text that is at hand is parsed anew: whoever asked for it may do with it what they like.
      if (payload.kind === 'inline') return JSON.parse(payload.json) as JsonValue
      if (payload.kind === 'sealed') throw sealedValueError(payload)
      if (isFleeting(payload))
        return Promise.resolve(json(payload)).then((text) => JSON.parse(text) as JsonValue)
      return shared.of(payload.hash, payload.bytes, async () => JSON.parse(await json(payload)) as JsonValue)
    },
  }
}

/**
 * White space that no other value has: so nobody else names the same blob, its hash tells nothing of a value that could
 * be guessed, and whoever reads JSON reads over it. Two ids have 160 bits that nobody knows.
 */
const salt = (ids: Ids): string =>
  Array.from(createHash('sha256').update(`${ids.next()} ${ids.next()}`).digest().subarray(0, 16), (byte) =>
    byte.toString(2).padStart(8, '0'),
  )
    .join('')
    .replaceAll('0', ' ')
    .replaceAll('1', '\t')

/** The bytes of a payload that lies beside its record. Throws `blob_missing`, or `output_not_kept` where that is meant. */
export async function payloadBytes(
  store: Pick<Store, 'getBlob'>,
  payload: Extract<Payload, { readonly kind: 'blob' }>,
): Promise<Uint8Array> {
  try {
    return await store.getBlob(payload.hash)
  } catch (thrown) {
    if (!isFleeting(payload) || recordOfThrown(thrown).code !== 'blob_missing') throw thrown
    throw new SagasmithError('output_not_kept', { details: { hash: payload.hash }, cause: thrown })
  }
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

interface SharedValues {
  readonly of: (hash: BlobHash, bytes: number, read: () => Promise<JsonValue>) => Promise<JsonValue>
}

/** The least recently used gives way: beyond `countMax` values, or beyond what memory may be spent on them. */
function createSharedValues(countMax: number): SharedValues {
  const entries = new Map<BlobHash, { readonly value: Promise<JsonValue>; readonly bytes: number }>()
  let held = 0
  const drop = (hash: BlobHash): void => {
    held -= entries.get(hash)?.bytes ?? 0
    entries.delete(hash)
  }
  return {
    of: (hash, bytes, read) => {
      const known = entries.get(hash)
      if (known !== undefined) {
        entries.delete(hash)
        entries.set(hash, known)
        return known.value
      }
      const value = read()
      if (bytes > sharedValueBytesMax || countMax === 0) return value
      entries.set(hash, { value, bytes })
      held += bytes
      value.catch(() => drop(hash))
      for (const oldest of entries.keys()) {
        if (entries.size <= countMax && held <= sharedValueBytesMax) break
        drop(oldest)
      }
      return value
    },
  }
}

function tooLarge(bytes: number, bytesMax: number): SagasmithError {
  return new SagasmithError('payload_too_large', {
    message: `The data has ${megabytes(bytes)} MB; at most ${megabytes(bytesMax)} MB can be handed on.`,
    details: { bytes, bytesMax },
  })
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)
