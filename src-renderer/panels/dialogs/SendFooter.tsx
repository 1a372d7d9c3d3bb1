/** The end of a dialog that sends something: why it was refused, then Cancel and the button that sends. */

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import styles from './dialogs.module.css'
import type { Sending } from './use-sending.ts'

/** Of a long form the end may be out of sight. */
const intoSight = (said: HTMLElement | null): void => said?.scrollIntoView({ block: 'nearest' })

export function SendFooter(props: {
  readonly sending: Sending
  readonly label: string
  readonly testId: string
  readonly icon?: LucideIcon
  readonly isDangerous?: boolean
  /** Whether something is missing. */
  readonly isDisabled?: boolean
  /** Whether it has the focus when the dialog opens. */
  readonly isFirst?: boolean
  readonly onClose: () => void
  /** Further buttons, before these. */
  readonly children?: ReactNode
}) {
  const { sending, label, testId, icon, isDangerous = false, isDisabled = false, isFirst, onClose } = props
  return (
    <>
      {sending.problem !== null && (
        <p className={styles['problem']} role="alert" ref={intoSight}>
          {sending.problem}
        </p>
      )}
      <footer className={styles['send']}>
        {props.children}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          kind={isDangerous ? 'danger' : 'primary'}
          {...(icon === undefined ? {} : { icon })}
          testId={testId}
          data-focus={isFirst}
          disabled={isDisabled || sending.isSent}
        >
          {label}
        </Button>
      </footer>
    </>
  )
}
