/** Keeps the shown run as a test: its name, and, where the repetition comes out otherwise, whether that is meant. */

import { useState } from 'react'
import type { TestDifference } from '../../../src-engine/protocol/workflow-tests.ts'
import { useDesigner } from '../../state/context.ts'
import { keepRun } from '../../state/workflow-tests.ts'
import { testWords as words } from '../../text/test-words.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import { Differences } from '../tests/Differences.tsx'
import styles from './dialogs.module.css'

export function KeepTestDialog() {
  const designer = useDesigner()
  const [name, setName] = useState('')
  const [isSent, setSent] = useState(false)
  const [differences, setDifferences] = useState<readonly TestDifference[]>([])
  const close = (): void => designer.view.getState().setDialog(null)
  const isAsked = differences.length > 0
  const send = async (): Promise<void> => {
    setSent(true)
    const answer = await keepRun(designer, { name: name.trim(), accept: isAsked })
    setSent(false)
    if (answer?.kept === true) close()
    else setDifferences(answer?.differences ?? [])
  }
  return (
    <Modal title={words.keepTitle} onClose={close} testId="keep-test-dialog" width={480}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <p>{words.keepLead}</p>
        <label className={styles['labelled']}>
          {words.name}
          <input
            className={controls['field']}
            value={name}
            maxLength={200}
            onChange={(event) => {
              setName(event.currentTarget.value)
              setDifferences([])
            }}
            data-testid="test-name"
          />
        </label>
        {isAsked && (
          <div role="alert" data-testid="test-differs">
            <p>{words.differs}</p>
            <Differences differences={differences} error={null} />
          </div>
        )}
        <footer>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={name.trim() === '' || isSent}>
            {isAsked ? words.keepAnyway : words.keepButton}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}
