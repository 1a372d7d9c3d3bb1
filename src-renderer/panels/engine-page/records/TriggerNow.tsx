/** A trigger as it is now: why nothing comes, where nothing does. */

import type { SourceProblem } from '../../../../src-engine/model/trigger.ts'
import type { StreamReading, TriggerView } from '../../../../src-engine/protocol/trigger-views.ts'
import { fill } from '../../../text/messages.ts'
import { records as words } from '../../../text/record-words.ts'
import { aheadWords, momentWords } from '../../../ui/time-words.ts'
import { useSecondClock } from '../../../ui/use-clock.ts'
import styles from './Records.module.css'

export function TriggerNow({ view }: { readonly view: TriggerView }) {
  const now = useSecondClock()
  return (
    <section className={styles['now']} aria-label={words.now.title} data-testid="trigger-now">
      <h3>{words.now.title}</h3>
      <ul>
        {nowWords(view, now).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

/** Each thing that decides about what comes, as a sentence. */
function nowWords(view: TriggerView, now: number): readonly string[] {
  const { problem, on, kind, nextAt, waiting, since, reading, folderProblem } = view
  if (problem !== null) return [fill(words.now.problem, { problem })]
  if (!on) return [words.now.off]
  const next =
    nextAt !== null
      ? [fill(words.now.next, { time: aheadWords(nextAt, now) })]
      : kind === 'cron'
        ? [words.now.never]
        : []
  return [
    words.now.on,
    ...next,
    ...(reading === null ? [] : readingWords(reading)),
    ...(folderProblem === null ? [] : [sinceWords(words.now.unwatched, folderProblem)]),
    ...(waiting.length === 0 ? [] : [fill(words.now.waiting, { count: String(waiting.length) })]),
    // A group remembers what was added meanwhile.
    ...(reading === null ? [fill(words.now.since, { time: momentWords(since) })] : []),
  ]
}

const sinceWords = (text: string, { at, message, hint }: SourceProblem): string =>
  fill(text, { time: momentWords(at), message, hint })

function readingWords({ problem, open, last }: StreamReading): readonly string[] {
  const { now } = words
  return [
    ...(problem === null ? [] : [sinceWords(now.unread, problem)]),
    ...(last === null ? [] : [fill(now.read, { id: last.id, time: momentWords(last.at) })]),
    ...(open === 0 ? [] : [fill(now.open, { count: String(open) })]),
  ]
}
