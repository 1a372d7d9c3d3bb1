/** Events that were emitted, newest first, with what they carried and which triggers they met. */

import { Radio } from 'lucide-react'
import { useState } from 'react'
import type { EventRecord } from '../../../../src-engine/model/event-record.ts'
import { pageSizeMax } from '../../../../src-engine/model/limits.ts'
import { useDesigner, useRecords } from '../../../state/context.ts'
import { fill } from '../../../text/messages.ts'
import { records as words } from '../../../text/record-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { RowTop } from '../split/RowTop.tsx'
import { SplitList } from '../split/SplitList.tsx'
import split from '../split/SplitPage.module.css'
import { SplitPage } from '../split/SplitPage.tsx'
import { EventDetail } from './EventDetail.tsx'

const pageStep = 50

export function EventRecords() {
  const designer = useDesigner()
  const eventId = useRecords((state) => state.eventId)
  const [limit, setLimit] = useState(pageStep)
  const { answer, error } = useLiveAnswer('events.list', { after: null, limit })
  if (answer === null) return <PageError error={error} />
  const { events, next } = answer
  // One that somebody was led to may be older than what is listed.
  const chosenId = eventId ?? events[0]?.id ?? null
  if (chosenId === null) {
    return <EmptyState icon={Radio} text={words.events.empty} testId="events-empty" />
  }
  return (
    <SplitPage
      label={words.events.label}
      list={
        events.length === 0 ? (
          <p className={page['none']}>{words.none}</p>
        ) : (
          <SplitList
            label={words.events.label}
            name="event"
            entries={events}
            chosen={events.find(({ id }) => id === chosenId) ?? null}
            idOf={({ id }) => id}
            onChoose={(id) => designer.records.getState().look({ eventId: id })}
            Row={EventRow}
          />
        )
      }
      foot={
        <>
          <span>{fill(words.count, { count: String(events.length) })}</span>
          {next !== null && limit < pageSizeMax && (
            <Button isSmall kind="quiet" onClick={() => setLimit(Math.min(limit + pageStep, pageSizeMax))}>
              {words.older}
            </Button>
          )}
        </>
      }
    >
      <EventDetail key={chosenId} eventId={chosenId} />
    </SplitPage>
  )
}

function EventRow({ entry }: { readonly entry: EventRecord }) {
  return (
    <>
      <RowTop title={entry.name} at={entry.at} />
      <span className={split['message']}>{metWords(entry)}</span>
    </>
  )
}

function metWords({ met }: EventRecord): string {
  if (met.length === 0) return words.events.metNone
  return met.length === 1 ? words.events.metOne : fill(words.events.met, { count: String(met.length) })
}
