/** A decision that is kept with who made it, and why. */

import { useId, useState } from 'react'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'
import { SendFooter } from './SendFooter.tsx'
import { useSending } from './use-sending.ts'

export function ReasonDialog(props: {
  readonly title: string
  readonly text: string
  /** What the field is called. */
  readonly field: string
  readonly label: string
  readonly isDangerous: boolean
  /** Whether nothing may be decided without a word. */
  readonly isRequired?: boolean
  /** Throws what the engine refuses: it is told here. */
  readonly onSend: (reason: string | null) => Promise<void>
  readonly onClose: () => void
}) {
  const { title, text, label, isDangerous, isRequired = false, onSend, onClose } = props
  const field = useId()
  const [reason, setReason] = useState('')
  const written = reason.trim()
  const sending = useSending(() => onSend(written === '' ? null : written), onClose)
  return (
    <Modal title={title} onClose={onClose} testId="reason-dialog" width={440}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void sending.send()
        }}
      >
        <p>{text}</p>
        <div className={styles['reason']}>
          <label htmlFor={field}>{props.field}</label>
          <textarea
            id={field}
            className={controls['field']}
            data-testid="reason-text"
            rows={3}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </div>
        <SendFooter
          sending={sending}
          label={label}
          testId="reason-send"
          isDangerous={isDangerous}
          isDisabled={isRequired && written === ''}
          onClose={onClose}
        />
      </form>
    </Modal>
  )
}
