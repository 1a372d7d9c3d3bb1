/** What a trigger has met and waits with: events of a batch, halves of a condition. */

import { conditionsOf } from '../../../../src-engine/model/composite.ts'
import type { TriggerView } from '../../../../src-engine/protocol/trigger-views.ts'
import { useDesigner } from '../../../state/context.ts'
import { clearTrigger } from '../../../state/trigger-acts.ts'
import { fill } from '../../../text/messages.ts'
import { sourceWords } from '../../../text/source-words.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import styles from './Triggers.module.css'

/** More than these are counted, not listed. */
const listedMax = 8

export function WaitingList({ view }: { readonly view: TriggerView }) {
  const designer = useDesigner()
  const now = useSlowClock()
  const { waiting } = view
  const names = conditionsOf(view.parameters)
  const more = waiting.length - listedMax
  return (
    <section className={styles['waiting']} aria-label={words.waiting.title} data-testid="trigger-waiting">
      <header>
        <h4>{words.waiting.title}</h4>
        <Button isSmall testId="trigger-clear" onClick={() => void clearTrigger(designer, view.triggerId)}>
          {words.waiting.clear}
        </Button>
      </header>
      <p>{words.waiting.lead}</p>
      <ul>
        {waiting.slice(0, listedMax).map(({ condition, id, source, takenAt }) => (
          <li key={`${condition} ${id}`}>
            <span>{`${names[condition] ?? condition + 1}: ${sourceWords(source)}`}</span>
            <small>{fill(words.waiting.since, { time: instantWords(takenAt, now) })}</small>
          </li>
        ))}
        {more > 0 && <li>{fill(words.waiting.more, { count: String(more) })}</li>}
      </ul>
    </section>
  )
}
