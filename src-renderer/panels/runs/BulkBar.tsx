/** What can be asked of the marked runs: each button says of how many of them. */

import type { LucideIcon } from 'lucide-react'
import { GitCompareArrows, Pause, Play, Square, StepForward, X } from 'lucide-react'
import { useState } from 'react'
import type { BulkAction } from '../../../src-engine/protocol/run-control.ts'
import { areComparable, compareMarked } from '../../state/begin-comparison.ts'
import { askRuns, runsByAction } from '../../state/bulk.ts'
import { useDesigner } from '../../state/context.ts'
import { comparisonWords } from '../../text/comparison-words.ts'
import { bulk, fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx'
import styles from './RunsPanel.module.css'
import type { MarkedRuns } from './use-marked-runs.ts'

const buttons: Readonly<Record<BulkAction, { readonly title: string; readonly icon: LucideIcon }>> = {
  pause: { title: 'Pause', icon: Pause },
  resume: { title: 'Resume', icon: Play },
  retry: { title: 'Retry', icon: StepForward },
  cancel: { title: 'Cancel', icon: Square },
}

export function BulkBar({ marks }: { readonly marks: MarkedRuns }) {
  const designer = useDesigner()
  const [isAsking, setAsking] = useState(false)
  const { marked, markAll, clear } = marks
  const actions = runsByAction(marked.map(({ run }) => run)).filter(({ runIds }) => runIds.length > 0)
  const records = marked.map(({ run }) => run)
  const mayCompare = areComparable(records)
  const toCancel = actions.find(({ action }) => action === 'cancel')?.runIds ?? []
  return (
    <div className={styles['bulk']} role="toolbar" aria-label="Marked runs" data-testid="bulk-bar">
      <div className={styles['bulkHead']}>
        <b>{`${marked.length} marked`}</b>
        <Button isSmall kind="quiet" testId="bulk-all" onClick={markAll}>
          All
        </Button>
        <IconButton icon={X} label="Mark none" onClick={clear} />
      </div>
      <div className={styles['bulkActions']}>
        {mayCompare && (
          <Button
            isSmall
            icon={GitCompareArrows}
            testId="bulk-compare"
            onClick={() => compareMarked(designer, records)}
          >
            {comparisonWords.mark}
          </Button>
        )}
        {actions.length === 0 && !mayCompare && <small>{bulk.none}</small>}
        {actions.map(({ action, runIds }) => (
          <Button
            key={action}
            isSmall
            icon={buttons[action].icon}
            testId={`bulk-${action}`}
            {...(action === 'cancel' ? { kind: 'danger' as const } : {})}
            onClick={() =>
              action === 'cancel' && runIds.length > 1
                ? setAsking(true)
                : void askRuns(designer, action, runIds)
            }
          >
            {runIds.length === marked.length
              ? buttons[action].title
              : `${buttons[action].title} ${runIds.length}`}
          </Button>
        ))}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={bulk.cancelTitle}
          text={fill(bulk.cancelText, { count: toCancel.length })}
          label={`Cancel ${toCancel.length} runs`}
          isDangerous
          onConfirm={() => askRuns(designer, 'cancel', toCancel)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
