/** What the canvas draws of frames: borders, and cards for the collapsed ones. Pure. */

import type { Node } from '@xyflow/react'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import type { Hidden } from '../rules/frames.ts'
import { contentsOf, framesAround } from '../rules/frames.ts'
import type { Selection } from '../state/view-store.ts'
import { frames as words } from '../text/canvas-words.ts'
import { frameFlowId } from './flow-ids.ts'
import { frameBox } from './frame-box.ts'
import { noHandles, sideHandles } from './handles.ts'

export interface FrameData extends Record<string, unknown> {
  readonly title: string
  readonly color: string | null
  readonly isCollapsed: boolean
  readonly isReadOnly: boolean
  /** Ids of the nodes in it, joined by spaces. */
  readonly nodes: string
}

export type FrameFlowNode = Node<FrameData, 'frame'>

/** Below groups and bodies, above nothing but the canvas; inner frames above outer ones. */
const framesDown = -400

/** The frames that are seen. */
export function frameNodes(input: {
  readonly document: WorkflowDocument
  readonly selection: Selection
  readonly specs: SpecsByKind
  readonly isReadOnly: boolean
  readonly dragged: ReadonlyMap<string, Point>
  readonly hidden: Hidden
}): readonly FrameFlowNode[] {
  const { document, dragged, hidden, isReadOnly } = input
  const selected = new Set(input.selection.frames)
  return Object.entries(document.frames ?? {}).flatMap(([id, frame]) => {
    if (hidden.frames.has(id)) return []
    const { x, y, width, height } = {
      ...frameBox(document, id, input.specs),
      ...dragged.get(frameFlowId(id)),
    }
    const isCollapsed = document.layout?.frames?.[id]?.collapsed === true
    const title = frame.title === '' ? words.untitled : frame.title
    return {
      id: frameFlowId(id),
      type: 'frame' as const,
      position: { x, y },
      width,
      height,
      measured: { width, height },
      handles: isCollapsed ? sideHandles({ width, height }) : noHandles,
      zIndex: isCollapsed ? 0 : framesDown + framesAround(document, id).length,
      selected: selected.has(id),
      draggable: !isReadOnly,
      connectable: false,
      ariaLabel: `${words.title}: ${title}`,
      // What lies under an open frame takes the pointer; only its title and its corners are its own.
      style: { pointerEvents: isCollapsed ? ('all' as const) : ('none' as const) },
      data: {
        title,
        color: frame.color ?? null,
        isCollapsed,
        isReadOnly,
        nodes: contentsOf(document, id).nodes.join(' '),
      },
    }
  })
}
