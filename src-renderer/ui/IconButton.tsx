/** A button with an icon, a name, and its key in the tooltip. */

import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import styles from './controls.module.css'

type Props = Omit<ComponentProps<'button'>, 'children'> & {
  readonly icon: LucideIcon
  readonly label: string
  /** Written behind the name in the tooltip. */
  readonly keys?: string | undefined
  readonly isPressed?: boolean
}

export function IconButton({ icon: Icon, label, keys, isPressed, ...rest }: Props) {
  const title = keys === undefined ? label : `${label}  (${keys})`
  return (
    <button
      type="button"
      className={styles['iconButton']}
      aria-label={label}
      title={title}
      aria-pressed={isPressed}
      {...rest}
    >
      <Icon size={16} strokeWidth={1.9} aria-hidden />
    </button>
  )
}
