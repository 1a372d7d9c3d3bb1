/** A question before something that can't be taken back. */

import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

export function ConfirmDialog(props: {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly isDangerous: boolean
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}) {
  const { title, text, label, isDangerous, onConfirm, onClose } = props
  const [isSent, setSent] = useState(false)
  return (
    <Modal title={title} onClose={onClose} testId="confirm-dialog" width={420}>
      <div className={styles['body']}>
        <p>{text}</p>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            data-focus
            testId="confirm-button"
            disabled={isSent}
            onClick={() => {
              setSent(true)
              void onConfirm().finally(onClose)
            }}
          >
            {label}
          </Button>
        </footer>
      </div>
    </Modal>
  )
}
