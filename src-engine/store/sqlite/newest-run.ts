/**
 * The greatest run id in the data. Ids begin with the time of their making, so that of a run which is being made
 * is nearly always greater, and then the data needn't be asked whether it has one.
 */

import type { RunId } from '../../model/ids.ts'
import type { Database } from './connection.ts'

export interface NewestRun {
  /** Whether no run has this id for sure. */
  readonly isBelow: (id: RunId) => boolean
  /** The same without asking the data: false when the newest run isn't known. */
  readonly isKnownBelow: (id: RunId) => boolean
  /** A run with this id is being written. */
  readonly made: (id: RunId) => void
  /** Another process wrote, or a transaction was undone. */
  readonly forget: () => void
}

/** From here on the order of JavaScript's text isn't that of the bytes in an index. */
const incomparable = /[\ud800-\uffff]/

export function createNewestRun(database: Database): NewestRun {
  const greatest = database.prepare<[], RunId>('select max(id) from run').pluck()
  let newest: RunId | null = null
  let isComparable = false
  const keep = (id: RunId): void => {
    newest = id
    isComparable = !incomparable.test(id)
  }
  const isKnownBelow = (id: RunId): boolean => newest !== null && isComparable && newest < id
  return {
    isBelow(id) {
      if (newest === null) keep(greatest.get() ?? ('' as RunId))
      return isKnownBelow(id)
    },
    isKnownBelow,
    made(id) {
      if (newest !== null && newest < id) keep(id)
    },
    forget() {
      newest = null
    },
  }
}
