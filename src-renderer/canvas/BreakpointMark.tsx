/** On a card's corner: that runs stop before this step. */

import { Circle, CircleEqual } from 'lucide-react'
import { memo } from 'react'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { NodeBreakpoint } from '../state/breakpoints-store.ts'
import { useBreakpoints, useDocument } from '../state/context.ts'
import { ordinal, debugWords as words } from '../text/debug-words.ts'
import { fill } from '../text/messages.ts'
import styles from './BreakpointMark.module.css'

/** A disc; with bars in it where it stops under a condition only, and a number where it stops once. */
export const BreakpointMark = memo(function BreakpointMark({ id }: { readonly id: string }) {
  const of = useDocument((state) => state.history.document.id)
  const point = useBreakpoints((state) => state.byWorkflow[of]?.[nodeId(id)] ?? null)
  if (point === null) return null
  const { condition, nth } = point
  const said = breakpointText(point)
  const Mark = condition === null ? Circle : CircleEqual
  return (
    <span className={styles['mark']} data-testid={`breakpoint-${id}`} title={said}>
      <Mark size={17} strokeWidth={2.4} aria-label={said} />
      {nth !== undefined && <small aria-hidden>{nth}</small>}
    </span>
  )
})

function breakpointText({ condition, nth }: NodeBreakpoint): string {
  if (nth === undefined) return condition === null ? words.set : fill(words.setIf, { condition })
  const time = ordinal(nth)
  return condition === null
    ? fill(words.setNth, { nth: time })
    : fill(words.setNthIf, { nth: time, condition })
}
