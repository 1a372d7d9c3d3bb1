/** What can be asked of the marked runs: each button says of how many of them. */

import type { LucideIcon } from 'lucide-react'
import { GitCompareArrows, Pause, Play, RotateCcw, Square, StepForward, X } from 'lucide-react'
import { useState } from 'react'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { BulkAction } from '../../../src-engine/protocol/run-control.ts'
import { areComparable, compareMarked } from '../../state/begin-comparison.ts'
import { askRuns, runsByAction, tellDone } from '../../state/bulk.ts'
import type { BulkResult } from '../../state/bulk-all.ts'
import { useDesigner } from '../../state/context.ts'
import { comparisonWords } from '../../text/comparison-words.ts'
import { bulk, fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx'
import { BulkResultsDialog } from './BulkResults.tsx'
import styles from './RunsPanel.module.css'
import type { MarkedRuns } from './use-marked-runs.ts'

const buttons: Readonly<Record<BulkAction, { readonly title: string; readonly icon: LucideIcon }>> = {
  pause: { title: 'Pause', icon: Pause },
  resume: { title: 'Resume', icon: Play },
  retry: { title: 'Retry', icon: StepForward },
  rerun: { title: 'Run again', icon: RotateCcw },
  cancel: { title: 'Cancel', icon: Square },
}

/** What many are asked for only after a question. */
type Grave = 'cancel' | 'rerun'
const isGrave = (action: BulkAction): action is Grave => action === 'cancel' || action === 'rerun'

interface Told {
  readonly action: BulkAction
  readonly results: readonly BulkResult[]
}

export function BulkBar({ marks }: { readonly marks: MarkedRuns }) {
  const designer = useDesigner()
  const [asking, setAsking] = useState<Grave | null>(null)
  const [told, setTold] = useState<Told | null>(null)
  const { marked, markAll, clear } = marks
  const actions = runsByAction(marked.map(({ run }) => run)).filter(({ runs }) => runs.length > 0)
  const records = marked.map(({ run }) => run)
  const mayCompare = areComparable(records)
  const askedOf = actions.find(({ action }) => action === asking)?.runs ?? []
  const ask = async (action: BulkAction, runs: readonly RunRecord[]): Promise<void> => {
    const results = await askRuns(designer, action, runs)
    if (results === null) return
    // A list is worth a dialog where there is more to say than that all went well.
    if (action === 'rerun' || results.some(({ error }) => error !== null)) setTold({ action, results })
    else tellDone(designer, action, results)
  }
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
        {actions.map(({ action, runs }) => (
          <Button
            key={action}
            isSmall
            icon={buttons[action].icon}
            testId={`bulk-${action}`}
            {...(action === 'cancel' ? { kind: 'danger' as const } : {})}
            onClick={() => (isGrave(action) && runs.length > 1 ? setAsking(action) : void ask(action, runs))}
          >
            {runs.length === marked.length
              ? buttons[action].title
              : `${buttons[action].title} ${runs.length}`}
          </Button>
        ))}
      </div>
      {asking !== null && (
        <ConfirmDialog
          title={bulk.ask[asking].title}
          text={fill(bulk.ask[asking].text, { count: askedOf.length })}
          label={fill(bulk.ask[asking].label, { count: askedOf.length })}
          isDangerous={asking === 'cancel'}
          onConfirm={() => ask(asking, askedOf)}
          onClose={() => setAsking(null)}
        />
      )}
      {told !== null && <BulkResultsDialog {...told} onClose={() => setTold(null)} />}
    </div>
  )
}
