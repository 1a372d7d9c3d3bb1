/** What a trigger is fired with: the workflow's own form, or what usually comes from outside. */

import { Play } from 'lucide-react'
import { useDesigner, useTriggers } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { exampleInput, fireTrigger, hasForm } from '../../state/trigger-acts.ts'
import { fill } from '../../text/messages.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import { Modal } from '../../ui/Modal.tsx'
import { InputDialog } from './InputDialog.tsx'
import { RunInputForm } from './RunInputForm.tsx'

export function FireDialog() {
  const designer = useDesigner()
  const id = useTriggers((state) => state.toFire)
  const kind = useTriggers((state) => (id === null ? undefined : state.views?.get(id)?.kind))
  const title = useShownDocument(({ triggers }) => (id === null ? null : (triggers?.[id]?.title ?? id)))
  const close = (): void => {
    designer.triggers.getState().setToFire(null)
    designer.view.getState().setDialog(null)
  }
  if (id === null || title === null) return null
  const action = { label: words.fire, icon: Play }
  const heading = fill(words.fireTitle, { title })
  if (hasForm(designer)) {
    return (
      <Modal title={heading} onClose={close} testId="fire-dialog">
        <RunInputForm action={action} onSend={(input) => fireTrigger(designer, id, input)} onClose={close} />
      </Modal>
    )
  }
  const example = exampleInput(kind ?? '') ?? {}
  return (
    <InputDialog
      title={heading}
      lead={`${words.fireLead} ${words.fireExample}`}
      action={action}
      payload={{ kind: 'inline', json: JSON.stringify(example) }}
      onSend={(input) => fireTrigger(designer, id, input?.value ?? example)}
      onClose={close}
    />
  )
}
