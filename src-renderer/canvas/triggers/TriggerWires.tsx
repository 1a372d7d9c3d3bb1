/** From the cards at the edge to the nodes that their runs begin with; behind everything else. */

import type { ReactFlowState } from '@xyflow/react'
import { useStore } from '@xyflow/react'
import type { RefObject } from 'react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Point } from '../../../src-engine/model/workflow.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { startNodes } from './start-nodes.ts'
import styles from './TriggerEdge.module.css'
import { bracketPath, jointGap, wirePath } from './wire-path.ts'

/** More would only be a carpet. */
const wiresMax = 8
/** Where a card's way in is, below its upper edge. */
const portDown = 32

export function TriggerWires({ list }: { readonly list: RefObject<HTMLUListElement | null> }) {
  const document = useShownDocument()
  const ids = useMemo(() => startNodes(document).slice(0, wiresMax), [document])
  const from = useJoint(list)
  // As one text: a store that says the same draws nothing again.
  const paths = useStore(
    useCallback(
      ({ transform: [x, y, zoom], nodeLookup }: ReactFlowState) =>
        from === null
          ? ''
          : ids
              .flatMap((id) => {
                const place = nodeLookup.get(id)?.internals.positionAbsolute
                if (place === undefined) return []
                const to = { x: place.x * zoom + x, y: (place.y + portDown) * zoom + y }
                return wirePath(from.joint, to) ?? []
              })
              .join(' '),
      [from, ids],
    ),
  )
  if (paths === '') return null
  return (
    <svg className={styles['wires']} aria-hidden data-testid="trigger-wires">
      <path d={from?.bracket} />
      <path d={paths} />
    </svg>
  )
}

interface Joint {
  /** Where the wires of all cards come together, in pixels of the canvas. */
  readonly joint: Point
  /** From each card to there. */
  readonly bracket: string
}

function useJoint(list: RefObject<HTMLUListElement | null>): Joint | null {
  const [joint, setJoint] = useState<Joint | null>(null)
  useEffect(() => {
    const element = list.current
    const frame = element?.closest('.react-flow')
    if (element === null || frame === null || frame === undefined) return undefined
    const measure = (): void => {
      const corner = frame.getBoundingClientRect()
      const own = element.getBoundingClientRect()
      const middles = [...element.children].map((card) => {
        const box = card.getBoundingClientRect()
        return box.top + box.height / 2 - corner.top
      })
      const right = own.right - corner.left
      const middle = own.top - corner.top + own.height / 2
      const next = { joint: { x: right + jointGap, y: middle }, bracket: bracketPath(right, middles, middle) }
      setJoint((before) => (before?.bracket === next.bracket ? before : next))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(frame)
    // Cards that lie outside of a long list move with it.
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [list])
  return joint
}
