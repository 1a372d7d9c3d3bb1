/** The small map: shown while a part of the workflow is out of view, or as the person chose. */

import type { ReactFlowState } from '@xyflow/react'
import { MiniMap, useStore } from '@xyflow/react'
import { useEffect } from 'react'
import { useDesigner, useView } from '../state/context.ts'
import { isMapShown } from '../state/view-store.ts'
import { isFarAt } from './far/far-level.ts'
import { isInView } from './fit.ts'
import type { FlowNode } from './to-flow.ts'

/** On a narrower canvas, as beside the code, the cards and the tools need the room. */
const wideCanvas = 600

export function CanvasMap() {
  const designer = useDesigner()
  const isUseful = useStore(needsMap)
  const isShown = useView(isMapShown)
  useEffect(() => designer.view.getState().setMapUseful(isUseful), [designer, isUseful])
  // From far away all of the canvas is a map.
  const isFar = useStore(({ transform, nodes }) => isFarAt(transform[2], nodes.length))
  if (!isShown || isFar) return null
  return (
    <MiniMap<FlowNode>
      pannable
      zoomable
      ariaLabel="Map of the workflow"
      nodeColor={mapColor}
      nodeBorderRadius={10}
    />
  )
}

function needsMap({ transform, width, height, nodes }: ReactFlowState): boolean {
  if (width < wideCanvas) return false
  const [x, y, zoom] = transform
  return nodes.some(
    (node) =>
      !isInView(
        { ...node.position, width: node.width ?? 0, height: node.height ?? 0 },
        { x, y, zoom, width, height },
      ),
  )
}

function mapColor(node: FlowNode): string {
  if (node.type === 'scope') return 'color-mix(in srgb, var(--tone-repair) 16%, transparent)'
  if (node.type === 'frame') return 'color-mix(in srgb, var(--band-grey) 18%, transparent)'
  if (node.type !== 'task') return 'color-mix(in srgb, var(--tone-wait) 40%, transparent)'
  return `var(--cat-${node.data.spec?.category ?? 'debug'})`
}
