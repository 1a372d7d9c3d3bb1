/** A rehearsal as rows and columns, with its words and the way through it by keys. Pure. */

import { CircleDashed, ShieldAlert } from 'lucide-react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type {
  FailureMode,
  Rehearsal,
  RehearsalCell,
  RehearsedEnd,
} from '../../../src-engine/protocol/rehearsal.ts'
import { failureModes } from '../../../src-engine/protocol/rehearsal.ts'
import type { StatusStyle } from '../../status/status-style.ts'
import { invocationStyle, runStyle } from '../../status/status-style.ts'
import { fill } from '../../text/messages.ts'
import { rehearsalWords as words } from '../../text/rehearsal-words.ts'

export interface MatrixRow {
  readonly nodeId: NodeId
  /** In the order of the columns; null where nothing was to be tried. */
  readonly cells: readonly (RehearsalCell | null)[]
}

/** One row for each step, in the order of the document. */
export function rowsOf({ cells }: Pick<Rehearsal, 'cells'>): readonly MatrixRow[] {
  return [...Map.groupBy(cells, ({ nodeId }) => nodeId)].map(([nodeId, own]) => ({
    nodeId,
    cells: failureModes.map((mode) => own.find((cell) => cell.mode === mode) ?? null),
  }))
}

const notReached: StatusStyle = {
  label: words.notReached,
  tone: 'muted',
  icon: CircleDashed,
  isMoving: false,
}
const breaksRule: StatusStyle = { label: words.breaks, tone: 'bad', icon: ShieldAlert, isMoving: false }

/** How a rehearsed run ended. */
export function endLook({ status, asks, violations }: RehearsedEnd): StatusStyle {
  if (violations.length > 0) return breaksRule
  if (status === null) return notReached
  if (asks.length > 0 && status !== 'COMPENSATION_FAILED') return invocationStyle.APPROVAL_REQUIRED
  return { ...runStyle[status], isMoving: false }
}

/** What a cell says of what stays; null when nothing does. */
export const stayWords = ({ stays }: RehearsedEnd): string | null =>
  stays.length === 0 ? null : fill(words.stay, { count: stays.length })

/** The one sentence about all of it. */
export function summaryOf({ cells, violations }: Pick<Rehearsal, 'cells' | 'violations'>): string {
  const count = cells.filter(({ reached }) => reached).length
  if (violations > 0) return fill(words.broken, { count, violations })
  return count === 1 ? words.oneSound : fill(words.sound, { count })
}

/** How the workflow ends with nothing going wrong, where that is not well; null where it is. */
export function calmWords(calm: RehearsedEnd, titlesOf: (ids: readonly NodeId[]) => string): string | null {
  const { status, asks, error } = calm
  if (status === 'SUCCEEDED') return null
  if (asks.length > 0) return fill(words.calmAsks, { titles: titlesOf(asks) })
  const end = endLook(calm).label
  return error === null ? fill(words.calmUnsaid, { end }) : fill(words.calm, { end, message: error.message })
}

/** What a cell is about: “Charge” times out. */
export const happensWords = (mode: FailureMode, title: string): string => fill(words.happens[mode], { title })

/** A place in the matrix; column 0 is the step's name. */
export interface GridPlace {
  readonly row: number
  readonly column: number
}

const steps: Readonly<Record<string, GridPlace>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}

/** Where a key leads, over cells that are empty; null where it leads nowhere. */
export function placeAfterKey(rows: readonly MatrixRow[], from: GridPlace, key: string): GridPlace | null {
  const isThere = ({ row, column }: GridPlace): boolean => {
    const found = rows[row]
    return found !== undefined && (column === 0 || (found.cells[column - 1] ?? null) !== null)
  }
  if (key === 'Home') return { row: from.row, column: 0 }
  if (key === 'End') {
    const last = rows[from.row]?.cells.findLastIndex((cell) => cell !== null) ?? -1
    return { row: from.row, column: last + 1 }
  }
  const step = steps[key]
  if (step === undefined) return null
  let at = { row: from.row + step.row, column: from.column + step.column }
  while (at.row >= 0 && at.row < rows.length && at.column >= 0 && at.column <= failureModes.length) {
    if (isThere(at)) return at
    at = { row: at.row + step.row, column: at.column + step.column }
  }
  return null
}
