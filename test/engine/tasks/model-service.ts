/** A model's service of our own: it keeps what it is asked, and answers as a test says. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../../src-engine/model/json.ts'

/** Does something about a question. */
export type ModelAnswering = (response: ServerResponse, request: IncomingMessage) => void

export interface ModelService {
  readonly baseUrl: string
  /** Since the test began. */
  readonly asked: { readonly headers: JsonObject; readonly body: JsonObject }[]
  /** What it does next. */
  answer: ModelAnswering
  readonly close: () => void
}

export async function openModelService(): Promise<ModelService> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      service.asked.push({
        headers: { ...request.headers } as JsonObject,
        body: JSON.parse(text) as JsonObject,
      })
      service.answer(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: ModelService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    asked: [],
    answer: () => {},
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return service
}

/** A stream of these values, in pieces that break anywhere, as networks do. */
export const events =
  (...values: readonly (JsonObject | string)[]): ModelAnswering =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const bytes = Buffer.from(
      values
        .map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\r\n\r\n`)
        .join(''),
    )
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  }

/** A few words of an answer. */
export const piece = (content: string, finish: string | null = null): JsonObject => ({
  model: 'tiny-1',
  choices: [{ delta: { content }, finish_reason: finish }],
})

/** What it counted. */
export const usage: JsonObject = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 4 } }
