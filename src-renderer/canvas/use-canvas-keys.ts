/** The keyboard on the canvas: walking between nodes, moving them, connecting, opening the inspector. */

import { useEffect } from 'react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { Place, Point } from '../../src-engine/model/workflow.ts'
import { move } from '../commands/move.ts'
import { useDesigner } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import { isReadOnly, shownDocument } from '../state/selectors.ts'
import { openToWrite } from '../state/step-look.ts'
import { enterInspector } from '../ui/inspector-keys.ts'
import { isOnCanvas, isOnDrawing, isWriting } from '../ui/is-writing.ts'
import { connectModeKey } from './connect-mode.ts'
import { frameIdOf, isNodeId, noteIdOf, scopeIdOf } from './flow-ids.ts'
import { gridStep, placeOf } from './geometry.ts'
import { jumpKey } from './jump-mode.ts'
import type { Direction } from './neighbour.ts'
import { neighbour } from './neighbour.ts'
import { enterEdge } from './triggers/edge-focus.ts'
import { edgeKey } from './triggers/edge-keys.ts'

const directionByKey: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const stepByDirection: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
}
/** With Shift a step is this many times as long. */
const longStep = 5

/** Listens to the keys that are the canvas's: those pressed on it, or while nothing has the keyboard. */
export function useCanvasKeys(): void {
  const designer = useDesigner()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const place = event.composedPath()[0] ?? null
      if (isWriting(place) || !isOnCanvas() || document.querySelector('dialog[open]') !== null) return
      // A menu has its own keys.
      if (place instanceof Element && place.closest('[role="menu"]') !== null) return
      // A button on the canvas is pressed by its own keys.
      if (place instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return
      if (edgeKey(designer, event)) return event.preventDefault()
      const isChord = event.ctrlKey || event.metaKey
      const isTaken =
        (!isChord && (jumpKey(designer, event.key) || connectModeKey(designer, event.key))) ||
        (isOnDrawing() && handle(designer, event))
      if (isTaken) event.preventDefault()
    }
    // Before the app's own keys: connecting takes letters that are commands otherwise.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [designer])
}

function handle(designer: Designer, event: KeyboardEvent): boolean {
  const { view } = designer
  const direction = directionByKey[event.key]
  if (direction !== undefined) {
    if (event.ctrlKey || event.metaKey || event.altKey) return nudge(designer, direction, event.shiftKey)
    return walk(designer, direction)
  }
  const scope = focusedScope(event.target)
  if (scope !== null && (event.key === ' ' || event.key === 'Enter')) {
    view.getState().select({ scopes: [scope] })
    if (event.key === ' ') return true
  }
  const frame = focusedFrame(event.target)
  if (frame !== null && (event.key === ' ' || event.key === 'Enter')) {
    view.getState().select({ frames: [frame] })
    if (event.key === ' ') return true
  }
  const note = event.key === 'Enter' ? focusedNote(event.target) : null
  if (note !== null) {
    view.getState().select({ notes: [note] })
    if (!isReadOnly(designer)) view.getState().setWritingNote(note)
    return true
  }
  const focused = focusedNode(event.target)
  if (event.key === 'Escape') {
    view.getState().setLassoing(false)
    if (view.getState().finding !== null) view.getState().setFinding(null)
    view.getState().select({})
    return true
  }
  if (event.key === ' ' && focused !== null) {
    view.getState().select({ nodes: [focused] })
    return true
  }
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return false
  if (focused !== null) view.getState().select({ nodes: [focused] })
  openToWrite(designer)
  goIn(designer, framesMax)
  return true
}

/** For how many frames the inspector is waited for: it may show another card yet, and its editors are made after it. */
const framesMax = 30

/** Gives the inspector the keyboard once it shows what is selected, unless somebody went elsewhere meanwhile. */
function goIn(designer: Designer, framesLeft: number): void {
  designer.ambient.onFrame(() => {
    const { nodes } = designer.view.getState().selection
    const wanted = nodes.length === 1 ? nodes[0] : ''
    const inspector = document.querySelector<HTMLElement>('[data-testid="inspector"]')
    if (!isOnDrawing()) return
    if (inspector?.dataset['node'] === wanted) enterInspector(inspector)
    if (framesLeft > 0) goIn(designer, framesLeft - 1)
  })
}

/** Goes to the nearest node in that direction. */
function walk(designer: Designer, direction: Direction): boolean {
  const shown = shownDocument(designer)
  const [from] = designer.view.getState().selection.nodes
  const places = new Map(Object.keys(shown.nodes).map((id) => [id, placeOf(shown, id)]))
  const next = neighbour(places, from ?? null, direction)
  // Left of all nodes stands what starts them.
  if (next === null) {
    if (direction === 'left') enterEdge(designer)
    return true
  }
  designer.view.getState().select({ nodes: [nodeId(next)] })
  designer.canvas.current?.focusNode(next)
  return true
}

/** Moves the selection by a step; keys held down are one undo step. */
function nudge(designer: Designer, direction: Direction, isLong: boolean): boolean {
  if (isReadOnly(designer)) return false
  const { selection } = designer.view.getState()
  if (selection.nodes.length + selection.notes.length === 0) return false
  const { document } = designer.document.getState().history
  const length = gridStep * (isLong ? longStep : 1)
  const by = stepByDirection[direction]
  const shifted = (at: Point): Place => ({
    x: at.x + by.x * length,
    y: at.y + by.y * length,
    byHand: true,
  })
  const nodes = Object.fromEntries(selection.nodes.map((id) => [id, shifted(placeOf(document, id))]))
  const notes = Object.fromEntries(
    selection.notes.map((id) => [id, shifted(document.layout?.notes?.[id] ?? { x: 0, y: 0 })]),
  )
  const gesture = `nudge:${[...selection.nodes, ...selection.notes].join(',')}`
  designer.document.getState().edit(move({ nodes, notes }, { gesture }))
  return true
}

function focusedScope(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null
  return scopeIdOf(target.closest<HTMLElement>('.react-flow__node')?.dataset['id'] ?? '')
}

function focusedNote(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null
  return noteIdOf(target.closest<HTMLElement>('.react-flow__node')?.dataset['id'] ?? '')
}

function focusedFrame(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null
  return frameIdOf(target.closest<HTMLElement>('.react-flow__node')?.dataset['id'] ?? '')
}

function focusedNode(target: EventTarget | null): NodeId | null {
  if (!(target instanceof Element)) return null
  const id = target.closest<HTMLElement>('.react-flow__node')?.dataset['id']
  return id === undefined || !isNodeId(id) ? null : nodeId(id)
}
