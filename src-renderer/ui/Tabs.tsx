/** A row of tabs; arrow keys go from one to the next. */

import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'
import styles from './controls.module.css'
import { useInSight } from './use-in-sight.ts'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly count?: number
  readonly tone?: 'bad' | undefined
}

export function Tabs<Id extends string>(props: {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly current: Id
  readonly onChoose: (id: Id) => void
  readonly children?: ReactNode
}) {
  const { tabs, current, onChoose } = props
  const list = useRef<HTMLDivElement>(null)
  useInSight(list, `[data-tab="${current}"]`)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const at = tabs.findIndex((tab) => tab.id === current)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div className={styles['tabs']}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus */}
      <div
        ref={list}
        role="tablist"
        aria-label={props.label}
        className={styles['tablist']}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            aria-selected={tab.id === current}
            tabIndex={tab.id === current ? 0 : -1}
            className={styles['tab']}
            onClick={() => onChoose(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && tab.count > 0 && (
              <span className={styles['count']} data-tone={tab.tone}>
                {tab.count}
              </span>
            )}
          </button>
        ))}
      </div>
      {props.children}
    </div>
  )
}
