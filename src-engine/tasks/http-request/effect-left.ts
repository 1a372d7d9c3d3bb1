/** Which failures of a request leave open whether the server did what it was asked for. */

import { errorOfRecord, SagasmithError, toErrorRecord } from '../../model/errors.ts'
import { withUnknownEffect } from '../../model/unknown-effect.ts'
import type { HttpRequestParameters } from './spec.ts'

/** These only read. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** What a server says that did nothing: it doesn't know how, is too busy, or doesn't speak that version. */
const refusals: ReadonlySet<unknown> = new Set([501, 503, 505])
/** The connection was there, and the request may have been sent. */
const lostConnections: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET'])

/** The same error; where the server may have acted, it says so. */
export function tellingEffectLeft(thrown: unknown, method: HttpRequestParameters['method']): unknown {
  if (!(thrown instanceof SagasmithError) || safeMethods.has(method) || !mayHaveActed(thrown)) return thrown
  return errorOfRecord({ ...toErrorRecord(thrown), details: withUnknownEffect(thrown.details) })
}

function mayHaveActed({ code, details }: SagasmithError): boolean {
  const { status, reason } = details
  switch (code) {
    case 'http_status':
      return typeof status === 'number' && status >= 500 && !refusals.has(status)
    case 'http_unreachable':
      return lostConnections.has(reason) || (typeof reason === 'string' && reason.startsWith('HPE_'))
    // There was an answer, and nothing could be made of it.
    case 'http_too_large':
    case 'task_failed':
      return true
    default:
      return false
  }
}
