/** What went wrong (or well), said briefly, with what to do next. */

import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useDesigner, useView } from '../state/context.ts'
import type { Toast } from '../state/toasts.ts'
import { CodeWords } from './CodeWords.tsx'
import controls from './controls.module.css'
import { IconButton } from './IconButton.tsx'
import { openDialogs } from './open-dialogs.ts'
import styles from './Toasts.module.css'

/** An error stays long enough to be read twice, and whatever offers something long enough to be reached. */
const lifeMs = { bad: 12_000, neutral: 5_000, good: 4_000 }
const icons = { bad: CircleAlert, good: CircleCheck, neutral: Info }

export function Toasts() {
  const toasts = useView((state) => state.toasts)
  const stack = useStack()
  return createPortal(
    toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />),
    stack,
  )
}

/**
 * Where they stand: above everything, and inside of the dialog on top, for what is beside an open dialog is neither
 * reached nor announced. It moves as it is: what is said goes on.
 */
function useStack(): HTMLElement {
  const dialog = useSyncExternalStore(openDialogs.subscribe, openDialogs.top)
  const [stack] = useState(() => {
    const element = document.createElement('div')
    element.className = styles['stack'] ?? ''
    element.popover = 'manual'
    element.ariaLive = 'assertive'
    element.dataset['testid'] = 'toasts'
    return element
  })
  useLayoutEffect(() => {
    ;(dialog ?? document.body).append(stack)
    stack.showPopover()
    return () => stack.remove()
  }, [dialog, stack])
  return stack
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const designer = useDesigner()
  const { id, tone } = toast
  const life = toast.action === undefined ? lifeMs[tone] : lifeMs.bad
  useEffect(
    () => designer.ambient.after(life, () => designer.view.getState().dismiss(id)),
    [designer, id, life],
  )
  const Icon = icons[tone]
  return (
    <div className={styles['toast']} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={17} aria-hidden />
      <span>
        <b>{toast.message}</b>
        {toast.hint !== null && (
          <small>
            <CodeWords text={toast.hint} />
          </small>
        )}
      </span>
      {toast.action !== undefined && (
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => {
            designer.view.getState().dismiss(id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton icon={X} label="Dismiss" onClick={() => designer.view.getState().dismiss(id)} />
    </div>
  )
}
