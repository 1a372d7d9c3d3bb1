/** What a drag lines up with: lines, equal gaps, and the outlines of what stays when a copy is made. */

import { ViewportPortal } from '@xyflow/react'
import { memo } from 'react'
import { useStore } from 'zustand'
import styles from './Guides.module.css'
import type { Guide } from './guides.ts'
import type { DragStore } from './use-dragging.ts'

export const Guides = memo(function Guides({ sight }: { readonly sight: DragStore }) {
  const { guides, ghosts } = useStore(sight)
  if (guides.length === 0 && ghosts.length === 0) return null
  return (
    <ViewportPortal>
      {ghosts.map(({ x, y, width, height }) => (
        <div
          key={`${x},${y}`}
          className={styles['ghost']}
          style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
        />
      ))}
      <svg className={styles['guides']} aria-hidden data-testid="guides">
        {guides.map((guide) => (
          <GuideLine key={`${guide.kind}${guide.axis}${guide.at}${guide.from}`} guide={guide} />
        ))}
      </svg>
    </ViewportPortal>
  )
})

/** Half the length of the strokes that end a gap. */
const tick = 6

function GuideLine({ guide }: { readonly guide: Guide }) {
  const { kind, axis, at, from, to } = guide
  // A line of the axis x stands upright, a gap along it lies.
  const isUpright = (axis === 'x') === (kind === 'line')
  const d = isUpright ? `M${at} ${from}V${to}` : `M${from} ${at}H${to}`
  const ticks = isUpright
    ? `M${at - tick} ${from}H${at + tick}M${at - tick} ${to}H${at + tick}`
    : `M${from} ${at - tick}V${at + tick}M${to} ${at - tick}V${at + tick}`
  return <path d={kind === 'gap' ? d + ticks : d} data-kind={kind} vectorEffect="non-scaling-stroke" />
}
