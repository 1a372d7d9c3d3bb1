/** What starts the workflow by itself, by name; the forms are where one is selected. */

import { triggerSpecs, triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { addTriggerOf } from '../../../canvas/triggers/add-trigger.ts'
import { summaryOf } from '../../../canvas/triggers/trigger-look.ts'
import { usePublication } from '../../../canvas/triggers/use-publication.ts'
import { useForm } from '../../../forms/form-context.ts'
import { useDesigner } from '../../../state/context.ts'
import { useShownDocument } from '../../../state/selectors.ts'
import { publishTriggers } from '../../../state/trigger-acts.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import controls from '../../../ui/controls.module.css'
import { TaskIcon } from '../../../ui/TaskIcon.tsx'
import styles from './Triggers.module.css'

const kinds = Object.values(triggerSpecs)

export function TriggerList() {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const publication = usePublication()
  const entries = Object.entries(useShownDocument((document) => document.triggers) ?? {})
  return (
    <section className={styles['triggers']} aria-label={words.title} data-testid="triggers">
      <h3>{words.title}</h3>
      <p className={styles['lead']}>{entries.length === 0 ? words.none : words.some}</p>
      {entries.length > 0 && (
        <ul>
          {entries.map(([id, { kind, title, parameters = {} }]) => (
            <li key={id}>
              <button
                type="button"
                className={styles['row']}
                data-testid="trigger-row"
                onClick={() => designer.view.getState().select({ triggers: [id] })}
              >
                <TaskIcon name={triggerSpecsByKind.get(kind)?.icon} size={15} strokeWidth={1.9} />
                <b>{title ?? triggerSpecsByKind.get(kind)?.title ?? kind}</b>
                <small>{summaryOf(kind, parameters)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && publication !== 'done' && (
        <button
          type="button"
          className={controls['button']}
          data-testid="publish-all"
          onClick={() => void publishTriggers(designer)}
        >
          {publication === 'workflow' ? words.publishWorkflow : words.publish}
        </button>
      )}
      {!isReadOnly && (
        <select
          className={controls['field']}
          aria-label={words.add}
          data-testid="add-trigger"
          value=""
          onChange={(event) => addTriggerOf(designer, event.currentTarget.value)}
        >
          <option value="">{words.addShort}</option>
          {kinds.map(({ kind, title }) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      )}
    </section>
  )
}
