/** One event: what it carried, where it came from, and what came of it. */

import type { EventRecord } from '../../../../src-engine/model/event-record.ts'
import { runIdOf } from '../../../../src-engine/model/ids.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { useDesigner } from '../../../state/context.ts'
import { showFiring } from '../../../state/show-records.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { records as words } from '../../../text/record-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { JsonTree } from '../../../ui/JsonTree.tsx'
import { momentWords } from '../../../ui/time-words.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import facts from '../../inspector/Inspector.module.css'
import { PageError } from '../PageError.tsx'
import split from '../split/SplitPage.module.css'
import styles from './Records.module.css'
import { outcomeWords } from './record-rows.ts'

export function EventDetail({ eventId }: { readonly eventId: string }) {
  const { answer, error } = useLiveAnswer('events.show', { eventId })
  if (answer === null) return <PageError error={error} />
  const { event, payload, firings } = answer
  return (
    <article className={split['detail']} data-testid="event-detail" aria-label={event.name}>
      <header>
        <h1>{event.name}</h1>
      </header>
      <EventFacts event={event} />
      <section className={facts['block']} data-testid="event-payload">
        <header>
          <h3>{words.events.payload}</h3>
        </header>
        <JsonTree value={payload} />
      </section>
      <Met event={event} firings={firings} />
    </article>
  )
}

function EventFacts({ event }: { readonly event: EventRecord }) {
  const designer = useDesigner()
  const { at, source, messageId, correlation } = event
  return (
    <dl className={facts['facts']}>
      <dt>{words.events.at}</dt>
      <dd>{momentWords(at)}</dd>
      <dt>{words.events.id}</dt>
      <dd>
        <code>{messageId}</code>
      </dd>
      {correlation !== null && (
        <>
          <dt>{words.events.key}</dt>
          <dd>{correlation}</dd>
        </>
      )}
      <dt>{words.events.from}</dt>
      <dd>
        {source === null ? (
          words.events.outside
        ) : (
          <Button
            isSmall
            onClick={() =>
              void showRunOf(designer, { runId: runIdOf(source), nodeId: null, invocationId: source })
            }
          >
            {words.events.showSender}
          </Button>
        )}
      </dd>
    </dl>
  )
}

function Met(props: { readonly event: EventRecord; readonly firings: readonly FiringRecord[] }) {
  const { event, firings } = props
  const designer = useDesigner()
  if (event.met.length === 0) {
    return (
      <p className={styles['hint']} data-testid="event-nobody">
        {words.events.nobody}
      </p>
    )
  }
  return (
    <ul className={styles['met']} data-testid="event-met">
      {event.met.map(({ workflowId, triggerId, firingId }) => {
        const firing = firings.find(({ id }) => id === firingId) ?? null
        return (
          <li key={`${workflowId} ${triggerId}`}>
            <span>
              <b>{triggerId}</b> {firing === null ? words.events.gathered : outcomeWords(firing)}
            </span>
            {firing !== null && (
              <Button isSmall testId="event-firing" onClick={() => showFiring(designer, firing)}>
                {words.why}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
