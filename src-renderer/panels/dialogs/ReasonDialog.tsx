/** A decision that is kept with who made it, and why. */

import { useId, useState } from 'react'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

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
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = async (): Promise<void> => {
    setSent(true)
    try {
      await onSend(reason.trim() === '' ? null : reason.trim())
      onClose()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
      setSent(false)
    }
  }
  return (
    <Modal title={title} onClose={onClose} testId="reason-dialog" width={440}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
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
        {problem !== null && (
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind={isDangerous ? 'danger' : 'primary'}
            testId="reason-send"
            disabled={isSent || (isRequired && reason.trim() === '')}
          >
            {label}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}
