/** Save as, in a browser: a name in the workspace folder. */

import { useState } from 'react'
import { useDesigner, useDocument } from '../../state/context.ts'
import { fileNameOf, saveTo } from '../../state/files.ts'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

export function SaveAsDialog() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const [name, setName] = useState(fileNameOf(title))
  const close = (): void => designer.view.getState().setDialog(null)
  const save = async (): Promise<void> => {
    const path = name.endsWith('.json') ? name : `${name}.json`
    if (await saveTo(designer, { path, etag: null })) close()
  }
  return (
    <Modal title="Save workflow" onClose={close} testId="save-dialog" width={420}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <label className={styles['labelled']}>
          Name in the workspace
          <input
            className={controls['field']}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-testid="save-name"
          />
        </label>
        <footer>
          <button type="button" className={controls['button']} onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className={controls['button']}
            data-kind="primary"
            disabled={name.trim() === ''}
          >
            Save
          </button>
        </footer>
      </form>
    </Modal>
  )
}
