/** The small map: shown while a part of the workflow is out of view, or as the person chose. */

import type { ReactFlowState } from '@xyflow/react'
import { Panel, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useDesigner, useView } from '../../state/context.ts'
import { isMapShown } from '../../state/view-store.ts'
import { far as words } from '../../text/canvas-words.ts'
import { isFarAt } from '../far/far-level.ts'
import type { Box } from '../fit.ts'
import { hasRoomForMap, isInView } from '../fit.ts'
import type { Motion } from '../motion.ts'
import { watchMotion } from '../motion.ts'
import type { FlowNode } from '../to-flow.ts'
import styles from './CanvasMap.module.css'
import type { MapNode, MapShape, MapSight, MapSlide } from './map-picture.ts'
import { boundsOf, mapPath, mapShapes, mapShown, mapSight, paintingOf, slidesTo } from './map-picture.ts'
import { useMapMoves } from './use-map-moves.ts'

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

/**
 * Its shapes are made anew when cards change; what is seen of the canvas goes past React, with every step of a hand. While the
 * canvas is moved, at one size or to another, shapes and mask are moved as they were painted; at rest they are painted where
 * they came to.
 */
function ShownMap({ nodes, bounds }: Mapped & { readonly bounds: Box | null }) {
  const designer = useDesigner()
  const flow = useStoreApi()
  const [shapesOf] = useState(createShapes)
  const shapes = useMemo(() => shapesOf(nodes), [shapesOf, nodes])
  const surface = useRef<HTMLDivElement>(null)
  const picture = useRef<SVGSVGElement>(null)
  const mask = useRef<SVGSVGElement>(null)
  const scale = useRef(0)
  const title = useId()
  useEffect(() => {
    const layers = createLayers(picture.current, mask.current)
    const sight = (): MapSight => mapSight(bounds, seenOf(flow.getState()))
    let { transform, width, height } = flow.getState()
    let motion: Motion = 'rest'
    const see = (): void => {
      const now = sight()
      scale.current = now.scale
      if (motion === 'rest') layers.paint(now)
      else layers.see(now)
    }
    const tell = (next: Motion): void => {
      motion = next
      if (next === 'rest') layers.paint(sight())
    }
    const watch = watchMotion(transform, { after: designer.ambient.after, tell })
    see()
    const stop = flow.subscribe((state) => {
      if (state.transform === transform && state.width === width && state.height === height) return
      ;({ transform, width, height } = state)
      watch.step(transform)
      see()
    })
    return () => {
      stop()
      watch.stop()
    }
  }, [designer, flow, bounds])
  useMapMoves(surface, () => scale.current)
  return (
    <Panel position="bottom-right" className="react-flow__minimap" data-testid="canvas-map">
      <svg
        ref={picture}
        {...mapShown}
        role="img"
        aria-labelledby={title}
        className={styles['picture']}
        data-held
      >
        <title id={title}>{words.map}</title>
        {shapes.map(({ color, path }, index) => (
          // A shape has nothing of its own but its place.
          <path key={index} d={path} style={{ fill: color }} shapeRendering="crispEdges" />
        ))}
      </svg>
      <div ref={surface} className={styles['surface']}>
        <div className={styles['shade']}>
          <svg ref={mask} aria-hidden className={styles['mask']} data-testid="map-mask" data-held>
            <path className="react-flow__minimap-mask" fillRule="evenodd" />
          </svg>
        </div>
      </div>
    </Panel>
  )
}

/** Paints shapes and mask for a sight, or moves them as they were painted where that will do. */
function createLayers(picture: SVGSVGElement | null, mask: SVGSVGElement | null) {
  let painted: MapSight | null = null
  const paint = (sight: MapSight): void => {
    painted = sight
    const { viewBox, maskBox, mask: path } = paintingOf(sight)
    put(picture, 'viewBox', viewBox)
    put(mask, 'viewBox', maskBox)
    put(mask?.firstElementChild, 'd', path)
    move(picture, null)
    move(mask, null)
  }
  const see = (sight: MapSight): void => {
    const slides = painted === null ? null : slidesTo(painted, sight)
    if (slides === null) return paint(sight)
    move(picture, slides.shapes)
    move(mask, slides.mask)
  }
  return { paint, see }
}

function move(layer: SVGSVGElement | null, slide: MapSlide | null): void {
  const moved = slide === null ? '' : `translate(${slide.x}px, ${slide.y}px) scale(${slide.scale})`
  if (layer !== null && layer.style.transform !== moved) layer.style.transform = moved
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
  if (!hasRoomForMap({ width, height })) return false
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
