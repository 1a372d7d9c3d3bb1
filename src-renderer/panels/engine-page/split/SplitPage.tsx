/** A page with a list at its side, and what is chosen of it beside. */

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
