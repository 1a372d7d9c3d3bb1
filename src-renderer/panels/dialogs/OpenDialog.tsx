/** Open, in a browser: the workflows of the workspace, or a file from anywhere as an import. */

import { useEffect, useRef } from 'react'
import { useDesigner } from '../../state/context.ts'
import { importDocument, openPath } from '../../state/files.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import { FileRow, useLibrary } from '../files/FilesPanel.tsx'
import styles from './dialogs.module.css'

export function OpenDialog() {
  const designer = useDesigner()
  const entries = useLibrary()
  const list = useRef<HTMLDivElement>(null)
  const isThere = entries !== null
  useEffect(() => {
    // The dialog is there before what it lists: Enter would have gone to its close button.
    if (isThere) list.current?.querySelector('button')?.focus()
  }, [isThere])
  const close = (): void => designer.view.getState().setDialog(null)
  return (
    <Modal title="Open a workflow" onClose={close} testId="open-dialog">
      <div className={styles['body']}>
        <div className={styles['files']} ref={list}>
          {entries?.length === 0 && <p className={styles['none']}>{empty.files}</p>}
          {entries?.map((entry) => (
            <FileRow
              key={entry.path}
              entry={entry}
              isCurrent={false}
              onOpen={() => {
                close()
                void openPath(designer, entry.path)
              }}
            />
          ))}
        </div>
        <footer>
          <button
            type="button"
            className={controls['button']}
            data-focus
            onClick={() => {
              close()
              void importDocument(designer)
            }}
          >
            Import from a file …
          </button>
        </footer>
      </div>
    </Modal>
  )
}
