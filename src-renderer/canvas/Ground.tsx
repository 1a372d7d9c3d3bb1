/** The ground of the canvas with its dots: painted for a view at rest, and moved as it is while the view moves. */

import { useStoreApi } from '@xyflow/react'
import { useEffect, useId, useRef } from 'react'
import { useDesigner } from '../state/context.ts'
import { dotsAt, dotsRoom, slideTo } from './dots.ts'
import styles from './Ground.module.css'
import type { Motion, Transform } from './motion.ts'
import { watchMotion } from './motion.ts'

/**
 * Goes past React, with every step of a pan. It also tells the styles how the view moves (`data-motion` of React Flow's
 * element): while it is moved at one size, all that is on the canvas is one layer, which is moved as it was painted. Whatever
 * else is moved with each step of a pan, past React, says so (`data-held`).
 */
export function Ground() {
  const designer = useDesigner()
  const flow = useStoreApi()
  const svg = useRef<SVGSVGElement>(null)
  const id = useId()
  useEffect(() => {
    const picture = svg.current
    if (picture === null) return undefined
    let { transform: seen } = flow.getState()
    const dots = createDots(picture)
    dots.paint(seen)
    const tell = (motion: Motion): void => {
      const { domNode, transform } = flow.getState()
      if (motion === 'rest') {
        domNode?.removeAttribute('data-motion')
        dots.paint(transform)
      } else domNode?.setAttribute('data-motion', motion)
    }
    const watch = watchMotion(seen, { after: designer.ambient.after, tell })
    const stop = flow.subscribe((state) => {
      if (state.transform === seen) return
      seen = state.transform
      dots.see(seen)
      watch.step(seen)
    })
    return () => {
      stop()
      watch.stop()
    }
  }, [designer, flow])
  return (
    <div className={styles['ground']} data-testid="ground">
      <svg ref={svg} className={styles['dots']} aria-hidden data-held data-testid="dots">
        <pattern id={id} patternUnits="userSpaceOnUse">
          <circle />
        </pattern>
        <rect width="100%" height="100%" fill={`url(#${id})`} />
      </svg>
    </div>
  )
}

/** Paints the dots for a view, or moves them as they were painted where that will do. */
function createDots(picture: SVGSVGElement) {
  const pattern = picture.querySelector('pattern')
  const circle = picture.querySelector('circle')
  let painted: Transform = [0, 0, 1]
  const paint = (transform: Transform): void => {
    painted = transform
    const { x, y, gap, radius } = dotsAt(transform)
    put(pattern, { x, y, width: gap, height: gap })
    put(circle, { cx: radius, cy: radius, r: radius })
    const size = `calc(${dotsRoom.share * 100}% + ${dotsRoom.gaps * gap}px)`
    Object.assign(picture.style, { width: size, height: size, transform: '' })
  }
  const see = (transform: Transform): void => {
    const slide = slideTo(painted, transform)
    if (slide === null) paint(transform)
    else picture.style.transform = `translate(${slide.x}px, ${slide.y}px) scale(${slide.scale})`
  }
  return { paint, see }
}

function put(element: Element | null, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) element?.setAttribute(name, String(value))
}
