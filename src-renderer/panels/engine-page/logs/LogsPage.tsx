/** What was printed and what happened, over all runs: looked through, followed, and led from to the run as it was. */

import { Radio, ScrollText, SearchX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useLogFilter } from '../../../state/context.ts'
import { logWords as words } from '../../../text/log-words.ts'
import { fill } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { EmptyState, WorkflowFirst } from '../../../ui/EmptyState.tsx'
import { momentWords } from '../../../ui/time-words.ts'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { LogFilters } from './LogFilters.tsx'
import { LogList } from './LogList.tsx'
import styles from './Logs.module.css'
import type { ShownEntries } from './shown-entries.ts'
import { allOf, entriesMax } from './shown-entries.ts'
import { useLogs } from './use-logs.ts'

export function LogsPage() {
  // While somebody types there is no answer to wait for.
  const filter = useDeferredValue(useLogFilter((state) => state.filter))
  const [isLive, setLive] = useState(true)
  const { shown, error, isLoading, older } = useLogs(filter, isLive)
  return (
    <div data-testid="logs-page">
      <header className={page['head']}>
        <h1>{words.page}</h1>
        <p className={styles['lead']}>{words.lead}</p>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          data-kind={isLive ? 'primary' : undefined}
          data-testid="logs-live"
          aria-pressed={isLive}
          title={isLive ? words.liveHint : words.pausedHint}
          onClick={() => setLive(!isLive)}
        >
          <Radio size={13} aria-hidden /> {words.live}
        </button>
      </header>
      <LogFilters />
      {error !== null && <PageError error={error} />}
      {shown === null ? (
        error === null && <p className={page['none']}>{words.loading}</p>
      ) : (
        <Found shown={shown} isLoading={isLoading} onOlder={older} />
      )}
    </div>
  )
}

function Found(props: {
  readonly shown: ShownEntries
  readonly isLoading: boolean
  readonly onOlder: () => void
}) {
  const { shown, isLoading, onOlder } = props
  const entries = allOf(shown)
  const { next, since, isCut } = shown
  return (
    <>
      {entries.length === 0 ? <Nothing shown={shown} isLoading={isLoading} /> : <LogList entries={entries} />}
      <p className={page['foot']} data-testid="logs-foot">
        {next !== null && (
          <Button isSmall testId="logs-older" disabled={isLoading} onClick={onOlder}>
            {isLoading ? words.loading : words.older}
          </Button>
        )}
        {next !== null && since !== null && ` ${fill(words.since, { since: momentWords(since) })}`}
        {isCut && fill(words.cut, { count: entriesMax })}
      </p>
    </>
  )
}

function Nothing({
  shown: { next, since },
  isLoading,
}: {
  readonly shown: ShownEntries
  readonly isLoading: boolean
}) {
  const isNarrowed = useLogFilter(
    ({ filter }) => filter.text + filter.run + filter.step + filter.runner !== '' || filter.time !== 'any',
  )
  if (isLoading) return <p className={page['none']}>{words.loading}</p>
  if (next !== null && since !== null)
    return <EmptyState icon={SearchX} text={fill(words.noneSoFar, { since: momentWords(since) })} />
  if (isNarrowed) return <EmptyState icon={SearchX} text={words.none} />
  return (
    <EmptyState icon={ScrollText} text={words.empty}>
      <WorkflowFirst />
    </EmptyState>
  )
}
