/** What can be asked of a rollback: begin it by hand, try again, skip, give up. */

import { Ban, RotateCcw, SkipForward, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { InvocationId, RunId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { actOnRollback } from '../../state/act-on-rollback.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { undoableOf } from '../../state/rollback.ts'
import type { RunModel } from '../../state/run-model.ts'
import { shownUntil } from '../../state/runs-store.ts'
import { rollback as words } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ReasonDialog } from '../dialogs/ReasonDialog.tsx'
import styles from './RollbackPanel.module.css'

type Asked = 'compensate' | 'skip' | 'abandon'

/** Whether anything can be asked: not of a copy, nor in the past. */
function useIsNow(): boolean {
  return useRuns(
    ({ current }) =>
      current !== null && current.pulled === null && shownUntil(current) === Number.POSITIVE_INFINITY,
  )
}

/** Of the rollback as a whole. */
export function WholeActions({ model }: { readonly model: RunModel }) {
  const designer = useDesigner()
  const isNow = useIsNow()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { run } = model.replay
  if (run === null || !isNow) return null
  const hasFailed = run.status === 'COMPENSATION_FAILED'
  const retry = (): void => {
    void attempt(designer, () =>
      actOnRollback(designer, { runId: run.id, action: 'retry', of: null, reason: null }),
    )
  }
  return (
    <span className={styles['actions']}>
      {undoableOf(model) > 0 && (
        <Button isSmall icon={Undo2} testId="rollback-compensate" onClick={() => setAsked('compensate')}>
          {words.ask.compensate.label}
        </Button>
      )}
      {hasFailed && (
        <>
          <Button isSmall kind="primary" icon={RotateCcw} testId="rollback-retry-all" onClick={retry}>
            {words.retryAll}
          </Button>
          <Button
            isSmall
            kind="danger"
            icon={Ban}
            testId="rollback-abandon"
            onClick={() => setAsked('abandon')}
          >
            {words.ask.abandon.label}
          </Button>
        </>
      )}
      {asked !== null && <Question asked={asked} runId={run.id} of={null} onClose={() => setAsked(null)} />}
    </span>
  )
}

/** Of one step that could not be undone. */
export function EntryActions({ undo: { runId, id, nodeId } }: { readonly undo: InvocationRecord }) {
  const designer = useDesigner()
  const isNow = useIsNow()
  const isWaiting = useRuns(({ current }) => current?.live.replay.run?.status === 'COMPENSATION_FAILED')
  const [isAsked, setAsked] = useState(false)
  if (!isNow || !isWaiting) return null
  const retry = (): void => {
    void attempt(designer, () => actOnRollback(designer, { runId, action: 'retry', of: id, reason: null }))
  }
  return (
    <>
      <Button isSmall icon={RotateCcw} testId={`undo-retry-${nodeId}`} onClick={retry}>
        {words.retry}
      </Button>
      <Button isSmall icon={SkipForward} testId={`undo-skip-${nodeId}`} onClick={() => setAsked(true)}>
        {words.ask.skip.label}
      </Button>
      {isAsked && <Question asked="skip" runId={runId} of={id} onClose={() => setAsked(false)} />}
    </>
  )
}

function Question(props: {
  readonly asked: Asked
  readonly runId: RunId
  readonly of: InvocationId | null
  readonly onClose: () => void
}) {
  const { asked, runId, of, onClose } = props
  const designer = useDesigner()
  const { title, text, label } = words.ask[asked]
  return (
    <ReasonDialog
      title={title}
      text={text}
      // The dots say that a question comes first; here it is.
      label={label.replace(' …', '')}
      field={words.reason}
      isDangerous={asked !== 'compensate'}
      onSend={(reason) => actOnRollback(designer, { runId, action: asked, of, reason })}
      onClose={onClose}
    />
  )
}
