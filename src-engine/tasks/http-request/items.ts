/** A body whose lines are handed on while they come: JSON lines, server-sent events or texts, within their limits. */

import { StringDecoder } from 'node:string_decoder'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext } from '../task.ts'
import { tellable } from '../task.ts'
import { refusePacked } from './incoming.ts'
import type { HttpRequestParameters } from './spec.ts'

/** What came, in its order. */
export interface TakenItems {
  readonly items: readonly JsonValue[]
  /** Whether there were more, or the rest was not waited for. */
  readonly isCut: boolean
}

type Form = Exclude<HttpRequestParameters['itemForm'], 'auto'>
type Asked = Pick<
  HttpRequestParameters,
  'itemForm' | 'lastItem' | 'maxItems' | 'maxResponseBytes' | 'whenMore'
>

/** A single line in the log; what is longer is cut there and whole in the output. */
const logCharsMax = 4_000

/** Throws `http_too_large` for more than was to be taken, and `task_failed` for what was to be JSON and isn't. */
export async function takenItems(
  body: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string>>,
  { parameters, context }: { readonly parameters: Asked; readonly context: TaskContext },
): Promise<TakenItems> {
  refusePacked(headers)
  const { lastItem, maxItems, maxResponseBytes, whenMore } = parameters
  const form = formOf(parameters, headers)
  const items: JsonValue[] = []
  const over = (what: string): TakenItems => {
    if (whenMore === 'fail') throw tooMany(what)
    return { items, isCut: true }
  }
  let bytes = 0
  const reader = readerFor(form, context)
  for await (const chunk of body) {
    bytes += chunk.length
    context.beat()
    for (const found of reader.read(chunk)) {
      if (lastItem !== '' && found.text === lastItem) return { items, isCut: false }
      if (items.length === maxItems) return over(`${maxItems} items`)
      items.push(found.value)
      tell(found.text, context)
    }
    if (bytes > maxResponseBytes) return over(`${maxResponseBytes} bytes`)
  }
  for (const found of reader.end()) {
    if (lastItem !== '' && found.text === lastItem) break
    if (items.length === maxItems) return over(`${maxItems} items`)
    items.push(found.value)
    tell(found.text, context)
  }
  return { items, isCut: false }
}

function tell(text: string, context: TaskContext): void {
  const told = text.length > logCharsMax ? tellable(context, text) : text
  const short = told.length > logCharsMax ? `${told.slice(0, logCharsMax)}…` : told
  context.log({ level: 'info', stream: 'task', text: short })
}

function formOf({ itemForm }: Asked, headers: Readonly<Record<string, string>>): Form {
  if (itemForm !== 'auto') return itemForm
  const type = (headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('text/event-stream')) return 'events'
  return /json/.test(type) ? 'json' : 'text'
}

/** An item, and the text that it came as. */
interface Found {
  readonly text: string
  readonly value: JsonValue
}

interface ItemReader {
  readonly read: (chunk: Uint8Array) => readonly Found[]
  /** What was left open; a last line needs no line break. */
  readonly end: () => readonly Found[]
}

function readerFor(form: Form, context: TaskContext): ItemReader {
  const lines = createLines()
  const take = form === 'events' ? eventReader() : lineReader(form, context)
  const all = (texts: readonly string[]): readonly Found[] => texts.flatMap((text) => take.line(text))
  return {
    read: (chunk) => all(lines.read(chunk)),
    end: () => [...all(lines.end()), ...take.end()],
  }
}

/** Pieces are kept apart until their line ends, so that a long line isn't copied again for each piece. */
function createLines() {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let isFirst = true
  const whole = (last: string): string => {
    const line = [...pieces, last].join('').replace(/\r$/, '')
    pieces = []
    if (!isFirst) return line
    isFirst = false
    return line.replace(/^\uFEFF/, '')
  }
  return {
    read(chunk: Uint8Array): readonly string[] {
      const parts = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)).split('\n')
      const open = parts.pop() ?? ''
      const found = parts.map(whole)
      pieces.push(open)
      return found
    },
    end(): readonly string[] {
      const line = whole(decoder.end())
      return line === '' ? [] : [line]
    },
  }
}

interface LineTaker {
  readonly line: (text: string) => readonly Found[]
  readonly end: () => readonly Found[]
}

function lineReader(form: 'json' | 'text', context: TaskContext): LineTaker {
  let count = 0
  return {
    line(text) {
      count += 1
      if (form === 'text') return [{ text, value: text }]
      if (text.trim() === '') return []
      const parsed = parseJson(text)
      if (parsed.ok) return [{ text, value: parsed.value }]
      // The parser's words hold pieces of the text.
      const told = parseJson(tellable(context, text))
      throw new SagasmithError('task_failed', {
        message: `Line ${count} of the response is not JSON${told.ok ? '.' : `: ${told.error}`}`,
        hint: 'Read the items as texts, or ask for another form.',
        details: { line: count },
        retryable: false,
      })
    },
    end: () => [],
  }
}

/** As the standard of server-sent events has it; data that is JSON is handed on as what it is. */
function eventReader(): LineTaker {
  let data: string[] = []
  let event = ''
  let id: string | null = null
  const dispatched = (): readonly Found[] => {
    const text = data.join('\n')
    const isEmpty = data.length === 0
    const name = event === '' ? 'message' : event
    data = []
    event = ''
    if (isEmpty) return []
    const parsed = parseJson(text)
    return [{ text, value: { event: name, data: parsed.ok ? parsed.value : text, id } }]
  }
  const field = (line: string): readonly Found[] => {
    if (line === '') return dispatched()
    const [, name = '', value = ''] = /^([^:]*)(?::\u0020?([^]*))?$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    return []
  }
  // A line may end with a lone carriage return.
  return { line: (text) => text.split('\r').flatMap(field), end: dispatched }
}

const tooMany = (what: string): SagasmithError =>
  new SagasmithError('http_too_large', {
    message: `The response has more than ${what}.`,
    hint: 'Ask for fewer, raise the limit, or have the step keep what came.',
    details: { limit: what },
  })
