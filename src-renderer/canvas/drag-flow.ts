/**
 * Puts what a hand drags where it is, in React Flow's store and past React: thousands of other cards, their edges and the
 * map are left alone. What is let go of goes back to the place that the document has for it.
 */

import type { InternalNode, ReactFlowState } from '@xyflow/react'
import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { Point } from '../../src-engine/model/workflow.ts'
import type { Box } from './fit.ts'
import type { DragSight, DragStore } from './use-dragging.ts'

/** What of React Flow's store is asked and told. */
interface Flow {
  readonly getState: () => Pick<ReactFlowState, 'nodeLookup'>
  readonly setState: (state: Partial<ReactFlowState>) => void
}

type Card = InternalNode

/** A card in the hand: as it was made last, and as it is shown. */
interface Held {
  readonly made: Card['internals']['userNode']
  readonly shown: Card['internals']['userNode']
}

/** Shows one sight of a drag after the other. */
export function createDragDrawing(flow: Flow): (sight: Pick<DragSight, 'dragged' | 'scopes'>) => void {
  const held = new Map<string, Held>()
  const put = (id: string, at: Point | Box): boolean => {
    const { nodeLookup } = flow.getState()
    const card = nodeLookup.get(id)
    if (card === undefined || isThere(card, at)) return false
    const known = held.get(id)
    const own = card.internals.userNode
    const next = placed(card, at)
    nodeLookup.set(id, next)
    // Made anew meanwhile, it is that which it goes back to.
    held.set(id, { made: known?.shown === own ? known.made : own, shown: next.internals.userNode })
    return true
  }
  const letGo = (): boolean => {
    const { nodeLookup } = flow.getState()
    for (const [id, { made, shown }] of held) {
      const card = nodeLookup.get(id)
      if (card?.internals.userNode === shown) nodeLookup.set(id, asMade(card, made))
    }
    const isAny = held.size > 0
    held.clear()
    return isAny
  }
  return ({ dragged, scopes }) => {
    const places = [...dragged, ...scopes]
    const changed = places.length === 0 ? letGo() : places.filter(([id, at]) => put(id, at)).length > 0
    // The lookup is changed in place, as React Flow does it: whoever looks is to look again.
    if (changed) flow.setState({})
  }
}

function isThere({ position, width, height }: Card, at: Point | Box): boolean {
  if (position.x !== at.x || position.y !== at.y) return false
  return !('width' in at) || (width === at.width && height === at.height)
}

function placed(card: Card, at: Point | Box): Card {
  const size = 'width' in at ? { width: at.width, height: at.height } : null
  const position = { x: at.x, y: at.y }
  const place = { position, ...(size === null ? {} : { ...size, measured: size }) }
  const userNode = { ...card.internals.userNode, ...place }
  return { ...card, ...place, internals: { ...card.internals, positionAbsolute: position, userNode } }
}

/** What was measured meanwhile stays. */
function asMade(card: Card, made: Held['made']): Card {
  const { position, width, height } = made
  const isStretched = width !== card.width || height !== card.height
  const size =
    isStretched && width !== undefined && height !== undefined
      ? { width, height, measured: { width, height } }
      : null
  const internals = { ...card.internals, positionAbsolute: position, userNode: made }
  return { ...card, position, ...size, internals }
}

/** Draws a drag; has no look of its own. */
export function DragDrawing({ sight }: { readonly sight: DragStore }) {
  const flow = useStoreApi()
  useEffect(() => sight.subscribe(createDragDrawing(flow)), [flow, sight])
  return null
}
