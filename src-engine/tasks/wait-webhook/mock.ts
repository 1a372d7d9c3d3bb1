/** The calls are there at once: empty ones, as many as are waited for. */

import type { JsonObject } from '../../model/json.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { WaitWebhookParameters } from './spec.ts'

export const waitWebhookMock: TaskMock<WaitWebhookParameters> = ({ method, calls }, context) => {
  sayLeftOut(context, 'nobody was waited for; its address is taken to have been called.')
  const call: JsonObject = { method: method === 'any' ? 'POST' : method, query: {}, headers: {}, body: null }
  return completed(calls === 1 ? call : Array.from({ length: calls }, () => call), ['out'])
}
