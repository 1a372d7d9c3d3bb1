/** One record: what happened, which trigger met it, what was decided, and the run that came of it. */

import type { ReactNode } from 'react'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { FiringRecord, OccurrenceSource } from '../../../../src-engine/model/trigger.ts'
import type { TriggerView } from '../../../../src-engine/protocol/trigger-views.ts'
import { summaryOf } from '../../../canvas/triggers/trigger-look.ts'
import { useDesigner } from '../../../state/context.ts'
import { showEvent, showRecordsOf } from '../../../state/show-records.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { fill } from '../../../text/messages.ts'
import { skipHints, records as words } from '../../../text/record-words.ts'
import { firingWords, sourceWords } from '../../../text/source-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { momentWords } from '../../../ui/time-words.ts'
import split from '../split/SplitPage.module.css'
import styles from './Records.module.css'
import { outcomeWords, slotWords, titleOfFiring } from './record-rows.ts'

interface DetailProps {
  readonly firing: FiringRecord
  /** As it is now; null for one that isn't published any more. */
  readonly trigger: TriggerView | null
}

export function FiringDetail({ firing, trigger }: DetailProps) {
  const designer = useDesigner()
  const title = titleOfFiring(firing, trigger?.title)
  const slots = slotWords(firing)
  return (
    <article className={split['detail']} data-testid="firing-detail" aria-label={title}>
      <header>
        <h1>{title}</h1>
        <div className={split['buttons']}>
          <Button testId="firing-only" onClick={() => showRecordsOf(designer, firing)}>
            {words.onlyThis}
          </Button>
        </div>
      </header>
      <ol className={styles['chain']} aria-label={words.chain.title}>
        <Link name={words.chain.source}>
          {slots !== null && <p>{slots}</p>}
          {firing.sources
            .filter(({ kind }) => kind !== 'slot')
            .map((source, index) => (
              // Sources have no identity but their place in the record.
              <Source key={index} source={source} />
            ))}
        </Link>
        <Link name={words.chain.condition}>
          <p>
            <b>{trigger?.workflowTitle ?? firing.workflowId}</b> · {title}
          </p>
          {trigger !== null && (
            <p className={styles['quiet']}>{summaryOf(trigger.kind, trigger.parameters)}</p>
          )}
        </Link>
        <Link name={words.chain.firing}>
          <p data-testid="firing-words">{firingWords(firing)}</p>
          <p className={styles['quiet']}>
            {momentWords(firing.at)}
            {firing.depth > 1 && ` — ${fill(words.depth, { depth: String(firing.depth) })}`}
          </p>
        </Link>
        <Outcome firing={firing} />
      </ol>
    </article>
  )
}

function Outcome({ firing }: { readonly firing: FiringRecord }) {
  const designer = useDesigner()
  const { runId: run, reason } = firing
  if (run !== null) {
    return (
      <Link name={words.chain.run} outcome="started">
        <p>{words.started}</p>
        <Button
          isSmall
          kind="primary"
          testId="firing-run"
          onClick={() => void showRunOf(designer, { runId: run, nodeId: null })}
        >
          {words.showRun}
        </Button>
      </Link>
    )
  }
  return (
    <Link name={words.chain.run} outcome="skipped">
      <p data-testid="firing-reason">{outcomeWords(firing)}</p>
      {reason !== null && (
        <p className={styles['hint']}>
          <b>{words.whatToDo}</b> {skipHints[reason] ?? ''}
        </p>
      )}
    </Link>
  )
}

function Link(props: {
  readonly name: string
  readonly outcome?: 'started' | 'skipped'
  readonly children: ReactNode
}) {
  return (
    <li data-outcome={props.outcome}>
      <h2>{props.name}</h2>
      {props.children}
    </li>
  )
}

function Source({ source }: { readonly source: OccurrenceSource }) {
  const designer = useDesigner()
  return (
    <p className={styles['source']}>
      <span>{sourceWords(source)}</span>
      {source.kind === 'event' && (
        <Button isSmall testId="source-event" onClick={() => showEvent(designer, source.eventId)}>
          {words.showEvent}
        </Button>
      )}
      {source.kind === 'run' && (
        <Button
          isSmall
          testId="source-run"
          onClick={() => void showRunOf(designer, { runId: runId(source.runId), nodeId: null })}
        >
          {words.showRun}
        </Button>
      )}
    </p>
  )
}
