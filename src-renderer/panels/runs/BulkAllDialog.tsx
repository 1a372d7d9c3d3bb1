/** Asks one thing of every run that the list's filter fits: says of how many, and asks again before it does. */

import { useEffect, useId, useRef, useState } from 'react'
import type { BulkAction } from '../../../src-engine/protocol/run-control.ts'
import type { RunSearch } from '../../../src-engine/protocol/run-search.ts'
import type { BulkCount, BulkWish } from '../../state/bulk-all.ts'
import { askAll, bulkOrder, countedMax, countRuns, statusesFor } from '../../state/bulk-all.ts'
import { useDesigner } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { loadRuns } from '../../state/follow-runs.ts'
import type { RunListFilter } from '../../state/runs-store.ts'
import { bulk, bulkAll, fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Modal } from '../../ui/Modal.tsx'
import dialogs from '../dialogs/dialogs.module.css'
import styles from './RunsPanel.module.css'

type Counts = Readonly<Partial<Record<BulkAction, number>>>

export function BulkAllDialog(props: {
  readonly filter: RunListFilter & RunSearch
  /** The filter in words. */
  readonly words: string
  readonly onClose: () => void
}) {
  const { filter, words, onClose } = props
  const designer = useDesigner()
  // Runs that begin from now on are not among those that were counted.
  const [until] = useState(() => filter.until ?? designer.ambient.now())
  const counts = useCounts(designer, filter, until)
  const [chosen, setChosen] = useState<BulkAction | null>(null)
  const [progress, setProgress] = useState<BulkCount | null>(null)
  const isStopped = useRef(false)
  useEffect(() => () => void (isStopped.current = true), [])
  const count = chosen === null ? 0 : (counts[chosen] ?? 0)
  const send = async (action: BulkAction): Promise<void> => {
    const wish: BulkWish = { ...filter, action, until }
    const watch = { isStopped: () => isStopped.current, told: setProgress }
    const told = await attempt(designer, () => askAll(designer, wish, watch))
    if (told !== null) tell(designer, action, told)
    await loadRuns(designer)
    onClose()
  }
  return (
    <Modal title={bulkAll.title} onClose={onClose} testId="bulk-all-dialog" width={460}>
      <form
        className={dialogs['body']}
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== null && count > 0 && progress === null) {
            setProgress({ done: 0, refused: 0, problem: null })
            void send(chosen)
          }
        }}
      >
        <p>{fill(bulkAll.lead, { filter: words })}</p>
        <Choice counts={counts} chosen={chosen} isLocked={progress !== null} onChoose={setChosen} />
        {chosen !== null && count > 0 && <p>{bulkAll.what[chosen]}</p>}
        {progress !== null && (
          <Meter
            label={bulkAll.progress}
            value={progress.done + progress.refused}
            max={count}
            words={fill(bulkAll.soFar, { done: progress.done + progress.refused, count: countWords(count) })}
          />
        )}
        <footer>
          <Button onClick={onClose}>{progress === null ? 'Close' : 'Stop here'}</Button>
          <Button
            type="submit"
            kind={chosen === 'cancel' ? 'danger' : 'primary'}
            testId="bulk-all-send"
            disabled={count === 0 || progress !== null}
          >
            {chosen === null || count === 0
              ? bulkAll.choose
              : fill(count === 1 ? bulkAll.sendOne[chosen] : bulkAll.send[chosen], {
                  count: countWords(count),
                })}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}

function Choice(props: {
  readonly counts: Counts
  readonly chosen: BulkAction | null
  readonly isLocked: boolean
  readonly onChoose: (action: BulkAction) => void
}) {
  const { counts, chosen, isLocked, onChoose } = props
  const name = useId()
  return (
    <fieldset className={dialogs['choice']}>
      <legend>{bulkAll.choose}</legend>
      {bulkOrder.map((action) => {
        const count = counts[action]
        return (
          <label key={action} className={styles['bulkChoice']}>
            <input
              type="radio"
              name={name}
              data-testid={`bulk-all-${action}`}
              checked={chosen === action}
              disabled={isLocked || count === undefined || count === 0}
              onChange={() => onChoose(action)}
            />
            <span>{bulkAll.actions[action]}</span>
            <output>{count === undefined ? '…' : countWords(count)}</output>
          </label>
        )
      })}
    </fieldset>
  )
}

/** How many runs each action would reach, as the counts come in. */
function useCounts(designer: Designer, filter: RunListFilter & RunSearch, until: number): Counts {
  const [counts, setCounts] = useState<Counts>({})
  useEffect(() => {
    let isShown = true
    for (const action of bulkOrder) {
      const wish: BulkWish = { ...filter, action, until }
      const counting =
        statusesFor(action, filter.statuses).length === 0 ? Promise.resolve(0) : countRuns(designer, wish)
      void attempt(designer, () => counting).then((count) => {
        if (isShown && count !== null) setCounts((before) => ({ ...before, [action]: count }))
      })
    }
    return () => {
      isShown = false
    }
  }, [designer, filter, until])
  return counts
}

const countWords = (count: number): string =>
  count >= countedMax ? `more than ${countedMax}` : String(count)

function tell(designer: Designer, action: BulkAction, { done, refused, problem }: BulkCount): void {
  const { toast } = designer.view.getState()
  if (done > 0) {
    const message = fill(done === 1 ? bulk.one[action] : bulk.many[action], { count: done })
    toast({ tone: 'good', message, hint: null })
  }
  if (refused > 0) toast({ tone: 'bad', message: fill(bulk.refused, { count: refused }), hint: problem })
}
