/** An answer without a request: status 200, and what was sent as its body. */

import type { JsonValue } from '../../model/json.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { HttpRequestParameters } from './spec.ts'

export const httpRequestMock: TaskMock<HttpRequestParameters> = (parameters, context) => {
  const { method, url, body, pages, response, file } = parameters
  sayLeftOut(context, `${method} ${url} was not sent.`)
  if (pages.kind !== 'none') return completed({ status: 200, headers: {}, body: [], pages: 1, isCut: false })
  if (response === 'items') return completed({ status: 200, headers: {}, body: [], isCut: false })
  if (response === 'file')
    return completed({ status: 200, headers: {}, body: { path: file, bytes: 0, sha256: '' } })
  // A parameter's value is JSON by its making.
  const sent = 'value' in body ? (body.value as JsonValue) : null
  return completed({ status: 200, headers: {}, body: sent })
}
