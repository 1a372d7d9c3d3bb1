/** A page with a list at its side, and what is chosen of it beside. */

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './SplitPage.module.css'

export function SplitPage(props: {
  readonly label: string
  /** The list, with what stands above it. */
  readonly list: ReactNode
  /** Below the list: how much there is, and what can be done with all of it. */
  readonly foot: ReactNode
  /** What is chosen. */
  readonly children: ReactNode
}) {
  return (
    <div className={styles['split']}>
      <section className={styles['side']} aria-label={props.label}>
        {props.list}
        <footer className={styles['foot']}>{props.foot}</footer>
      </section>
      {props.children}
    </div>
  )
}

/** The same while there is nothing to list. */
export function EmptyPage(props: {
  readonly icon: LucideIcon
  readonly testId: string
  readonly children: ReactNode
}) {
  const { icon: Icon, testId, children } = props
  return (
    <div className={styles['empty']} data-testid={testId}>
      <Icon size={28} strokeWidth={1.5} aria-hidden />
      {children}
    </div>
  )
}
