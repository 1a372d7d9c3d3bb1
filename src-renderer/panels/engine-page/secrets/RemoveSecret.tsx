/** Asks before a secret goes, and says which workflows name it. */

import { useState } from 'react'
import styles from '../../../secrets/Secrets.module.css'
import type { SecretUsage } from '../../../secrets/secret-usage.ts'
import { usersOf } from '../../../secrets/secret-usage.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { secretWords as words } from '../../../text/secret-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Modal } from '../../../ui/Modal.tsx'

export function RemoveSecret(props: {
  readonly name: string
  readonly usages: readonly SecretUsage[]
  readonly onRemoved: () => void
  readonly onClose: () => void
}) {
  const { name, usages, onRemoved, onClose } = props
  const designer = useDesigner()
  const users = usersOf(usages)
  const [isSent, setSent] = useState(false)
  const remove = async (): Promise<void> => {
    setSent(true)
    await attempt(designer, () => designer.connection.call('secrets.remove', { name }))
    onRemoved()
    onClose()
  }
  return (
    <Modal title={`Remove ${name}?`} onClose={onClose} testId="secret-remove-dialog" width={440}>
      <div className={styles['form']}>
        <p>{words.removeHint}</p>
        {users.length === 0 ? (
          <p>{words.unused}</p>
        ) : (
          <>
            <p>{words.named}</p>
            <ul className={styles['users']}>
              {users.map(({ key, title, usages: all }) => (
                <li key={key}>{`${title}: ${all.map(({ label }) => label).join(', ')}`}</li>
              ))}
            </ul>
          </>
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            data-focus
            testId="secret-remove-button"
            disabled={isSent}
            onClick={() => void remove()}
          >
            Remove
          </Button>
        </footer>
      </div>
    </Modal>
  )
}
