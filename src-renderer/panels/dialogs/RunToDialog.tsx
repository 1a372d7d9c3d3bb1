/** What a trial up to a step starts with, asked by the workflow's own form. */

import { Play } from 'lucide-react'
import { useBreakpoints, useDesigner, useDocument } from '../../state/context.ts'
import { runTo } from '../../state/debugging.ts'
import { debugWords as words } from '../../text/debug-words.ts'
import { fill } from '../../text/messages.ts'
import { Modal } from '../../ui/Modal.tsx'
import { RunInputForm } from './RunInputForm.tsx'

export function RunToDialog() {
  const designer = useDesigner()
  const id = useBreakpoints((state) => state.asked)
  const node = useDocument((state) => (id === null ? undefined : state.history.document.nodes[id]))
  const close = (): void => designer.view.getState().setDialog(null)
  if (id === null || node === undefined) return null
  return (
    <Modal title={fill(words.runTo, { title: node.title ?? id })} onClose={close} testId="run-to-dialog">
      <RunInputForm
        action={{ label: words.tryAction, icon: Play }}
        onSend={(input) => runTo(designer, id, input)}
        onClose={close}
      />
    </Modal>
  )
}
