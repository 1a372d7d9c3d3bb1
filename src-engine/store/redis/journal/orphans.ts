/** Journals that processes left behind that are gone: whoever comes next to the same directory goes on with them. */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { StoreId } from '../../../model/ids.ts'
import { opId } from '../../../model/ids.ts'
import { layoutFormat } from '../layout.ts'
import type { JournalHeader, JournalLine } from './journal-file.ts'
import { isOpenWriter, journalSuffix, readLine } from './journal-file.ts'
import type { Noted } from './op-journal.ts'
import { rebuiltUnit } from './rebuilt-unit.ts'

/** An operation of a process that is gone. */
type OrphanNote = Noted & { readonly partition: number }

/** What was left. */
export interface Orphans {
  readonly noted: readonly OrphanNote[]
  /** Lines that could not be read; the last one of a process that was killed often can't. */
  readonly damaged: number
  /** Files that belong to another store, or have the form of another version: they are left as they are. */
  readonly foreign: readonly string[]
  /** Removes the files that were read; call it when their content is written down elsewhere. */
  readonly forget: () => void
}

/** Reads what processes of this machine left in the directory, in the order in which each wrote it. */
export function readOrphans(directory: string, storeId: StoreId): Orphans {
  const paths: string[] = []
  const foreign: string[] = []
  const byWriter = new Map<string, ByNumber>()
  let damaged = 0
  for (const name of journalsIn(directory)) {
    const path = join(directory, name)
    const read = readFile(path)
    if (read === null) damaged += 1
    else if (read.header.storeId !== storeId || read.header.form !== layoutFormat) foreign.push(path)
    else if (isGone(read.header)) {
      const { writerId } = read.header
      const own: ByNumber = byWriter.get(writerId) ?? new Map()
      byWriter.set(writerId, own)
      // What is told of an operation may stand in a later file than the operation.
      for (const line of read.lines) take(own, line)
      damaged += read.damaged
      paths.push(path)
    }
  }
  const noted = [...byWriter.values()].flatMap((own) => [...own.values()])
  const forget = (): void => {
    for (const path of paths) rmSync(path, { force: true })
  }
  return { noted, damaged, foreign, forget }
}

/** By age: a process's files are numbered. */
function journalsIn(directory: string): readonly string[] {
  let names: readonly string[]
  try {
    names = readdirSync(directory)
  } catch {
    return []
  }
  const journals = names.filter((name) => name.endsWith(journalSuffix))
  return journals.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** One of another machine is that machine's matter; a process with the own number can only be an earlier one. */
function isGone({ host, pid, writerId }: JournalHeader): boolean {
  if (host !== hostname()) return false
  if (pid === process.pid) return !isOpenWriter(writerId)
  try {
    process.kill(pid, 0)
    return false
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH'
  }
}

/** Operations of one process by their number. */
type ByNumber = Map<number, OrphanNote>

interface ReadFile {
  readonly header: JournalHeader
  readonly lines: readonly JournalLine[]
  readonly damaged: number
}

/** Null for a file whose first line can't be read: nobody knows whose it is. */
function readFile(path: string): ReadFile | null {
  const [first = '', ...texts] = readFileSync(path, 'utf8').split('\n')
  const header = readLine(first)
  if (header === null || !('journal' in header)) return null
  const read = texts.filter((text) => text !== '').map(readLine)
  const lines = read.filter((line) => line !== null)
  return { header, lines, damaged: read.length - lines.length }
}

function take(byNumber: ByNumber, line: JournalLine): void {
  if ('n' in line) {
    const { n, p, e, s, o, t, u } = line
    byNumber.set(n, { partition: p, opId: opId(o), at: t, place: { epoch: e, seq: s }, unit: u })
  } else if ('m' in line) {
    const known = byNumber.get(line.m)
    if (known === undefined) return
    const unit = rebuiltUnit(known.unit, known.place.epoch, line.e)
    byNumber.set(line.m, { ...known, unit, place: { epoch: line.e, seq: line.s } })
  } else if ('d' in line) byNumber.delete(line.d)
}

/** How many processes left journals behind that nobody has taken over. */
export function countLeftJournals(directory: string, storeId: StoreId): number {
  const writers = new Set<string>()
  for (const name of journalsIn(directory)) {
    const header = readFile(join(directory, name))?.header
    if (header?.storeId === storeId && isGone(header)) writers.add(header.writerId)
  }
  return writers.size
}
