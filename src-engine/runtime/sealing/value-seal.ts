/** Values sealed and opened, wherever `walkValues` finds them. What was opened is sealed again for nothing. */

import type { ErrorRecord } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'
import { blobHash } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import type { SealedPayload, SealProblem } from '../../model/seal.ts'
import { isSealedText, sealedWords, sealKeyOf } from '../../model/seal.ts'
import type { SealPlace, ValueCipher } from './value-cipher.ts'
import type { ValueChange } from './walk-values.ts'

/** Seals what isn't sealed. Throws `seal_key_missing` for a sealed value on its way to another place. */
export type Sealing = ValueChange
/** Opens what is sealed; what can't be opened says so in its own place. */
export type Opening = ValueChange

export interface ValueSeal {
  readonly sealing: Sealing
  readonly opening: Opening
}

/** The last place at which an object was met, and what it is there. */
interface Met<Value> {
  readonly scope: string
  readonly path: string
  readonly other: Value
}

/** Both ways, with one memory. */
export function createValueSeal(cipher: ValueCipher): ValueSeal {
  const payloads = new WeakMap<Payload, Met<SealedPayload>>()
  const errors = new WeakMap<ErrorRecord, Met<ErrorRecord>>()
  return {
    sealing: {
      // Also what looks sealed: whoever wrote it so gets it back so.
      text: (plain, place) => cipher.seal(at(place, 'text'), plain),
      payload(value, place) {
        if (value.kind === 'sealed') throw unmovable(value)
        const known = metAt(payloads.get(value), place)
        if (known !== null) return known
        const sealed = sealedPayload(cipher, value, place)
        payloads.set(value, { ...place, other: sealed })
        return sealed
      },
      error(value, place) {
        const known = metAt(errors.get(value), place)
        if (known !== null) return known
        const sealed = sealedError(cipher, value, place)
        errors.set(value, { ...place, other: sealed })
        return sealed
      },
    },
    opening: {
      text(value, place) {
        if (!isSealedText(value)) return value
        const opened = cipher.open(at(place, 'text'), value)
        return opened.ok ? opened.text : value
      },
      payload(value, place) {
        if (value.kind !== 'sealed') return value
        const opened = openedPayload(cipher, value, place)
        if (opened.kind !== 'sealed') payloads.set(opened, { ...place, other: value })
        return opened
      },
      error(value, place) {
        if (!isSealedError(value)) return value
        const opened = openedError(cipher, value, place)
        if (opened.code === value.code && opened.details !== value.details)
          errors.set(opened, { ...place, other: value })
        return opened
      },
    },
  }
}

/** For who has no key at all. */
export const noKeyOpening: Opening = {
  text: (value) => (isSealedText(value) ? `(${sealedWords(value).message})` : value),
  payload: (value) => (value.kind === 'sealed' ? { ...value, problem: 'key-missing' } : value),
  error: (value) => (isSealedError(value) ? unreadError(value, 'key-missing') : value),
}

const at = ({ scope, path }: SealPlace, what: string): SealPlace => ({ scope, path: `${path}|${what}` })

const metAt = <Value>(met: Met<Value> | undefined, { scope, path }: SealPlace): Value | null =>
  met !== undefined && met.path === path && met.scope === scope ? met.other : null

/** A letter tells what follows: JSON text, or the hash and the size of a blob, and what stays of it where it goes. */
function sealedPayload(
  cipher: ValueCipher,
  value: Exclude<Payload, SealedPayload>,
  place: SealPlace,
): SealedPayload {
  const plain =
    value.kind === 'inline' ? `i${value.json}` : `b${value.hash}:${value.bytes}${staysText(value)}`
  const token = cipher.seal(at(place, 'payload'), plain)
  if (value.kind !== 'blob') return { kind: 'sealed', token, blob: null }
  const sealed = { kind: 'sealed', token, blob: value.hash } as const
  return value.fleeting === undefined ? sealed : { ...sealed, fleeting: true }
}

const staysText = ({ fleeting }: Extract<Payload, { readonly kind: 'blob' }>): string =>
  fleeting === undefined ? '' : `:${fleeting.summary ?? ''}`

function openedPayload(cipher: ValueCipher, value: SealedPayload, place: SealPlace): Payload {
  const opened = cipher.open(at(place, 'payload'), value.token)
  if (!opened.ok) return { ...value, problem: opened.problem }
  const rest = opened.text.slice(1)
  if (opened.text.startsWith('i')) return { kind: 'inline', json: rest }
  const [hash = '', bytes = '', ...stays] = rest.split(':')
  // The one in the open is for the pruner: it must be the one that was meant.
  if (hash !== value.blob) return { ...value, problem: 'damaged' }
  const blob = { kind: 'blob', hash: blobHash(hash), bytes: Number(bytes) } as const
  if (stays.length === 0) return blob
  const summary = stays.join(':')
  return { ...blob, fleeting: { summary: summary === '' ? null : summary } }
}

const isSealedError = ({ message, hint, details }: ErrorRecord): boolean =>
  message === '' && hint === '' && typeof details['sealed'] === 'string'

function tokenOf({ details }: ErrorRecord): string {
  const token = details['sealed']
  return typeof token === 'string' ? token : ''
}

function sealedError(cipher: ValueCipher, value: ErrorRecord, place: SealPlace): ErrorRecord {
  const { code, message, hint, details, retryable } = value
  const token = cipher.seal(at(place, 'error'), JSON.stringify([message, hint, details]))
  return { code, message: '', hint: '', details: { sealed: token }, retryable }
}

function openedError(cipher: ValueCipher, value: ErrorRecord, place: SealPlace): ErrorRecord {
  const opened = cipher.open(at(place, 'error'), tokenOf(value))
  if (!opened.ok) return unreadError(value, opened.problem)
  const [message, hint, details] = JSON.parse(opened.text) as readonly [string, string, JsonObject]
  return { ...value, message, hint, details }
}

function unreadError(value: ErrorRecord, problem: SealProblem): ErrorRecord {
  const token = tokenOf(value)
  return { ...value, ...sealedWords(token, problem), details: { sealed: token } }
}

/** Opens nowhere else than where it was sealed; a decision never works with one. */
const unmovable = (value: SealedPayload): SagasmithError => sealedValueError(value)

/** Why a run that has this error isn't decided about; null for an error that can be read. */
export function sealedErrorProblem(value: ErrorRecord): SagasmithError | null {
  const token = tokenOf(value)
  const words = (['key-missing', 'damaged'] as const).find(
    (problem) => value.message === sealedWords(token, problem).message,
  )
  if (words === undefined || !isSealedText(token)) return null
  return sealedValueError({ kind: 'sealed', token, blob: null, problem: words })
}

/** What keeps a value from being read. */
export function sealedValueError({ token, problem }: SealedPayload): SagasmithError {
  const code = problem === 'damaged' ? 'sealed_value_damaged' : 'seal_key_missing'
  return new SagasmithError(code, { ...sealedWords(token, problem), details: { key: sealKeyOf(token) } })
}
