/** What became of each run that something was asked of: refusals first, with their reasons. */

import { ArrowRight, CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { BulkAction } from '../../../src-engine/protocol/run-control.ts'
import { doneWords } from '../../state/bulk.ts'
import type { BulkResult } from '../../state/bulk-all.ts'
import { useDesigner } from '../../state/context.ts'
import { showRunOf } from '../../state/show-run.ts'
import { bulk, fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import dialogs from '../dialogs/dialogs.module.css'
import styles from './BulkResults.module.css'

interface Results {
  readonly action: BulkAction
  readonly results: readonly BulkResult[]
  readonly onClose: () => void
}

/** As a dialog of its own. */
export function BulkResultsDialog(props: Results) {
  return (
    <Modal title={bulk.results} onClose={props.onClose} testId="bulk-results-dialog" width={560}>
      <div className={dialogs['body']}>
        <BulkResults {...props} />
      </div>
    </Modal>
  )
}

/** As many rows as are shown without asking for more. */
const rowsShown = 100

/** The list with its button, inside a dialog. */
export function BulkResults({ action, results, onClose }: Results) {
  const [shown, setShown] = useState(rowsShown)
  const foot = useRef<HTMLElement>(null)
  // What had the focus may have gone with the question: Enter and Escape belong to the answer.
  useEffect(() => foot.current?.querySelector<HTMLElement>('[data-focus]')?.focus(), [])
  const refused = results.filter(({ error }) => error !== null)
  const sorted = [...refused, ...results.filter(({ error }) => error === null)]
  const rest = sorted.length - shown
  return (
    <>
      <output className={styles['sums']} data-testid="bulk-sums">
        {refused.length > 0 && (
          <b data-tone="bad">
            {refused.length === 1 ? bulk.refusedOne : fill(bulk.refused, { count: refused.length })}
          </b>
        )}
        <span>{doneWords(action, results) ?? ''}</span>
      </output>
      {sorted.length > 0 && (
        <ul className={styles['results']} aria-label={bulk.results}>
          {sorted.slice(0, shown).map((result) => (
            <Result key={result.runId} result={result} onOpened={onClose} />
          ))}
        </ul>
      )}
      <footer ref={foot}>
        {rest > 0 && (
          <Button onClick={() => setShown(shown + rowsShown)}>
            {fill(bulk.moreResults, { count: Math.min(rest, rowsShown) })}
          </Button>
        )}
        <Button kind="primary" data-focus testId="bulk-results-close" onClick={onClose}>
          Close
        </Button>
      </footer>
    </>
  )
}

function Result({ result, onOpened }: { readonly result: BulkResult; readonly onOpened: () => void }) {
  const { runId, workflowTitle, startedRunId, error } = result
  const Icon = error === null ? CircleCheck : CircleAlert
  return (
    <li data-testid="bulk-result" data-tone={error === null ? 'good' : 'bad'}>
      <Icon size={15} aria-hidden />
      <div>
        <span className="visually-hidden">{error === null ? bulk.done : bulk.refusal}</span>
        <b>{workflowTitle}</b>
        <p>
          <RunLink runId={runId} label={bulk.open} onOpened={onOpened} />
          {startedRunId !== null && (
            <>
              <ArrowRight size={13} aria-hidden />
              <RunLink runId={startedRunId} label={bulk.openNew} onOpened={onOpened} />
            </>
          )}
        </p>
        {error !== null && <Reason {...error} />}
      </div>
    </li>
  )
}

function Reason({ message, hint }: ErrorRecord) {
  return (
    <>
      <p>{message}</p>
      {hint !== null && <small>{hint}</small>}
    </>
  )
}

function RunLink(props: { readonly runId: RunId; readonly label: string; readonly onOpened: () => void }) {
  const { runId, label, onOpened } = props
  const designer = useDesigner()
  return (
    <button
      type="button"
      title={label}
      onClick={() => {
        onOpened()
        void showRunOf(designer, { runId, nodeId: null })
      }}
    >
      <code>{runId}</code>
    </button>
  )
}
