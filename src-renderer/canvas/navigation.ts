/** How mouse and trackpad move the canvas: what React Flow is told for each of the ways that people are used to. */

/** The ways, by name. */
export const navigations = ['trackpad', 'mouse', 'drawing', 'modelling'] as const
export type Navigation = (typeof navigations)[number]

/** The middle button. The other one opens the menu. */
const wheelButton = 1

interface Moves {
  /** Scrolling moves the canvas; else it zooms. With Ctrl or ⌘, and by a pinch, it always zooms. */
  readonly panOnScroll: boolean
  /** Which buttons drag the canvas: any, or these. */
  readonly panOnDrag: boolean | number[]
  /** Whether a drag on the free canvas selects what is in its box; else that takes Shift. */
  readonly selectionOnDrag: boolean
}

const movesOf: Readonly<Record<Navigation, Moves>> = {
  trackpad: { panOnScroll: true, panOnDrag: true, selectionOnDrag: false },
  mouse: { panOnScroll: false, panOnDrag: true, selectionOnDrag: false },
  drawing: { panOnScroll: true, panOnDrag: [wheelButton], selectionOnDrag: true },
  modelling: { panOnScroll: false, panOnDrag: [wheelButton], selectionOnDrag: true },
}

/** The same object for the same way, so that React Flow sees no change. */
export const navigationMoves = (navigation: Navigation): Moves => movesOf[navigation]

/** The way of that name; the usual one for any other text. */
export const navigationOf = (text: string | null): Navigation =>
  navigations.find((known) => known === text) ?? 'trackpad'
