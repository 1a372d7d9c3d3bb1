/**
 * A workflow as a small picture: a tile for each step, further right the more steps come before it, and as high
 * as it stands on the canvas. Pure.
 */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { graphRows } from '../../rules/graph-order.ts'

/** Width and height of a tile, in the units of the picture. */
export const tileSize = 56
const columnWidth = 92
/** How much less high than the canvas it is. */
const flatness = 0.5
const margin = 26
/** A short workflow isn't drawn larger than one of so many steps. */
const columnsMin = 6

export interface MiniatureTile {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly category: string
  readonly icon: string | undefined
  /** How many steps come before it on the longest way. */
  readonly rank: number
  /** Whether the step says what undoes it. */
  readonly isUndone: boolean
}

export interface Miniature {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly tiles: readonly MiniatureTile[]
  readonly edges: readonly { readonly id: string; readonly path: string; readonly rank: number }[]
}

/** Null for a workflow without steps. */
export function miniatureOf(document: WorkflowDocument): Miniature | null {
  const places = document.layout?.nodes ?? {}
  const tiles = ranked(document).flatMap(([id, rank]): readonly MiniatureTile[] => {
    const node = document.nodes[id]
    if (node === undefined) return []
    const spec = taskSpecsByKind.get(node.kind)
    const place = { x: rank * columnWidth, y: (places[id]?.y ?? 0) * flatness }
    const isUndone = node.compensation !== undefined
    return [{ ...place, id, rank, isUndone, category: spec?.category ?? 'unknown', icon: spec?.icon }]
  })
  if (tiles.length === 0) return null
  const byId = new Map(tiles.map((tile) => [tile.id, tile]))
  const edges = Object.entries(document.edges).flatMap(([id, { from, to }]) => {
    const [source, target] = [byId.get(from.node), byId.get(to.node)]
    if (source === undefined || target === undefined) return []
    return [{ id, path: pathOf(source, target), rank: target.rank }]
  })
  return { box: boxOf(tiles), tiles, edges }
}

/** Ids of steps with how many come before them, in the order of the work. */
function ranked(document: WorkflowDocument): readonly (readonly [NodeId, number])[] {
  const ranks = new Map<NodeId, number>()
  for (const { id, before } of graphRows(document)) {
    const known = before.flatMap((one) => ranks.get(one) ?? [])
    ranks.set(id, known.length === 0 ? 0 : Math.max(...known) + 1)
  }
  return [...ranks]
}

type Corner = Pick<MiniatureTile, 'x' | 'y'>

function pathOf(source: Corner, target: Corner): string {
  const [x1, y1] = [source.x + tileSize, source.y + tileSize / 2]
  const [x2, y2] = [target.x, target.y + tileSize / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

/** Around all tiles, in the middle of what is at least as wide as a longer workflow. */
function boxOf(tiles: readonly Corner[]): Miniature['box'] {
  const [xs, ys] = [tiles.map(({ x }) => x), tiles.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const inner = Math.max(...xs) - left + tileSize
  const width = Math.max(inner, (columnsMin - 1) * columnWidth + tileSize) + 2 * margin
  const height = Math.max(...ys) - top + tileSize + 2 * margin
  return { x: left - (width - inner) / 2, y: top - margin, width, height }
}
