/**
 * Undo steps as lines of a log. A line says how the stacks of done and undone steps differ from those of the
 * line before, and which document they belong to. What a damaged line held is lost, with what lies below it:
 * the newest steps are the ones that matter. Pure.
 */

import { z } from 'zod'
import type { Step } from '../../commands/edit.ts'

/** The stacks of a document, and which of their steps its file has. */
export interface Stacks {
  /** Oldest first. */
  readonly past: readonly Step[]
  /** The next to redo first. */
  readonly future: readonly Step[]
  readonly saved: Step | null | 'never'
}

/** What is known of the lines written so far. */
export interface LogWriter {
  /** The stacks as the last line left them. */
  stacks: Stacks
  /** The document of the last line. */
  digest: string
  readonly numbers: Map<Step, number>
}

/** Nothing is written yet; `past` is never going to be. */
export const newWriter = (past: readonly Step[] = []): LogWriter => ({
  stacks: { past, future: [], saved: 'never' },
  digest: '',
  numbers: new Map(),
})

const savedAsOpened = 0
const savedNever = -1

const patch = z.object({
  op: z.enum(['replace', 'remove', 'add']),
  path: z.array(z.union([z.string(), z.number()])),
  value: z.unknown().optional(),
})
const step = z.object({
  label: z.string(),
  gesture: z.string().nullable(),
  patches: z.array(patch),
  inverse: z.array(patch),
})
const line = z.object({
  /** Of the document. */
  digest: z.string(),
  /** How many of the done steps stay, from the oldest, and which come on top. */
  kept: z.int().nonnegative(),
  done: z.array(z.int()),
  /** How many of the undone steps stay, from the last to redo, and which come before them. */
  left: z.int().nonnegative(),
  undone: z.array(z.int()),
  saved: z.int(),
  /** Steps that were not written before, by their numbers. */
  steps: z.record(z.string(), step),
})
type Line = z.infer<typeof line>

/** The next line; null when nothing changed. The writer knows it as written from then on. */
export function nextLine(writer: LogWriter, stacks: Stacks, digest: string): string | null {
  const { stacks: before, numbers } = writer
  const kept = sameAtStart(before.past, stacks.past)
  const left = sameAtEnd(before.future, stacks.future)
  const isSame = before.past.length === kept && before.future.length === left
  const adds = stacks.past.length > kept || stacks.future.length > left
  if (isSame && !adds && before.saved === stacks.saved && writer.digest === digest) return null
  const steps: Record<string, Step> = {}
  const numberOf = (one: Step): number => {
    const known = numbers.get(one)
    if (known !== undefined) return known
    const number = numbers.size + 1
    numbers.set(one, number)
    steps[number] = one
    return number
  }
  const done = stacks.past.slice(kept).map(numberOf)
  const undone = stacks.future.slice(0, stacks.future.length - left).map(numberOf)
  const { saved } = stacks
  const savedAt =
    saved === null ? savedAsOpened : saved === 'never' ? savedNever : (numbers.get(saved) ?? savedNever)
  writer.stacks = stacks
  writer.digest = digest
  return JSON.stringify({ digest, kept, done, left, undone, saved: savedAt, steps })
}

function sameAtStart(before: readonly Step[], now: readonly Step[]): number {
  let count = Math.min(before.length, now.length)
  // Stacks change at their top: what is the same there is the same below it.
  while (count > 0 && before[count - 1] !== now[count - 1]) count -= 1
  return count
}

function sameAtEnd(before: readonly Step[], now: readonly Step[]): number {
  let count = Math.min(before.length, now.length)
  while (count > 0 && before[before.length - count] !== now[now.length - count]) count -= 1
  return count
}

/** The stacks that belong to a document, by each digest that it may have there, as the lines left them last; null when they never belonged to it. */
export function stacksIn(lines: readonly (string | null)[], digests: readonly string[]): Stacks | null {
  const reader = newReader()
  let found: Stacks | null = null
  for (const text of lines) {
    const read = readLine(text)
    if (read === null) loseAll(reader)
    else {
      takeLine(reader, read)
      if (digests.includes(read.digest)) found = stacksOf(reader, read)
    }
  }
  return found
}

/** A stack of which the lower part may be unknown. */
interface Reader {
  readonly steps: Map<number, Step>
  past: (readonly [number, Step])[]
  /** Done steps below the known ones. */
  pastLost: number
  future: (readonly [number, Step])[]
  /** Undone steps behind the known ones. */
  futureLost: number
  /** At the start, and after a line that could not be read: the next one tells how many steps there are. */
  isLost: boolean
}

const newReader = (): Reader => ({
  ...{ steps: new Map(), past: [], pastLost: 0, future: [], futureLost: 0, isLost: true },
})

function loseAll(reader: Reader): void {
  reader.past = []
  reader.future = []
  reader.isLost = true
}

function takeLine(reader: Reader, { kept, done, left, undone, steps }: Line): void {
  for (const [number, one] of Object.entries(steps)) reader.steps.set(Number(number), one)
  if (reader.isLost) {
    reader.pastLost = kept
    reader.futureLost = left
    reader.isLost = false
  }
  reader.past = reader.past.slice(0, Math.max(0, kept - reader.pastLost))
  reader.pastLost = Math.min(reader.pastLost, kept)
  const gone = reader.future.length + reader.futureLost - left
  reader.future = reader.future.slice(Math.max(0, gone))
  reader.futureLost = Math.min(reader.futureLost, left)
  for (const number of done) push(reader, number)
  for (const number of undone.toReversed()) unshift(reader, number)
}

function push(reader: Reader, number: number): void {
  const one = reader.steps.get(number)
  if (one !== undefined) return void reader.past.push([number, one])
  reader.pastLost += reader.past.length + 1
  reader.past = []
}

function unshift(reader: Reader, number: number): void {
  const one = reader.steps.get(number)
  if (one !== undefined) return void reader.future.unshift([number, one])
  reader.futureLost += reader.future.length + 1
  reader.future = []
}

function stacksOf({ past, pastLost, future }: Reader, { saved }: Line): Stacks {
  const known = [...past, ...future].find(([number]) => number === saved)
  const isAsOpened = saved === savedAsOpened && pastLost === 0
  return {
    past: past.map(([, one]) => one),
    future: future.map(([, one]) => one),
    saved: isAsOpened ? null : (known?.[1] ?? 'never'),
  }
}

function readLine(text: string | null): Line | null {
  try {
    return text === null ? null : line.parse(JSON.parse(text))
  } catch {
    // Written by another version, or by nobody.
    return null
  }
}
