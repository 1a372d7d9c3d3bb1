/** Tells the styles of cards how far away they are seen from. */

import { useStoreApi } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { useDesigner } from '../state/context.ts'
import { watchMotion } from './motion.ts'
import { zoomLevelAt, zoomLevelOf } from './zoom-level.ts'

/** A mark on the page: what it hides keeps its room, so that nothing moves when the level changes. */
export function FarMark() {
  const designer = useDesigner()
  const flow = useStoreApi()
  const [level, setLevel] = useState(() => zoomLevelAt(flow.getState().transform[2]))
  useEffect(() => {
    let isMoved = false
    const see = (): void => {
      const [, , zoom] = flow.getState().transform
      setLevel((shown) => zoomLevelOf(zoom, isMoved ? shown : null))
    }
    const watch = watchMotion(flow.getState().transform, {
      after: designer.ambient.after,
      tell: (motion) => {
        isMoved = motion !== 'rest'
        see()
      },
    })
    see()
    const stop = flow.subscribe(({ transform }, before) => {
      if (transform === before.transform) return
      watch.step(transform)
      see()
    })
    return () => {
      stop()
      watch.stop()
    }
  }, [designer, flow])
  const isFarthest = level === 'farthest' || level === 'speck'
  return (
    <i
      hidden
      data-zoom={level}
      data-far={level === 'far' || isFarthest || undefined}
      data-mid={level === 'mid' || undefined}
      data-farthest={isFarthest || undefined}
      data-speck={level === 'speck' || undefined}
    />
  )
}
