/** A button with words, and an icon where one helps. */

import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import styles from './controls.module.css'

type Props = ComponentProps<'button'> & {
  readonly icon?: LucideIcon
  readonly kind?: 'primary' | 'danger' | 'quiet'
  readonly isSmall?: boolean
  readonly testId?: string
}

export function Button({ icon: Icon, kind, isSmall, testId, children, ...rest }: Props) {
  return (
    <button
      type="button"
      className={styles['button']}
      data-kind={kind}
      data-size={isSmall === true ? 'small' : undefined}
      data-testid={testId}
      {...rest}
    >
      {Icon !== undefined && <Icon size={13} aria-hidden />} {children}
    </button>
  )
}
