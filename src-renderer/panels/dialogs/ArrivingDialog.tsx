/** Asked when a workflow is taken in whose id is known here: whether it is a copy, or that very workflow. */

import { settleArriving } from '../../state/arriving.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { arrivalWords as words } from '../../text/arrival-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

export function ArrivingDialog() {
  const designer = useDesigner()
  const arriving = useView((state) => state.arriving)
  if (arriving === null) return null
  const { title, path } = arriving.twin
  const file = path?.split(/[\\/]/).at(-1)
  return (
    <Modal
      title={words.title}
      onClose={() => designer.view.getState().askArriving(null)}
      testId="arriving-dialog"
      width={520}
    >
      <div className={styles['body']}>
        <p title={path ?? undefined}>
          <b>
            {file === undefined ? fill(words.unsaved, { title }) : fill(words.saved, { title, path: file })}
          </b>
        </p>
        <p>{words.copy}</p>
        <p>{words.same}</p>
        <footer>
          <Button testId="arriving-same" onClick={() => settleArriving(designer, 'same')}>
            {words.takeSame}
          </Button>
          <Button
            kind="primary"
            testId="arriving-copy"
            data-focus
            onClick={() => settleArriving(designer, 'copy')}
          >
            {words.takeCopy}
          </Button>
        </footer>
      </div>
    </Modal>
  )
}
