/** What every rehearsed run starts with, asked by the workflow's own form. */

import { Drama } from 'lucide-react'
import { useDesigner, useDocument } from '../../state/context.ts'
import { rehearse } from '../../state/rehearse.ts'
import { fill } from '../../text/messages.ts'
import { rehearsalWords as words } from '../../text/rehearsal-words.ts'
import { Modal } from '../../ui/Modal.tsx'
import { RunInputForm } from './RunInputForm.tsx'

export function RehearseDialog() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const close = (): void => designer.view.getState().setDialog(null)
  return (
    <Modal title={fill(words.dialog, { title })} onClose={close} testId="rehearse-dialog">
      <RunInputForm
        action={{ label: words.rehearse, icon: Drama }}
        onSend={(input) => {
          // The panel tells how it fares and what is refused; the dialog is in the way.
          void rehearse(designer, input)
          return Promise.resolve()
        }}
        onClose={close}
      >
        <p>{words.lead}</p>
      </RunInputForm>
    </Modal>
  )
}
