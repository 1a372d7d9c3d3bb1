/** Rows on their way into a file: one line each, written as they come, complete before it takes its place. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { UnfinishedFile } from '../body-file.ts'
import { openUnfinished } from '../body-file.ts'
import { createCsvText } from '../csv-text.ts'
import type { RowSink } from '../sql/work.ts'
import { rowOf } from '../sql/work.ts'
import type { SqlExportParameters } from './spec.ts'

/** What is gathered before it goes to the disk: more would only be memory, less a call for every few rows. */
const pieceBytes = 262_144

type Form = Pick<SqlExportParameters, 'format' | 'delimiter' | 'header' | 'guardFormulas'>
type Limits = Pick<SqlExportParameters, 'maxRows' | 'maxBytes' | 'tooMany'>

export interface RowFile extends RowSink {
  readonly count: () => number
  readonly bytes: () => number
  /** Writes what is left, and puts the file in its place. `columns` name them where no row did. */
  readonly finish: (columns: readonly string[]) => Promise<void>
  /** Closes it; what is not in its place is gone. */
  readonly close: () => Promise<void>
}

/** Opens the file that it is written to until it is complete. */
export async function openRowFile(
  place: { readonly path: string; readonly idempotencyKey: string },
  form: Form,
  limits: Limits,
): Promise<RowFile> {
  const lines = await lineMaker(form)
  return new WrittenRows(await openUnfinished(place), lines, limits)
}

interface LineMaker {
  readonly head: (columns: readonly string[]) => string
  readonly line: (columns: readonly string[], values: readonly JsonValue[]) => string
}

async function lineMaker({ format, header, delimiter, guardFormulas }: Form): Promise<LineMaker> {
  if (format === 'jsonl') {
    return { head: () => '', line: (columns, values) => `${JSON.stringify(rowOf(columns, values))}\n` }
  }
  const text = await createCsvText({ delimiter, guardFormulas, quoteAll: false, lineEnd: 'lf' })
  return {
    head: (columns) => (header && columns.length > 0 ? text([columns]) : ''),
    line: (_columns, values) => text([values]),
  }
}

class WrittenRows implements RowFile {
  readonly #file: UnfinishedFile
  readonly #lines: LineMaker
  readonly #limits: Limits
  #waiting: string[] = []
  #waitingBytes = 0
  #writing: Promise<void> | null = null
  #hasHead = false
  #count = 0
  #bytes = 0
  #isCut = false

  constructor(file: UnfinishedFile, lines: LineMaker, limits: Limits) {
    this.#file = file
    this.#lines = lines
    this.#limits = limits
  }

  count = (): number => this.#count
  bytes = (): number => this.#bytes
  isCut = (): boolean => this.#isCut
  busy = (): Promise<void> | null => this.#writing

  add(columns: readonly string[], values: readonly JsonValue[]): boolean {
    const { maxRows, maxBytes } = this.#limits
    const text = this.#headOf(columns) + this.#lines.line(columns, values)
    const bytes = Buffer.byteLength(text)
    if (this.#count + 1 > maxRows) return this.#over(`more than ${maxRows} rows`)
    if (this.#bytes + bytes > maxBytes) return this.#over(`more than ${maxBytes} bytes`)
    this.#hasHead = true
    this.#count += 1
    this.#take(text, bytes)
    if (this.#waitingBytes >= pieceBytes) this.#write()
    return true
  }

  async finish(columns: readonly string[]): Promise<void> {
    const head = this.#headOf(columns)
    this.#take(head, Buffer.byteLength(head))
    while (this.#writing !== null || this.#waitingBytes > 0) {
      this.#write()
      await this.#writing
    }
    await this.#file.keep()
  }

  async close(): Promise<void> {
    await this.#writing?.catch(() => null)
    await this.#file.drop()
  }

  #headOf(columns: readonly string[]): string {
    return this.#hasHead ? '' : this.#lines.head(columns)
  }

  #take(text: string, bytes: number): void {
    this.#waiting.push(text)
    this.#waitingBytes += bytes
    this.#bytes += bytes
  }

  /** One piece after the other; what fails is told by `busy` or `finish`. */
  #write(): void {
    if (this.#writing !== null || this.#waitingBytes === 0) return
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#waitingBytes = 0
    const writing = this.#file.handle.writeFile(text).then(() => {
      this.#writing = null
      // More may have come meanwhile.
      if (this.#waitingBytes >= pieceBytes) this.#write()
    })
    // Whoever waits hears of it; nobody may be waiting yet.
    writing.catch(() => null)
    this.#writing = writing
  }

  #over(what: string): false {
    if (this.#limits.tooMany === 'fail') throw tooLarge(what)
    this.#isCut = true
    return false
  }
}

function tooLarge(what: string): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The query gives ${what}.`,
    hint: 'Ask for fewer, or raise the limit in the node’s settings.',
  })
}
