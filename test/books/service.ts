/**
 * A small service over HTTP: a book, the requests that change it, and faults on request. It fails as services
 * do: before it did anything, after it did everything, or by taking longer than anybody waits.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { RandomSource } from '../support/random-source.ts'
import type { Answer, Book, BookRequest, Deal, Order } from './book.ts'

export interface ServiceSpec {
  readonly name: string
  readonly deals: readonly Deal[]
}

export interface FaultPlan {
  /** Of all requests, 0 to 1: how many meet a fault. */
  readonly share: number
  /** How long it takes at most when it is slow, in ms. */
  readonly slowMsMax: number
  readonly random: RandomSource
}

const faults = [
  /** Answers 503 and does nothing. */
  'refuses',
  /** Does it, and closes the connection without an answer. */
  'drops',
  /** Does it, and answers late. */
  'answers-late',
  /** Does it late: whoever asked may have gone, and have had it undone. */
  'does-late',
] as const

/** Serves at the port of the loopback, 0 for any; resolves once it listens. */
export async function serve(
  spec: ServiceSpec,
  place: { readonly book: Book; readonly port: number },
  plan: FaultPlan,
): Promise<{ readonly port: number; readonly server: Server }> {
  const { book } = place
  const server = createServer((request, response) => {
    handle(spec, { request, response, book, plan }).catch((thrown: unknown) => {
      process.stderr.write(`${spec.name}: ${String(thrown)}\n`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place.port, '127.0.0.1', resolve)
  })
  return { port: (server.address() as AddressInfo).port, server }
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly book: Book
  readonly plan: FaultPlan
}

async function handle(spec: ServiceSpec, call: Call): Promise<void> {
  const { request, response, book, plan } = call
  const asked = await readRequest(spec, request)
  if ('status' in asked) {
    say(response, asked)
    return
  }
  const fault = plan.random.chance(plan.share) ? plan.random.pick(faults) : null
  if (fault !== null) book.tell(`fault-${fault}`)
  if (fault === 'refuses') {
    say(response, { status: 503, body: { error: 'Try again later.' } })
    return
  }
  if (fault === 'does-late') await pause(plan.random.below(plan.slowMsMax))
  const answer = book.answer(asked)
  if (fault === 'answers-late') await pause(plan.random.below(plan.slowMsMax))
  if (fault === 'drops') request.socket.destroy()
  else say(response, answer)
}

function say(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** What is asked for; an answer at once to what makes no sense. */
async function readRequest(spec: ServiceSpec, request: IncomingMessage): Promise<BookRequest | Answer> {
  const { url = '', method } = request
  const deal = spec.deals.find(({ doAt, undoAt }) => url === doAt || url === undoAt)
  const refused = (status: number, error: string): Answer => ({ status, body: { error } })
  if (deal === undefined || method !== 'POST') return refused(404, `The ${spec.name} know nothing of ${url}.`)
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return refused(400, 'An idempotency-key is needed.')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const told = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Partial<Order>
  const { order = '', amount = 0, quantity = 0, card = '', sku = '' } = told
  if (order === '') return refused(400, 'Which order?')
  return {
    key,
    deal,
    wants: url === deal.doAt ? 'do' : 'undo',
    order: { order, amount, quantity, card, sku },
  }
}
