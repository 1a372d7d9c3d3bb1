/** Whether the view of the canvas is being moved. Knows nothing of the page: steps come in, and changes are told. */

import type { Ambient } from '../state/services.ts'

/** How the view moves: at one size, or to another one. */
export type Motion = 'rest' | 'pan' | 'zoom'

export type Transform = readonly [x: number, y: number, zoom: number]

/** A hand that stands still for so long has come to rest; wheels and trackpads give steps closer together. */
const restMs = 160

export interface MotionWatch {
  /** The view is here now; the same place again is no step. */
  readonly step: (transform: Transform) => void
  readonly stop: () => void
}

/**
 * Tells when the view begins to move, or moves another way, and when it is at rest again. Of a jump, one step alone, only
 * the rest after it is told: what is made for a movement pays from its second step on.
 */
export function watchMotion(
  at: Transform,
  { after, tell }: { readonly after: Ambient['after']; readonly tell: (motion: Motion) => void },
): MotionWatch {
  let before = at
  let motion: Motion = 'rest'
  let hasMoved = false
  let cancel: (() => void) | null = null
  // Looked at now and then, instead of a timer that every step puts off.
  const look = (): void => {
    cancel = hasMoved ? after(restMs, look) : null
    hasMoved = false
    if (cancel !== null) return
    motion = 'rest'
    tell(motion)
  }
  return {
    step: (transform) => {
      const [x, y, zoom] = transform
      const [fromX, fromY, fromZoom] = before
      if (x === fromX && y === fromY && zoom === fromZoom) return
      before = transform
      if (cancel === null) {
        cancel = after(restMs, look)
        return
      }
      hasMoved = true
      const next = zoom === fromZoom ? 'pan' : 'zoom'
      if (next === motion) return
      motion = next
      tell(next)
    },
    stop: () => cancel?.(),
  }
}
