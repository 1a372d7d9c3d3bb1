/** What commands may ask of the canvas; the canvas fills it in when it is there. */

import type { Point } from '../../src-engine/model/workflow.ts'

export interface CanvasHandle {
  readonly fit: () => void
  readonly fitNodes: (ids: readonly string[]) => void
  readonly zoomBy: (factor: number) => void
  readonly zoomTo: (zoom: number) => void
  /** Whether what is seen is being moved, by a hand or by the app. */
  readonly isMoving: () => boolean
  /** The middle of what is seen, in the canvas's own coordinates. */
  readonly middle: () => Point
  /** The ids of the nodes of which something is seen, in the order in which people read. */
  readonly seen: () => readonly string[]
  readonly toCanvas: (screen: Point) => Point
  readonly toScreen: (canvas: Point) => Point
  /** Gives the canvas the keyboard. */
  readonly focus: () => void
  /** Brings a node into view when it is outside. */
  readonly reveal: (id: string) => void
  /** Gives one node the keyboard, and brings it into view when it is outside. */
  readonly focusNode: (id: string) => void
}

/** A box for the handle, null while no canvas is shown. */
export interface CanvasSlot {
  current: CanvasHandle | null
}
