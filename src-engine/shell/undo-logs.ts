/**
 * Undo steps on disk: one file per document, to which lines are added as it is edited. Each line carries a sum
 * of its text, so that one that was damaged or half written is known as such, and only costs itself.
 */

import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { undoLogsMax } from '../model/limits.ts'
import type { InputOf, OutputOf } from '../protocol/api.ts'
import { fileError, isSystemError, writeFileAtomically } from './atomic-file.ts'
import { createTurns } from './in-turn.ts'

export interface UndoLogs {
  /** Adds lines; when others than `after` are there, nothing is written. Gives how many are there then. */
  readonly append: (input: InputOf<'undo.append'>) => Promise<number>
  readonly read: (id: string) => Promise<OutputOf<'undo.read'>['lines']>
}

/** Characters of a line's sum. */
const sumLength = 16

/** Logs in a folder, which is made when there is something to keep. */
export function createUndoLogs(folder: string): UndoLogs {
  const counts = new Map<string, number>()
  const pathOf = (id: string): string => join(folder, `${id}.undo`)
  const inTurn = createTurns()
  const append = async ({ id, after, lines }: InputOf<'undo.append'>): Promise<number> => {
    const path = pathOf(id)
    const text = lines.map((line) => `${sumOf(line)}${line}\n`).join('')
    try {
      if (after === 0) {
        await mkdir(folder, { recursive: true })
        if (!counts.has(id)) await makeRoom(folder)
        await writeFileAtomically(path, text, { exclusive: false, mode: 0o600 })
      } else {
        const held = counts.get(id) ?? (await heldIn(path))
        counts.set(id, held)
        if (held !== after) return held
        await appendFile(path, text)
      }
    } catch (cause) {
      // What the file has now is found out by the next one.
      counts.delete(id)
      throw fileError(path, cause)
    }
    counts.set(id, after + lines.length)
    return after + lines.length
  }
  return {
    append: (input) => inTurn(() => append(input)),
    read: async (id) => {
      const lines = await linesIn(pathOf(id))
      return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map(checked)
    },
  }
}

const sumOf = (line: string): string => createHash('sha256').update(line).digest('hex').slice(0, sumLength)

/** The line, or null when it isn't what was written. */
function checked(line: string): string | null {
  const text = line.slice(sumLength)
  return sumOf(text) === line.slice(0, sumLength) ? text : null
}

/** How many lines can be added to; none where the last one was torn. */
async function heldIn(path: string): Promise<number> {
  const lines = await linesIn(path)
  return lines.at(-1) === '' ? lines.length - 1 : 0
}

/** The last one is empty, unless it was torn. */
async function linesIn(path: string): Promise<readonly string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return ['']
    throw fileError(path, error)
  }
}

/** Forgets the logs that were not written to for longest, until one more fits. */
async function makeRoom(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.undo'))
  if (names.length < undoLogsMax) return
  const aged = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  )
  const oldest = aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - undoLogsMax + 1)
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })))
}
