/** The edge of a panel, to drag or to move with the arrow keys. */

import type { KeyboardEvent, PointerEvent } from 'react'
import styles from './Resizer.module.css'

const keyStep = 16

export function Resizer(props: {
  readonly label: string
  readonly orientation: 'vertical' | 'horizontal'
  readonly value: number
  readonly min: number
  readonly max: number
  /** Whether the panel grows when the edge goes left (or up). */
  readonly isReversed?: boolean
  readonly onChange: (value: number) => void
}) {
  const { orientation, value, min, max, onChange } = props
  const sign = props.isReversed === true ? -1 : 1
  const set = (next: number): void => onChange(Math.round(Math.max(min, Math.min(max, next))))
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    const element = event.currentTarget
    const start = orientation === 'vertical' ? event.clientX : event.clientY
    element.setPointerCapture(event.pointerId)
    element.onpointermove = (moved) =>
      set(value + sign * ((orientation === 'vertical' ? moved.clientX : moved.clientY) - start))
    element.onpointerup = () => {
      element.onpointermove = null
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const back = orientation === 'vertical' ? 'ArrowLeft' : 'ArrowUp'
    const forth = orientation === 'vertical' ? 'ArrowRight' : 'ArrowDown'
    if (event.key === back) set(value - sign * keyStep)
    else if (event.key === forth) set(value + sign * keyStep)
    else return
    event.preventDefault()
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a separator that moves
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      className={styles['edge']}
      data-orientation={orientation}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}
