/** How large a frame is drawn: its own border, and at least around everything that is in it. Pure. */

import type { FrameLayout, Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { framesWithin } from '../rules/frames.ts'
import { boxOf } from './container-box.ts'
import type { Box } from './fit.ts'
import { noteSize, stateHeight } from './geometry.ts'

/** Around what is in a frame; on top its title, below the state of each card. */
export const framePadding = { side: 24, top: 52, bottom: 20 + stateHeight } as const
/** The card that stands for a collapsed frame. */
export const collapsedSize = { width: 240, height: 72 } as const
/** A frame without anything in it. */
const emptySize = { width: 320, height: 200 } as const

/** The border of a frame, open or collapsed, where it is drawn while nothing is dragged. */
export function frameBox(document: WorkflowDocument, id: string, specs: SpecsByKind): Box {
  const layout = document.layout?.frames?.[id]
  const open = openBox(document, id, specs)
  if (layout?.collapsed !== true) return open
  return { x: layout.x, y: layout.y, ...collapsedSize }
}

function openBox(document: WorkflowDocument, id: string, specs: SpecsByKind): Box {
  const layout = document.layout?.frames?.[id]
  const around = contentBox(document, id, specs)
  const own = layout === undefined ? [] : [boxAt(layout)]
  const all = around === null ? own : [...own, around]
  return all.length === 0 ? { x: 0, y: 0, ...emptySize } : unionOf(all)
}

/** The smallest border around what is in a frame; null for an empty one. */
function contentBox(document: WorkflowDocument, id: string, specs: SpecsByKind): Box | null {
  const frame = document.frames?.[id]
  if (frame === undefined) return null
  const nodes = frame.nodes
    .filter((node) => document.nodes[node] !== undefined)
    .map((node) => boxOf(document, node, specs))
  const notes = (frame.notes ?? []).flatMap((note) => {
    const at = document.layout?.notes?.[note]
    return at === undefined ? [] : [{ ...noteSize, ...at }]
  })
  const inner = framesWithin(document, id)
    .filter((one) => document.frames?.[one]?.parent === id)
    .map((one) => frameBox(document, one, specs))
  const all = [...nodes, ...notes, ...inner]
  return all.length === 0 ? null : padded(unionOf(all))
}

/** The border of a new frame around these. */
export const frameAround = (boxes: readonly Box[]): FrameLayout =>
  boxes.length === 0 ? { x: 0, y: 0, ...emptySize } : padded(unionOf(boxes))

const padded = ({ x, y, width, height }: Box): Box => ({
  x: x - framePadding.side,
  y: y - framePadding.top,
  width: width + 2 * framePadding.side,
  height: height + framePadding.top + framePadding.bottom,
})

/** The border of its own that a frame has. */
export const boxAt = ({ x, y, width, height }: FrameLayout): Box => ({ x, y, width, height })

function unionOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

/** The innermost open frame under a point, apart from some; null for the canvas. */
export function frameAt(
  document: WorkflowDocument,
  at: Point,
  options: { readonly specs: SpecsByKind; readonly apart: ReadonlySet<string> },
): string | null {
  const found = Object.keys(document.frames ?? {}).filter((id) => {
    if (options.apart.has(id) || document.layout?.frames?.[id]?.collapsed === true) return false
    const { x, y, width, height } = frameBox(document, id, options.specs)
    return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height
  })
  // The smaller one lies inside of the other.
  const areaOf = (id: string): number => {
    const { width, height } = frameBox(document, id, options.specs)
    return width * height
  }
  return found.toSorted((left, right) => areaOf(left) - areaOf(right))[0] ?? null
}
