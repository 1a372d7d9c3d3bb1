/** A status as icon and word in its tone. */

import type { StatusStyle } from '../status/status-style.ts'
import styles from './StatusBadge.module.css'

export function StatusBadge({
  style,
  isCompact,
}: {
  readonly style: StatusStyle
  readonly isCompact?: boolean
}) {
  const Icon = style.icon
  return (
    <span className={styles['badge']} data-tone={style.tone} title={style.label}>
      <Icon
        size={14}
        strokeWidth={2.1}
        aria-hidden
        className={style.isMoving ? styles['turning'] : undefined}
      />
      <span className={isCompact === true ? 'visually-hidden' : undefined}>{style.label}</span>
    </span>
  )
}
