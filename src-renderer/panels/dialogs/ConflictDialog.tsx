/** The file was changed by somebody else: nothing is overwritten before the person said so. */

import { useDesigner, useDocument } from '../../state/context.ts'
import { overwriteOnDisk, reloadFromDisk, saveAs } from '../../state/files.ts'
import { fill, questions } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

export function ConflictDialog() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const close = (): void => designer.view.getState().setDialog(null)
  const then = (work: () => Promise<void>) => () => {
    close()
    void work()
  }
  return (
    <Modal title={questions.conflictTitle} onClose={close} testId="conflict-dialog">
      <div className={styles['body']}>
        <p>{fill(questions.conflict, { title })}</p>
        <footer>
          <button type="button" className={controls['button']} onClick={then(() => reloadFromDisk(designer))}>
            Take the file
          </button>
          <button
            type="button"
            className={controls['button']}
            data-kind="danger"
            onClick={then(() => overwriteOnDisk(designer))}
          >
            Overwrite it
          </button>
          <button
            type="button"
            className={controls['button']}
            data-kind="primary"
            onClick={then(() => saveAs(designer))}
          >
            Save under another name
          </button>
        </footer>
      </div>
    </Modal>
  )
}
