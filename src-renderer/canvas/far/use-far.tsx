/**
 * Whether the canvas is drawn as one picture, and what that means for React Flow: it keeps its nodes, for fitting and
 * finding, and draws none of them. Cards are pressed and boxed all the same; to move them, one comes nearer.
 */

import { useStoreApi } from '@xyflow/react'
import type { MouseEvent } from 'react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { overlaps } from '../container-box.ts'
import type { Box } from '../fit.ts'
import { frameIdOf, isNodeId } from '../flow-ids.ts'
import type { FlowEdge, FlowNode } from '../to-flow.ts'
import { farHit } from './far-drawing.ts'
import { isFarAt } from './far-level.ts'

export type FarStore = StoreApi<{
  readonly isFar: boolean
  /** What was drawn around last, on the canvas. */
  readonly drawn: Box | null
}>

interface Elements {
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
}

const noEdges: FlowEdge[] = []
const hiddenByNode = new WeakMap<FlowNode, FlowNode>()

/** The same hidden node for the same node. */
function hidden(node: FlowNode): FlowNode {
  const known = hiddenByNode.get(node)
  if (known !== undefined) return known
  const made = { ...node, hidden: true }
  hiddenByNode.set(node, made)
  return made
}

/** What React Flow is given, and what presses on the canvas mean. */
export function useFar({ nodes, edges }: Elements) {
  const designer = useDesigner()
  const [store] = useState<FarStore>(() => createStore(() => ({ isFar: false, drawn: null })))
  const isFar = useStore(store, (state) => state.isFar)
  const given = useMemo(
    () => (isFar ? { nodes: nodes.map(hidden), edges: noEdges } : { nodes, edges }),
    [isFar, nodes, edges],
  )
  const latest = useRef(nodes)
  useLayoutEffect(() => {
    latest.current = nodes
  }, [nodes])
  // The same after each edit: others would have React Flow draw itself anew.
  const handlers = useMemo(
    () => ({
      onPaneClick: (event: MouseEvent): void => {
        if (store.getState().isFar) press(designer, latest.current, event)
        else designer.view.getState().select({})
      },
      onSelectionEnd: (): void => {
        const { isFar: isPicture, drawn } = store.getState()
        if (isPicture && drawn !== null) select(designer, latest.current, drawn)
      },
    }),
    [designer, store],
  )
  // Known before React Flow is there: it takes every card in once, not near first and then hidden.
  const begin = useCallback(
    ({ zoom }: { readonly zoom: number }) => store.setState({ isFar: isFarAt(zoom, nodes.length) }),
    [store, nodes],
  )
  return { store, isFar, given, handlers, begin }
}

/** Selects what is pressed, or takes it in or out; pressed twice, it is looked at from near. */
function press(designer: Designer, nodes: readonly FlowNode[], event: MouseEvent): void {
  const { canvas, view } = designer
  const at = canvas.current?.toCanvas({ x: event.clientX, y: event.clientY })
  const hit = at === undefined ? null : farHit(nodes, at)
  if (hit === null) return view.getState().select({})
  if (event.detail > 1) return canvas.current?.fitNodes([hit])
  const { selection, select } = view.getState()
  const frame = frameIdOf(hit)
  if (frame !== null) return select({ frames: [frame] })
  const id = nodeId(hit)
  if (!(event.ctrlKey || event.metaKey)) return select({ nodes: [id] })
  const others = selection.nodes.filter((one) => one !== id)
  select({ ...selection, nodes: others.length < selection.nodes.length ? others : [...others, id] })
}

function select(designer: Designer, nodes: readonly FlowNode[], drawn: Box): void {
  const inside = nodes.filter(
    ({ id, position, width = 0, height = 0 }) =>
      isNodeId(id) && overlaps({ ...position, width, height }, drawn),
  )
  designer.view.getState().select({ nodes: inside.map(({ id }) => nodeId(id)) })
}

/** Looks from where the canvas is seen. Has no look of its own. */
export function FarWatch({
  store,
  nodes,
}: {
  readonly store: FarStore
  readonly nodes: readonly FlowNode[]
}) {
  const designer = useDesigner()
  const flow = useStoreApi<FlowNode, FlowEdge>()
  useEffect(() => {
    const look = (): void => {
      const { transform, setNodes, setEdges, userSelectionRect } = flow.getState()
      if (userSelectionRect !== null) store.setState({ drawn: onCanvas(userSelectionRect, transform) })
      const isFar = isFarAt(transform[2], nodes.length)
      if (isFar === store.getState().isFar) return
      // What is set below is heard of here, too.
      store.setState({ isFar })
      if (!isFar) return
      letGo(designer)
      // Before anything is drawn at the new zoom: hundreds of cards would be made to be thrown away.
      setNodes(nodes.map(hidden))
      setEdges(noEdges)
    }
    look()
    return flow.subscribe(look)
  }, [designer, flow, store, nodes])
  return null
}

const onCanvas = (
  { x, y, width, height }: Box,
  [left, top, zoom]: readonly [number, number, number],
): Box => ({
  x: (x - left) / zoom,
  y: (y - top) / zoom,
  width: width / zoom,
  height: height / zoom,
})

/** A card that has the keyboard gives it to the canvas. */
function letGo(designer: Designer): void {
  if ((document.activeElement?.closest('.react-flow__node') ?? null) !== null)
    designer.canvas.current?.focus()
}
