/** How much of something is used, as a bar and in words. */

import styles from './Meter.module.css'

export function Meter(props: {
  readonly label: string
  readonly value: number
  readonly max: number
  /** In place of `3 of 8`. */
  readonly words?: string
}) {
  const { label, value, max, words } = props
  const part = max === 0 ? 0 : value / max
  return (
    <span className={styles['meter']}>
      <meter
        min={0}
        max={Math.max(1, max)}
        value={value}
        aria-label={label}
        data-tone={part >= 0.9 ? 'full' : undefined}
      />
      <span>{words ?? `${value} of ${max}`}</span>
    </span>
  )
}
