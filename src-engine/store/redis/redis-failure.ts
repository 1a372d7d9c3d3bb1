/** What went wrong with a command: whether it was done, whether to ask again, and what a person is told. */

import type { ErrorCode } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'
import { redisErrorCatalogue } from '../../model/redis-error-codes.ts'

/** What the store does about a failure. */
export type Verdict =
  /** Another node serves the slot. */
  | { readonly kind: 'moved'; readonly slot: number; readonly address: string }
  /** Another node serves this one command. */
  | { readonly kind: 'ask'; readonly address: string }
  /** Nothing was done; the same may work in a moment. */
  | { readonly kind: 'later'; readonly code: ErrorCode }
  /** It may have been done or not. */
  | { readonly kind: 'unknown'; readonly code: ErrorCode }
  /** The node has forgotten the script. */
  | { readonly kind: 'no-script' }
  /** Nothing was done, and asking again changes nothing. */
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/** A connection that was not there, or broke: `sent` tells whether the command may have arrived. */
export class ConnectionLost extends Error {
  readonly sent: boolean
  readonly code: ErrorCode

  constructor(code: ErrorCode, sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ConnectionLost'
    this.code = code
    this.sent = sent
  }
}

/** By the first word of the server's message. */
const verdictByWord: Readonly<Record<string, Verdict>> = {
  TRYAGAIN: { kind: 'later', code: 'redis_slot_moving' },
  CLUSTERDOWN: { kind: 'later', code: 'redis_cluster_down' },
  MASTERDOWN: { kind: 'later', code: 'redis_cluster_down' },
  LOADING: { kind: 'later', code: 'redis_loading' },
  BUSY: { kind: 'later', code: 'redis_timeout' },
  READONLY: { kind: 'later', code: 'redis_read_only' },
  NOREPLICAS: { kind: 'later', code: 'redis_read_only' },
  MISCONF: { kind: 'refused', code: 'redis_read_only' },
  NOSCRIPT: { kind: 'no-script' },
  OOM: { kind: 'refused', code: 'redis_out_of_memory' },
  NOAUTH: { kind: 'refused', code: 'redis_auth_failed' },
  WRONGPASS: { kind: 'refused', code: 'redis_auth_failed' },
  NOPERM: { kind: 'refused', code: 'redis_not_permitted' },
}

/** What to do about whatever a command threw. */
export function verdictOf(thrown: unknown): Verdict {
  if (thrown instanceof ConnectionLost) {
    const { code, sent } = thrown
    if (!isTemporary(code)) return { kind: 'refused', code }
    return sent ? { kind: 'unknown', code } : { kind: 'later', code }
  }
  const message = messageOf(thrown)
  // What a script may not do is told in words of its own.
  if (/can't (run|access)/.test(message)) return { kind: 'refused', code: 'redis_not_permitted' }
  const words = message.split(' ')
  const [word = '', second = '', third = ''] = words
  if (word === 'MOVED') return { kind: 'moved', slot: Number(second), address: third }
  if (word === 'ASK') return { kind: 'ask', address: third }
  // A script that met an error tells it in the middle of its own.
  const inner = words.find((item) => item in verdictByWord) ?? ''
  return verdictByWord[word] ?? verdictByWord[inner] ?? { kind: 'refused', code: 'redis_failed' }
}

/** Silence in a handshake is among them: a server that speaks no TLS is as silent as one that stands still. */
const temporary: ReadonlySet<ErrorCode> = new Set([
  'redis_unreachable',
  'redis_timeout',
  'redis_tls_unanswered',
])

const isTemporary = (code: ErrorCode): boolean => temporary.has(code)

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** The code of what a connection could not be made for. */
export function connectCode(thrown: unknown): ErrorCode {
  const message = messageOf(thrown)
  if (/^(NOAUTH|WRONGPASS)|invalid (username-)?password|without any password/i.test(message)) {
    return 'redis_auth_failed'
  }
  if (message.startsWith('NOPERM')) return 'redis_not_permitted'
  // The words of Node for a connection that ended in its handshake, which a server that dies does, too.
  if (message.includes('before secure TLS connection')) return 'redis_tls_unanswered'
  if (/certificate|\bssl\b|\btls\b|self.signed|ERR_TLS|EPROTO|DEPTH_ZERO|UNABLE_TO/i.test(describe(thrown))) {
    return 'redis_tls_failed'
  }
  return 'redis_unreachable'
}

function describe(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  return `${code} ${messageOf(thrown)}`
}

/** What callers are told. */
export function redisError(code: ErrorCode, address: string, thrown: unknown): SagasmithError {
  if (thrown instanceof SagasmithError) return thrown
  const said =
    redisErrorCatalogue[code as keyof typeof redisErrorCatalogue]?.title ?? 'The Redis store failed.'
  const message = `${said.replace(/\.$/, '')} (${address}: ${messageOf(thrown)}).`
  return new SagasmithError(code, { message, details: { address }, cause: thrown })
}
