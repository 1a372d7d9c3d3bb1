/** Edit and replay: the input of the letter's run, then a new run with it. */

import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { Payload } from '../../../../src-engine/model/payload.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { letters as words } from '../../../text/messages.ts'
import { InputDialog } from '../../dialogs/InputDialog.tsx'

export function ReplayDialog(props: {
  readonly letter: DeadLetter
  readonly onReplay: (letter: DeadLetter, input: { readonly value: JsonValue } | null) => Promise<void>
  readonly onClose: () => void
}) {
  const { letter, onReplay, onClose } = props
  const loaded = useRunInput(letter, onClose)
  if (loaded === null) return null
  return (
    <InputDialog
      title={words.editTitle}
      lead={words.editLead}
      action={{ label: 'Replay', icon: RotateCcw }}
      payload={loaded.payload}
      onSend={(input) => onReplay(letter, input)}
      onClose={onClose}
    />
  )
}

/** What the run was started with: a letter has only the input of its step. */
function useRunInput(
  { runId }: DeadLetter,
  onClose: () => void,
): { readonly payload: Payload | null } | null {
  const designer = useDesigner()
  const [loaded, setLoaded] = useState<{ readonly payload: Payload | null } | null>(null)
  useEffect(() => {
    if (runId === null) return
    void attempt(designer, () => designer.connection.call('runs.get', { runId })).then((snapshot) => {
      if (snapshot === null) onClose()
      else setLoaded({ payload: snapshot.run.input })
    })
    // It is asked for once, when the dialog opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [designer, runId])
  return loaded
}
