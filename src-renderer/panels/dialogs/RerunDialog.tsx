/** Runs the shown run again: with its input or another, on its version or on the one that is open. */

import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { RunLine } from '../../clusters/RunLine.tsx'
import { useDesigner, useRuns } from '../../state/context.ts'
import { openVersion, rerun } from '../../state/rerun.ts'
import { isUnderWay } from '../../state/runs-store.ts'
import { reruns } from '../../text/messages.ts'
import { InputDialog } from './InputDialog.tsx'
import { VersionChoice } from './VersionChoice.tsx'

export function RerunDialog() {
  const designer = useDesigner()
  const run = useRuns((state) => state.current?.live.replay.run ?? null)
  const underWay = useRuns((state) => isUnderWay(state.current))
  const [version, setVersion] = useState<'same' | 'open'>('same')
  const close = (): void => designer.view.getState().setDialog(null)
  if (run === null) return null
  return (
    <RunLine>
      <InputDialog
        title={`Run ${run.workflowTitle} again`}
        lead={underWay ? reruns.leadUnderWay : reruns.lead}
        action={{ label: 'Run again', icon: RotateCcw }}
        payload={run.input}
        onSend={async (input) => {
          await rerun(designer, { runId: run.id, input, version })
        }}
        onClose={close}
      >
        <VersionChoice value={version} open={openVersion(designer)} onChange={setVersion} />
      </InputDialog>
    </RunLine>
  )
}
