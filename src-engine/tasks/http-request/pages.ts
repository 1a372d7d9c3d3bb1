/**
 * Answers that come page after page. All pages are read within one attempt: a lost runner or a failure begins with the
 * first page again, and what is kept is the whole list or nothing.
 */

import { errorOfRecord, SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { RequestPages } from '../../model/request-pages.ts'
import type { TaskContext } from '../task.ts'
import { webAddress } from './destination.ts'
import { nextLink } from './link-header.ts'
import type { Outgoing } from './outgoing.ts'
import { checkRedirected, outgoingOf, redirected } from './outgoing.ts'
import type { HttpRequestParameters } from './spec.ts'

/** What is asked for a page; `signsIn` is false where another server led to it. */
export interface PageRequest {
  readonly request: Outgoing
  readonly signsIn: boolean
}

interface Page {
  /** Where it really came from. */
  readonly url: URL
  readonly bytes: number
  readonly body: JsonValue
  /** Its status and headers. */
  readonly told: JsonObject
}

interface Reading {
  readonly parameters: HttpRequestParameters
  readonly context: TaskContext
  readonly evaluate: (expression: string, scope: JsonObject) => Promise<JsonValue>
  readonly read: (request: PageRequest) => Promise<Page>
}

interface PagesRead {
  readonly items: readonly JsonValue[]
  readonly pages: number
  /** Whether there is more than what was kept. */
  readonly isCut: boolean
  /** Of the last page. */
  readonly url: URL
  readonly told: JsonObject
}

/** What leads from a page to the next. */
interface Step {
  readonly parameters: HttpRequestParameters
  /** Null for the same address as the first page. */
  readonly to: URL | null
  /** Equal for equal steps: a server that leads in circles is noticed by it. Null for one that can't. */
  readonly mark: string | null
}

/**
 * The items of all pages. Throws `http_page_invalid` for a page without items or with a step that leads nowhere, and
 * `http_too_many_pages` where that is asked for; what a page fails with names the page.
 */
export async function readPages(reading: Reading): Promise<PagesRead> {
  const pages = pagesOf(reading)
  const items: JsonValue[] = []
  const marks = new Set<string>()
  let bytes = 0
  let step: Step = firstStep(reading.parameters, pages)
  for (let count = 1; ; count += 1) {
    const { page, found, next } = await onPage(count, () => readPage(reading, { step, count, pages }))
    const { url, told } = page
    bytes += page.bytes
    const left = pages.maxItems - items.length
    const isOver = bytes > pages.maxBytes
    if (!isOver) for (const item of found.slice(0, left)) items.push(item)
    const limit = isOver
      ? 'bytes'
      : reached(pages, { count, left: left - found.length, hasMore: next !== null })
    if (limit !== null && pages.whenMore === 'fail') throw tooMany(pages, limit)
    if (next === null || limit !== null) return { items, pages: count, isCut: limit !== null, url, told }
    if (next.mark !== null && marks.has(next.mark)) throw inCircles(count)
    if (next.mark !== null) marks.add(next.mark)
    step = next
  }
}

function pagesOf({ parameters: { pages } }: Reading): RequestPages {
  if (pages.kind !== 'none') return pages
  throw new SagasmithError('internal', { message: 'Nothing says how the pages follow each other.' })
}

type Limit = 'pages' | 'items' | 'bytes'

function reached(
  pages: RequestPages,
  at: { readonly count: number; readonly left: number; readonly hasMore: boolean },
): Limit | null {
  if (at.left < 0 || (at.left === 0 && at.hasMore)) return 'items'
  return at.hasMore && at.count >= pages.maxPages ? 'pages' : null
}

interface PagePlace {
  readonly step: Step
  readonly count: number
  readonly pages: RequestPages
}

async function readPage(reading: Reading, place: PagePlace) {
  const page = await reading.read(await requestOf(reading, place))
  const scope = { ...page.told, body: page.body }
  const found = await itemsOf(place.pages, scope, reading)
  return { page, found, next: await stepAfter(reading, place, { page, scope, found }) }
}

/** The request of a step. Another server than the first one's gets nothing that proves who asks. */
async function requestOf(
  { parameters: { auth }, context }: Reading,
  { step, count }: PagePlace,
): Promise<PageRequest> {
  const { idempotencyKey, secrets } = context
  // A server that knows the key would give the first page again.
  const key = count === 1 ? idempotencyKey : `${idempotencyKey}-${count}`
  const base = await outgoingOf(step.parameters, key, context)
  if (step.to === null) return { request: base, signsIn: true }
  if (step.to.origin !== base.url.origin) {
    const request = redirected(base, step.to, { status: 307, auth, secrets })
    checkRedirected(request, secrets)
    return { request, signsIn: false }
  }
  const url = new URL(step.to)
  url.hash = ''
  if (auth.kind === 'api-key' && auth.placement === 'query') url.searchParams.set(auth.name, auth.value)
  return { request: { ...base, url }, signsIn: true }
}

async function itemsOf(
  pages: RequestPages,
  scope: JsonObject,
  { evaluate }: Reading,
): Promise<readonly JsonValue[]> {
  const hasPlace = pages.items.trim() !== ''
  const found = (hasPlace ? await evaluate(pages.items, scope) : scope['body']) ?? null
  if (Array.isArray(found)) return found
  // JSONata gives a list of one as that one, and none as nothing.
  if (hasPlace) return found === null ? [] : [found]
  throw new SagasmithError('http_page_invalid', {
    message: 'The answer is not a list, and nothing says where in it the items are.',
    details: { field: 'pages.items' },
  })
}

function firstStep(parameters: HttpRequestParameters, pages: RequestPages): Step {
  return pages.kind === 'number' ? numberedStep(parameters, pages, 1) : { parameters, to: null, mark: null }
}

function numberedStep(
  parameters: HttpRequestParameters,
  { name, start, step }: Extract<RequestPages, { readonly kind: 'number' }>,
  count: number,
): Step {
  const query = { ...parameters.query, [name]: start + (count - 1) * step }
  return { parameters: withoutInAddress({ ...parameters, query }, name), to: null, mark: null }
}

interface Got {
  readonly page: Page
  readonly scope: JsonObject
  readonly found: readonly JsonValue[]
}

async function stepAfter(reading: Reading, { pages, count }: PagePlace, got: Got): Promise<Step | null> {
  const { parameters } = reading
  const { page, scope, found } = got
  if (pages.kind === 'number') {
    const isLast = found.length === 0 || found.length < pages.size
    return isLast ? null : numberedStep(parameters, pages, count + 1)
  }
  if (pages.kind === 'link') {
    const headers = isJsonObject(scope['headers']) ? scope['headers'] : {}
    const { link } = headers
    const target = nextLink(typeof link === 'string' ? link : '')
    return target === null ? null : addressStep(parameters, target, page)
  }
  const cursor = await reading.evaluate(pages.next, scope)
  if (cursor === null || cursor === false || cursor === '') return null
  if (typeof cursor !== 'string' && typeof cursor !== 'number') {
    throw new SagasmithError('http_page_invalid', {
      message: 'The cursor of the next page is neither a text nor a number.',
      details: { field: 'pages.next' },
    })
  }
  if (pages.sendAs === 'address') return addressStep(parameters, String(cursor), page)
  const mark = JSON.stringify(cursor)
  if (pages.sendAs === 'body')
    return { parameters: withInBody(parameters, pages.name, cursor), to: null, mark }
  const query = { ...parameters.query, [pages.name]: cursor }
  return { parameters: withoutInAddress({ ...parameters, query }, pages.name), to: null, mark }
}

/** Addresses in an answer count from where it came from. */
function addressStep(parameters: HttpRequestParameters, target: string, { url }: Page): Step {
  const to = webAddress(target, url)
  return { parameters, to, mark: to.href }
}

/** The address may say for the first page what the query says from then on. */
function withoutInAddress(parameters: HttpRequestParameters, name: string): HttpRequestParameters {
  const url = webAddress(parameters.url.trim())
  url.searchParams.delete(name)
  return { ...parameters, url: url.href }
}

function withInBody(parameters: HttpRequestParameters, name: string, cursor: string | number) {
  const { body } = parameters
  const value = body.kind === 'json' ? (body.value ?? {}) : null
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SagasmithError('http_page_invalid', {
      message: 'The cursor is to be sent in the body, which is no JSON object.',
      hint: 'Choose JSON as the body and write an object, or send the cursor as a part of the address.',
      details: { field: 'body' },
    })
  }
  return { ...parameters, body: { kind: 'json' as const, value: { ...value, [name]: cursor } } }
}

async function onPage<T>(count: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError) || thrown.code === 'task_cancelled' || count === 1) throw thrown
    const record = toErrorRecord(thrown)
    const message = `Page ${count}: ${record.message}`
    throw errorOfRecord({ ...record, message, details: { ...record.details, page: count } })
  }
}

function inCircles(count: number): SagasmithError {
  return new SagasmithError('http_page_invalid', {
    message: `Page ${count} leads to a page that was read already.`,
    details: { page: count },
  })
}

function tooMany(pages: RequestPages, limit: Limit): SagasmithError {
  const count = { pages: pages.maxPages, items: pages.maxItems, bytes: pages.maxBytes }[limit]
  const message =
    limit === 'pages' ? `There are more than ${count} pages.` : `The pages have more than ${count} ${limit}.`
  return new SagasmithError('http_too_many_pages', { message, details: { limit, count } })
}
