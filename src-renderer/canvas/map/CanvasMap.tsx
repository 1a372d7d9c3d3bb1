/** The small map: shown while a part of the workflow is out of view, or as the person chose. */

import type { ReactFlowState } from '@xyflow/react'
import { Panel, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useDesigner, useView } from '../../state/context.ts'
import { isMapShown } from '../../state/view-store.ts'
import { far as words } from '../../text/canvas-words.ts'
import { isFarAt } from '../far/far-level.ts'
import type { Box } from '../fit.ts'
import { isInView } from '../fit.ts'
import type { FlowNode } from '../to-flow.ts'
import styles from './CanvasMap.module.css'
import type { MapNode, MapShape, MapSight } from './map-picture.ts'
import { boundsOf, mapPath, mapShapes, mapSight } from './map-picture.ts'
import { useMapMoves } from './use-map-moves.ts'

/** On a narrower canvas, as beside the code, the cards and the tools need the room. */
const wideCanvas = 600

interface Mapped {
  readonly nodes: readonly FlowNode[]
}

export function CanvasMap(given: Mapped) {
  const designer = useDesigner()
  // The canvas itself comes first: after an edit, and while a card is dragged.
  const nodes = useDeferredValue(given.nodes)
  const bounds = useMemo(() => boundsOf(nodes.map(boxOf)), [nodes])
  const isUseful = useStore(useCallback((state: ReactFlowState) => needsMap(state, bounds), [bounds]))
  const isShown = useView(isMapShown)
  useEffect(() => designer.view.getState().setMapUseful(isUseful), [designer, isUseful])
  // From far away all of the canvas is a map.
  const isFar = useStore(({ transform }) => isFarAt(transform[2], nodes.length))
  return isShown && !isFar ? <ShownMap nodes={nodes} bounds={bounds} /> : null
}

/** Its shapes are made anew when cards change; what is seen of the canvas goes past React, with every step of a pan. */
function ShownMap({ nodes, bounds }: Mapped & { readonly bounds: Box | null }) {
  const flow = useStoreApi()
  const [shapesOf] = useState(createShapes)
  const shapes = useMemo(() => shapesOf(nodes), [shapesOf, nodes])
  const picture = useRef<SVGSVGElement>(null)
  const mask = useRef<SVGSVGElement>(null)
  const seen = useRef<MapSight | null>(null)
  const title = useId()
  useEffect(() => {
    let before: readonly unknown[] = []
    const draw = (): void => {
      const { transform, width, height } = flow.getState()
      if (before[0] === transform && before[1] === width && before[2] === height) return
      before = [transform, width, height]
      seen.current = mapSight(bounds, seenOf(flow.getState()))
      put(picture.current, 'viewBox', seen.current.viewBox)
      put(mask.current, 'viewBox', seen.current.viewBox)
      put(mask.current?.firstElementChild, 'd', seen.current.mask)
    }
    draw()
    return flow.subscribe(draw)
  }, [flow, bounds])
  useMapMoves(mask, () => seen.current?.scale ?? 0)
  return (
    <Panel position="bottom-right" className="react-flow__minimap" data-testid="canvas-map">
      <svg ref={picture} role="img" aria-labelledby={title} className={styles['picture']}>
        <title id={title}>{words.map}</title>
        {shapes.map(({ color, path }, index) => (
          // A shape has nothing of its own but its place.
          <path key={index} d={path} style={{ fill: color }} shapeRendering="crispEdges" />
        ))}
      </svg>
      <svg ref={mask} aria-hidden className={styles['mask']}>
        <path className="react-flow__minimap-mask" fillRule="evenodd" />
      </svg>
    </Panel>
  )
}

function put(element: Element | null | undefined, name: string, value: string): void {
  if (element?.getAttribute(name) !== value) element?.setAttribute(name, value)
}

const seenOf = ({ transform: [x, y, zoom], width, height }: ReactFlowState): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})

const boxOf = ({ position, width = 0, height = 0 }: FlowNode): Box => ({ ...position, width, height })

/** Whether a part is out of view: one look at the box around all of them, however many there are. */
function needsMap({ transform, width, height }: ReactFlowState, bounds: Box | null): boolean {
  if (width < wideCanvas) return false
  const [x, y, zoom] = transform
  return bounds !== null && !isInView(bounds, { x, y, zoom, width, height })
}

/** Shapes with those of before at hand. */
function createShapes() {
  let before: readonly MapShape[] = []
  return (nodes: readonly FlowNode[]): readonly MapShape[] => {
    before = mapShapes(mapNodesOf(nodes), before)
    return before
  }
}

const mapNodesOf = (nodes: readonly FlowNode[]): readonly MapNode[] =>
  nodes.filter(({ hidden }) => hidden !== true).map(mapNodeOf)

const mapNodes = new WeakMap<FlowNode, MapNode>()

/** Made once for each state of a card: of thousands, an edit changes a few. */
function mapNodeOf(node: FlowNode): MapNode {
  const known = mapNodes.get(node)
  if (known !== undefined) return known
  const isBox = node.type !== 'task' || node.data.body !== null
  const made = { color: mapColor(node), isBox, path: mapPath(boxOf(node)) }
  mapNodes.set(node, made)
  return made
}

function mapColor(node: FlowNode): string {
  if (node.type === 'scope') return 'color-mix(in srgb, var(--tone-repair) 16%, transparent)'
  if (node.type === 'frame') return 'color-mix(in srgb, var(--band-grey) 18%, transparent)'
  if (node.type !== 'task') return 'color-mix(in srgb, var(--tone-wait) 40%, transparent)'
  return `var(--cat-${node.data.spec?.category ?? 'debug'})`
}
