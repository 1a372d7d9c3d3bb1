/** What a schedule says in words, and when it starts next: from the calculator that starts it. */

import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { useDesigner } from '../../../state/context.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { previewRow } from './preview-rows.ts'
import styles from './Triggers.module.css'

const shownCount = 10

export function SchedulePreview({ parameters }: { readonly parameters: JsonObject }) {
  const designer = useDesigner()
  const { answer } = useLiveAnswer('triggers.preview', { parameters, from: null, count: shownCount })
  // What is wrong stands beside the field that is to blame.
  if (answer === null || answer.kind === 'problem') return null
  return (
    <section className={styles['preview']} aria-label={words.preview} data-testid="schedule-preview">
      <p data-testid="schedule-words">{answer.words}</p>
      {answer.slots.length === 0 ? (
        <p className={styles['never']}>{words.never}</p>
      ) : (
        <table>
          <caption>{words.preview}</caption>
          <tbody>
            {answer.slots.map(previewRow).map(({ key, date, time, utc, note }) => (
              <tr key={key} data-changed={note !== '' || undefined}>
                <td>{date}</td>
                <td>{time}</td>
                <td>{utc}</td>
                <td>{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <button
        type="button"
        className={styles['link']}
        data-testid="schedule-month"
        onClick={() => designer.view.getState().setEnginePage('schedules')}
      >
        {words.month}
      </button>
      {answer.rule !== null && <p className={styles['rule']}>{answer.rule}</p>}
    </section>
  )
}
