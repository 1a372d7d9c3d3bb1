/** What starts the workflow by itself. */

import { triggerSpecs } from '../../../../src-engine/triggers/specs.ts'
import { freeTriggerId } from '../../../commands/new-ids.ts'
import { runCommand } from '../../../commands/registry.ts'
import { addTrigger } from '../../../commands/triggers.ts'
import { useForm } from '../../../forms/form-context.ts'
import { useDesigner } from '../../../state/context.ts'
import { useShownDocument } from '../../../state/selectors.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import controls from '../../../ui/controls.module.css'
import { TriggerForm } from './TriggerForm.tsx'
import styles from './Triggers.module.css'

const kinds = Object.values(triggerSpecs)

export function TriggerList() {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const known = useShownDocument((document) => document.triggers)
  const entries = Object.entries(known ?? {})
  const add = (kind: string): void => {
    const spec = kinds.find((one) => one.kind === kind)
    if (spec === undefined) return
    const id = freeTriggerId(kind, new Set(Object.keys(known ?? {})))
    designer.document.getState().edit(addTrigger(id, { kind, parameters: spec.defaults }))
  }
  return (
    <section className={styles['triggers']} aria-label={words.title} data-testid="triggers">
      <h3>{words.title}</h3>
      <p className={styles['lead']}>{entries.length === 0 ? words.none : words.some}</p>
      {entries.length > 0 && (
        <ul>
          {entries.map(([id, trigger]) => (
            <TriggerForm key={id} id={id} trigger={trigger} />
          ))}
        </ul>
      )}
      {!isReadOnly && entries.length > 0 && (
        <button
          type="button"
          className={controls['button']}
          data-testid="publish-here"
          onClick={() => runCommand(designer, 'run.publish')}
        >
          {words.publish}
        </button>
      )}
      {!isReadOnly && (
        <select
          className={controls['field']}
          aria-label={words.add}
          data-testid="add-trigger"
          value=""
          onChange={(event) => add(event.currentTarget.value)}
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
