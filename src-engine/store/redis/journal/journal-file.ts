/**
 * The journal's file: lines with a checksum in front, written before the operation is acknowledged, so that they
 * outlive the process. A file that is full is followed by another and goes when nothing of it is needed any more.
 */

import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { JournalEntry } from './entry.ts'
import type { JournalKeeper } from './op-journal.ts'

/** Whose journal it is: the first line of each file. */
export interface JournalHeader {
  readonly journal: 1
  /** The form of the units, which is that of the store. */
  readonly form: number
  readonly storeId: string
  readonly writerId: string
  readonly host: string
  readonly pid: number
}

/** Lines as they are kept. */
export type JournalLine =
  | JournalHeader
  /** An operation: number, partition, epoch, sequence number, op-id, instant, unit. */
  | {
      readonly n: number
      readonly p: number
      readonly e: number
      readonly s: number
      readonly o: string
      readonly t: number
      readonly u: JournalEntry['unit']
    }
  /** It is at another place now. */
  | { readonly m: number; readonly e: number; readonly s: number }
  /** It was given up, and told as lost. */
  | { readonly d: number }

/** What is begun anew; small ones go sooner. */
const segmentBytes = 4_000_000

interface Segment {
  readonly path: string
  readonly numbers: Set<number>
}

export interface JournalFile extends JournalKeeper {
  /** Removes what nobody needs; what replicas may still lack stays for whoever comes next. */
  readonly close: () => void
}

interface FileOptions {
  readonly directory: string
  readonly header: JournalHeader
  /** Told once, when it can't be written any more: from then on memory is all there is. */
  readonly onTrouble: (thrown: unknown) => void
}

export function createJournalFile(options: FileOptions): JournalFile {
  return new SegmentedFile(options)
}

/** Writers of this process that go on: what they wrote is nobody else's. */
const openWriters = new Set<string>()

/** Whether the writer belongs to this process and hasn't ended. */
export const isOpenWriter = (writerId: string): boolean => openWriters.has(writerId)

class SegmentedFile implements JournalFile {
  readonly #options: FileOptions
  readonly #segments = new Map<number, Segment>()
  #lines: string[] = []
  /** Numbers among the lines that wait. */
  #fresh: number[] = []
  #open: { readonly segment: Segment; readonly file: number; bytes: number } | null = null
  #count = 0
  #failed = false

  constructor(options: FileOptions) {
    this.#options = options
    openWriters.add(options.header.writerId)
  }

  append({ number, partition, place, opId, notedAt, unit }: JournalEntry): void {
    const line = { n: number, p: partition, e: place.epoch, s: place.seq, o: opId, t: notedAt, u: unit }
    this.#lines.push(lineOf(line))
    this.#fresh.push(number)
  }

  moved({ number, place }: JournalEntry): void {
    this.#lines.push(lineOf({ m: number, e: place.epoch, s: place.seq }))
  }

  gaveUp({ number }: JournalEntry): void {
    this.#lines.push(lineOf({ d: number }))
  }

  dropped({ number }: JournalEntry): void {
    const segment = this.#segments.get(number)
    if (segment === undefined) return
    this.#segments.delete(number)
    segment.numbers.delete(number)
    if (segment.numbers.size > 0) return
    if (segment !== this.#open?.segment) remove(segment)
    else if (this.#fresh.length === 0) this.#end()
  }

  flush(): void {
    if (this.#lines.length === 0 || this.#failed) return
    const text = this.#lines.join('')
    const fresh = this.#fresh
    this.#lines = []
    this.#fresh = []
    try {
      this.#open ??= this.#begin()
      const { segment, file } = this.#open
      this.#open.bytes += writeSync(file, text)
      for (const number of fresh) {
        segment.numbers.add(number)
        this.#segments.set(number, segment)
      }
      if (this.#open.bytes > segmentBytes) this.#end()
    } catch (thrown) {
      this.#failed = true
      this.#options.onTrouble(thrown)
    }
  }

  close(): void {
    this.flush()
    this.#end()
    openWriters.delete(this.#options.header.writerId)
  }

  #begin(): { readonly segment: Segment; readonly file: number; bytes: number } {
    const { directory, header } = this.#options
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#count += 1
    const path = join(directory, `${header.writerId}.${this.#count}${journalSuffix}`)
    // It holds whatever people feed their runs.
    const file = openSync(path, 'a', 0o600)
    const bytes = writeSync(file, lineOf(header))
    return { segment: { path, numbers: new Set() }, file, bytes }
  }

  #end(): void {
    if (this.#open === null) return
    const { segment, file } = this.#open
    this.#open = null
    closeSync(file)
    if (segment.numbers.size === 0) remove(segment)
  }
}

export const journalSuffix = '.journal'

const remove = ({ path }: Segment): void => rmSync(path, { force: true })

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0')

const lineOf = (line: JournalLine): string => {
  const text = JSON.stringify(line)
  return `${sumOf(text)} ${text}\n`
}

/** The line as it was written; null for one that is damaged, or cut off. */
export function readLine(line: string): JournalLine | null {
  const text = line.slice(9)
  if (line[8] !== ' ' || sumOf(text) !== line.slice(0, 8)) return null
  // What carries its checksum was written by `lineOf`.
  return JSON.parse(text) as JournalLine
}
