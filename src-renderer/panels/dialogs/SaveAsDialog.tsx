/** Save as, in a browser: a name in the workspace folder. */

import { useState } from 'react'
import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import { asWorkflowFileName } from '../../../src-engine/model/workflow-file.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import type { SaveOutcome } from '../../state/files.ts'
import { fileNameOf, replaceFile, saveBeside, saveTo } from '../../state/files.ts'
import { fill, questions } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

export function SaveAsDialog() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const [name, setName] = useState(fileNameOf(title))
  const [taken, setTaken] = useState<string | null>(null)
  const [problem, setProblem] = useState<ErrorRecord | null>(null)
  const close = (): void => designer.view.getState().setDialog(null)
  const path = asWorkflowFileName(name)
  const tell = (error: unknown): void => setProblem(recordOfThrown(error))
  const finish = async (work: Promise<SaveOutcome>): Promise<void> => {
    setProblem(null)
    const outcome = await work
    if (outcome === 'saved') close()
    setTaken(outcome === 'taken' ? path : null)
  }
  return (
    <Modal title="Save workflow" onClose={close} testId="save-dialog" width={420}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void finish(saveTo(designer, { path, etag: null, tell }))
        }}
      >
        <label className={styles['labelled']}>
          Name in the workspace
          <input
            className={controls['field']}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value)
              setTaken(null)
              setProblem(null)
            }}
            data-testid="save-name"
          />
        </label>
        {taken !== null && (
          <Taken
            name={taken}
            onReplace={() => void finish(replaceFile(designer, taken))}
            onKeepBoth={() => void finish(saveBeside(designer, taken))}
          />
        )}
        {problem !== null && (
          <p className={styles['problem']} role="alert">
            {problem.message} {problem.hint}
          </p>
        )}
        <footer>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={name.trim() === '' || taken !== null}>
            Save
          </Button>
        </footer>
      </form>
    </Modal>
  )
}

function Taken(props: {
  readonly name: string
  readonly onReplace: () => void
  readonly onKeepBoth: () => void
}) {
  return (
    <div className={styles['taken']} role="alert" data-testid="save-taken">
      <p>{fill(questions.taken, { name: props.name })}</p>
      <Button isSmall testId="save-keep-both" onClick={props.onKeepBoth}>
        Keep both
      </Button>
      <Button isSmall kind="danger" testId="save-replace" onClick={props.onReplace}>
        Replace it
      </Button>
    </div>
  )
}
