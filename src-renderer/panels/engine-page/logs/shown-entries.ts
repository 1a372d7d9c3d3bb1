/** Which entries are shown: what was found, what has come since, and what is being printed. Pure. */

import type { Instant } from '../../../../src-engine/model/time.ts'
import type { LogEntry, LogPage } from '../../../../src-engine/protocol/history.ts'

/** More than these nobody reads, and a page keeps. */
export const entriesMax = 2_000

export interface ShownEntries {
  /** Newest first, each once. */
  readonly entries: readonly LogEntry[]
  /** Of steps that are under way. */
  readonly printing: readonly LogEntry[]
  readonly next: string | null
  readonly since: Instant | null
  readonly cursor: string
  /** Whether older ones were let go for newer ones. */
  readonly isCut: boolean
}

export const firstEntries = ({ entries, printing, next, since, cursor }: LogPage): ShownEntries => ({
  ...{ entries, printing, next, since, cursor },
  isCut: false,
})

/** With the older ones that a further answer has. Lines stand where their step ended: they may belong in between. */
export function withOlder(shown: ShownEntries, { entries, next, since }: LogPage): ShownEntries {
  return { ...shown, entries: united(shown.entries, entries), next, since }
}

/** With what has come since; the newest stay where there are too many. */
export function withNews(shown: ShownEntries, { entries, printing, cursor }: LogPage): ShownEntries {
  const all = united(shown.entries, entries)
  if (all.length <= entriesMax) return { ...shown, entries: all, printing, cursor }
  // Where the older ones went, there is no going on.
  return { ...shown, entries: all.slice(0, entriesMax), printing, cursor, next: null, isCut: true }
}

/** What is printed by now stands among the others. */
export const allOf = ({ entries, printing }: ShownEntries): readonly LogEntry[] =>
  printing.length === 0 ? entries : united(entries, printing)

function united(shown: readonly LogEntry[], more: readonly LogEntry[]): readonly LogEntry[] {
  if (more.length === 0) return shown
  const known = new Set(shown.map(({ id }) => id))
  const fresh = more.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return shown
  // Of the same instant what came later is the one that was answered with later.
  return [...fresh, ...shown].toSorted((a, b) => b.at - a.at)
}
