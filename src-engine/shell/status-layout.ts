/** Where the statuses of a machine stand in its picture: columns from the first status to the final ones. */

import type { MachineTable } from '../model/machine.ts'
import { exitsOf } from '../model/machine.ts'

/** Any machine, as far as drawing needs it. */
export interface DrawableMachine {
  readonly name: string
  readonly table: MachineTable<string, string>
  readonly statuses: readonly string[]
}

export interface StatusCard {
  readonly status: string
  readonly column: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly badges: readonly StatusBadge[]
  /** One line each: the target, and who alone may take that exit. */
  readonly exits: readonly { readonly target: string; readonly by: string }[]
}

export interface StatusBadge {
  readonly flag: 'start' | 'acquires' | 'requires' | 'releases' | 'overrides' | 'available' | 'final'
  readonly label: string
}

export interface StatusLayout {
  readonly cards: readonly StatusCard[]
  readonly width: number
  readonly height: number
}

const card = { width: 262, header: 34, badgeRow: 22, exitLine: 15, padding: 10 } as const
const gap = { column: 96, row: 22 } as const
const margin = { left: 28, top: 84, right: 76, bottom: 76 } as const
/** Badges that fit side by side in a card. */
const badgesPerRow = 3

/** Lays the statuses out: distance from a start, the final ones last, neighbours near each other. */
export function layOutStatuses(machine: DrawableMachine): StatusLayout {
  const columns = orderedColumns(machine, columnsOf(machine))
  const heights = columns.map((column) => columnHeight(machine, column))
  const tallest = Math.max(...heights)
  const cards = columns.flatMap((column, index) => {
    let y = margin.top + (tallest - (heights[index] ?? 0)) / 2
    return column.map((status): StatusCard => {
      const height = cardHeight(machine, status)
      const x = margin.left + index * (card.width + gap.column)
      const placed = { status, column: index, x, y, width: card.width, height }
      y += height + gap.row
      return { ...placed, badges: badgesOf(machine, status), exits: exitLines(machine, status) }
    })
  })
  const width = margin.left + columns.length * (card.width + gap.column) - gap.column + margin.right
  return { cards, width, height: margin.top + tallest + margin.bottom }
}

/** The flags of a status, in a fixed order. */
export function badgesOf(machine: DrawableMachine, status: string): readonly StatusBadge[] {
  const row = machine.table.rows[status]
  const badges: StatusBadge[] = []
  if (row === undefined) return badges
  if (machine.table.initial.includes(status)) badges.push({ flag: 'start', label: 'start' })
  for (const flag of ['acquires', 'requires', 'releases', 'available', 'final'] as const) {
    if (row[flag] === true) badges.push({ flag, label: flag })
  }
  if (row.overrides !== undefined) badges.push({ flag: 'overrides', label: `by ${row.overrides.join(', ')}` })
  return badges
}

/** The exits of a status in the order of the table. */
export function exitLines(
  machine: DrawableMachine,
  status: string,
): readonly { readonly target: string; readonly by: string }[] {
  return (machine.table.rows[status]?.to ?? []).map((exit) =>
    typeof exit === 'string' ? { target: exit, by: '' } : { target: exit.status, by: exit.by.join(', ') },
  )
}

/** Rows of badges in a card; one that names actors has a row of its own. */
export function badgeRows(badges: readonly StatusBadge[]): readonly (readonly StatusBadge[])[] {
  const plain = badges.filter((badge) => badge.flag !== 'overrides')
  const rows: StatusBadge[][] = []
  for (let index = 0; index < plain.length; index += badgesPerRow)
    rows.push(plain.slice(index, index + badgesPerRow))
  for (const badge of badges) if (badge.flag === 'overrides') rows.push([badge])
  return rows
}

function cardHeight(machine: DrawableMachine, status: string): number {
  const rows = badgeRows(badgesOf(machine, status)).length
  const exits = exitLines(machine, status).length
  return card.header + rows * card.badgeRow + (exits === 0 ? 0 : exits * card.exitLine + 6) + card.padding
}

function columnHeight(machine: DrawableMachine, column: readonly string[]): number {
  const heights = column.map((status) => cardHeight(machine, status))
  return heights.reduce((sum, height) => sum + height, 0) + Math.max(0, column.length - 1) * gap.row
}

/** Distance from a start; final statuses stand together at the end. */
function columnsOf(machine: DrawableMachine): string[][] {
  const distances = new Map(machine.table.initial.map((status) => [status, 0]))
  const open = [...machine.table.initial]
  for (let status = open.shift(); status !== undefined; status = open.shift()) {
    const row = machine.table.rows[status]
    if (row === undefined) continue
    for (const target of exitsOf(row)) {
      if (distances.has(target)) continue
      distances.set(target, (distances.get(status) ?? 0) + 1)
      open.push(target)
    }
  }
  const isFinal = (status: string): boolean => machine.table.rows[status]?.final === true
  const moving = machine.statuses.filter((status) => !isFinal(status))
  const last = Math.max(...moving.map((status) => distances.get(status) ?? 0)) + 1
  const columns: string[][] = Array.from({ length: last + 1 }, () => [])
  for (const status of machine.statuses)
    columns[isFinal(status) ? last : (distances.get(status) ?? 0)]?.push(status)
  return columns.filter((column) => column.length > 0)
}

/** Sorts each column by the mean place of its neighbours in the one before, as layered drawings do. */
function orderedColumns(machine: DrawableMachine, columns: string[][]): readonly (readonly string[])[] {
  for (let index = 1; index < columns.length; index += 1) {
    const before = columns[index - 1] ?? []
    const place = (status: string): number => {
      const sources = before.flatMap((from, at) => {
        const row = machine.table.rows[from]
        return row !== undefined && exitsOf(row).includes(status) ? [at] : []
      })
      return sources.length === 0 ? before.length : sources.reduce((sum, at) => sum + at, 0) / sources.length
    }
    columns[index] = (columns[index] ?? []).toSorted((a, b) => place(a) - place(b))
  }
  return columns
}
