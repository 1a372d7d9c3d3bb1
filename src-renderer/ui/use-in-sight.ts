/** What is chosen of a list is brought into sight, also where it was chosen from elsewhere. */

import type { RefObject } from 'react'
import { useEffect } from 'react'

/**
 * With the next frame: at once the browser would lay the page out in the middle of a press, and once more after what
 * is drawn later for the same press.
 */
export function useInSight(list: RefObject<HTMLElement | null>, selector: string): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      list.current?.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [list, selector])
}
