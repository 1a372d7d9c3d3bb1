/** Asks one thing of every run that the list's filter fits: says of how many, and asks again before it does. */

import { useEffect, useId, useRef, useState } from 'react'
import type { BulkAction } from '../../../src-engine/protocol/run-control.ts'
import type { RunSearch } from '../../../src-engine/protocol/run-search.ts'
import { tellDone } from '../../state/bulk.ts'
import type { BulkResult, BulkWish } from '../../state/bulk-all.ts'
import { askAll, bulkOrder, countedMax, countRuns, statusesFor } from '../../state/bulk-all.ts'
import { useDesigner } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { loadRuns } from '../../state/follow-runs.ts'
import type { RunListFilter } from '../../state/runs-store.ts'
import { bulkAll, fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Modal } from '../../ui/Modal.tsx'
import dialogs from '../dialogs/dialogs.module.css'
import { BulkResults } from './BulkResults.tsx'
import styles from './RunsPanel.module.css'

type Counts = Readonly<Partial<Record<BulkAction, number>>>

interface Asked {
  readonly action: BulkAction
  readonly results: readonly BulkResult[]
  readonly isOver: boolean
}

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
  const { asked, send, stop } = useSending(designer, { ...filter, until })
  return (
    <Modal title={bulkAll.title} onClose={onClose} testId="bulk-all-dialog" width={460}>
      {asked?.isOver === true ? (
        <div className={dialogs['body']}>
          <BulkResults action={asked.action} results={asked.results} onClose={onClose} />
        </div>
      ) : (
        <WishForm
          {...{ filter, words, until, asked, onSend: send }}
          onClose={asked === null ? onClose : stop}
        />
      )}
    </Modal>
  )
}

/** What was asked, and how far it has come. Who closes the dialog meanwhile stops it, and is told how many followed. */
function useSending(designer: Designer, filter: RunListFilter & RunSearch & { readonly until: number }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const isStopped = useRef(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const send = async (action: BulkAction, version: BulkWish['version']): Promise<void> => {
    let soFar: readonly BulkResult[] = []
    const told = (results: readonly BulkResult[], isOver = false): void => {
      soFar = results
      setAsked({ action, results, isOver })
    }
    told([])
    const wish: BulkWish = { ...filter, action, version, requestId: designer.ambient.newId() }
    const watch = { isStopped: () => isStopped.current || isGone.current, told }
    // What followed before a page couldn't be asked for is told all the same.
    await attempt(designer, () => askAll(designer, wish, watch))
    await loadRuns(designer)
    if (isGone.current) tellDone(designer, action, soFar)
    else told(soFar, true)
  }
  return { asked, send, stop: () => void (isStopped.current = true) }
}

function WishForm(props: {
  readonly filter: RunListFilter & RunSearch
  readonly words: string
  readonly until: number
  readonly asked: Asked | null
  readonly onSend: (action: BulkAction, version: BulkWish['version']) => Promise<void>
  readonly onClose: () => void
}) {
  const { filter, words, until, asked, onSend, onClose } = props
  const counts = useCounts(useDesigner(), filter, until)
  const [chosen, setChosen] = useState<BulkAction | null>(null)
  const [version, setVersion] = useState<BulkWish['version']>('same')
  const count = chosen === null ? 0 : (counts[chosen] ?? 0)
  const isAsked = asked !== null
  const hasVersion = chosen === 'retry' || chosen === 'rerun'
  return (
    <form
      className={dialogs['body']}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null && count > 0 && !isAsked) void onSend(chosen, version)
      }}
    >
      <p>{fill(bulkAll.lead, { filter: words })}</p>
      <Choice counts={counts} chosen={chosen} isLocked={isAsked} onChoose={setChosen} />
      {chosen !== null && count > 0 && <p>{bulkAll.what[chosen]}</p>}
      {hasVersion && count > 0 && <VersionOf version={version} isLocked={isAsked} onChoose={setVersion} />}
      {isAsked && (
        <Meter
          label={bulkAll.progress}
          value={asked.results.length}
          max={count}
          words={fill(bulkAll.soFar, { done: asked.results.length, count: countWords(count) })}
        />
      )}
      <footer>
        <Button onClick={onClose}>{isAsked ? 'Stop here' : 'Close'}</Button>
        <Button
          type="submit"
          kind={chosen === 'cancel' ? 'danger' : 'primary'}
          testId="bulk-all-send"
          disabled={count === 0 || isAsked}
        >
          {chosen === null || count === 0
            ? bulkAll.choose
            : fill(count === 1 ? bulkAll.sendOne[chosen] : bulkAll.send[chosen], {
                count: countWords(count),
              })}
        </Button>
      </footer>
    </form>
  )
}

function VersionOf(props: {
  readonly version: BulkWish['version']
  readonly isLocked: boolean
  readonly onChoose: (version: BulkWish['version']) => void
}) {
  const { version, isLocked, onChoose } = props
  return (
    <label className={dialogs['labelled']}>
      {bulkAll.version}
      <select
        value={version}
        disabled={isLocked}
        data-testid="bulk-all-version"
        onChange={(event) => onChoose(event.target.value === 'newest' ? 'newest' : 'same')}
      >
        <option value="same">{bulkAll.versions.same}</option>
        <option value="newest">{bulkAll.versions.newest}</option>
      </select>
    </label>
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
      const wish: BulkWish = { ...filter, action, until, version: 'same', requestId: 'counted' }
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
