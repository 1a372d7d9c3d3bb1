/** One step alone, on what a run had for the steps before it, or on something else. */

import { Play, TriangleAlert } from 'lucide-react'
import { useBreakpoints, useDesigner, useDocument, useRuns } from '../../state/context.ts'
import { runOnly, runToTryOn } from '../../state/debugging.ts'
import { nodesAt } from '../../state/run-model.ts'
import { debugWords as words } from '../../text/debug-words.ts'
import { fill } from '../../text/messages.ts'
import { instantWords } from '../../ui/time-words.ts'
import { useSlowClock } from '../../ui/use-clock.ts'
import styles from './dialogs.module.css'
import { InputDialog } from './InputDialog.tsx'

export function TryStepDialog() {
  const designer = useDesigner()
  const id = useBreakpoints((state) => state.asked)
  const node = useDocument((state) => (id === null ? undefined : state.history.document.nodes[id]))
  const now = useSlowClock()
  const from = runToTryOn(designer)
  const before = useRuns(({ current }) =>
    current === null || id === null || current.runId !== from?.runId
      ? null
      : (nodesAt(current.live, {}).get(id)?.invocation?.dispatch?.input ?? null),
  )
  if (id === null || node === undefined || from === null) return null
  const spec = designer.specs.get(node.kind)
  const effect = node.sideEffect ?? spec?.sideEffect
  return (
    <InputDialog
      title={fill(words.tryTitle, { title: node.title ?? spec?.title ?? id })}
      lead={fill(words.tryLead, { time: instantWords(from.at, now) })}
      action={{ label: words.tryAction, icon: Play }}
      payload={before}
      onSend={(input) => runOnly(designer, id, { runId: from.runId, input })}
      onClose={() => designer.view.getState().setDialog(null)}
    >
      {effect !== undefined && effect !== 'pure' && (
        <p className={styles['stays']} data-testid="try-effect">
          <TriangleAlert size={13} aria-hidden /> {words.tryEffect}
        </p>
      )}
    </InputDialog>
  )
}
