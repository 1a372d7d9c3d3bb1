/** A dialog over everything: focus stays inside, Escape closes, the page behind is out of reach. */

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { IconButton } from './IconButton.tsx'
import styles from './Modal.module.css'
import { openDialogs } from './open-dialogs.ts'
import { isSendKey, senderOf } from './send-key.ts'

export function Modal(props: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly testId?: string
  readonly width?: number
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    // The platform's own modal dialog traps the focus and makes the rest inert.
    element?.showModal()
    // It would begin at the close button: writing and Enter belong to what the dialog is about.
    const field =
      element?.querySelector<HTMLElement>('[data-focus]') ??
      element?.querySelector<HTMLElement>('input, select:not([data-aside]), textarea, [data-kind="primary"]')
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
    const closed = element === null ? null : openDialogs.open(element)
    return () => {
      closed?.()
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      style={{ width: props.width ?? 480 }}
      aria-label={props.title}
      data-testid={props.testId}
      onCancel={(event) => {
        event.preventDefault()
        props.onClose()
      }}
      onKeyDown={(event) => {
        if (event.defaultPrevented || !isSendKey(event)) return
        event.preventDefault()
        senderOf(event.currentTarget)?.click()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) props.onClose()
      }}
    >
      <div className={styles['inside']}>
        <header>
          <h2>{props.title}</h2>
          <IconButton icon={X} label="Close" onClick={props.onClose} />
        </header>
        {props.children}
      </div>
    </dialog>
  )
}
