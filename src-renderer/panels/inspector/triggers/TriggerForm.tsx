/** One trigger: on or off, its title, and the form of its kind; folded until it is wanted or wrong. */

import { ChevronRight, X } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { inputJsonSchema } from '../../../../src-engine/model/schema-walk.ts'
import type { WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { changeTrigger, removeTrigger } from '../../../commands/triggers.ts'
import { isWithin, useForm } from '../../../forms/form-context.ts'
import { ObjectForm } from '../../../forms/SchemaForm.tsx'
import { useDesigner } from '../../../state/context.ts'
import { fill } from '../../../text/messages.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import controls from '../../../ui/controls.module.css'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TaskIcon } from '../../../ui/TaskIcon.tsx'
import { SchedulePreview } from './SchedulePreview.tsx'
import styles from './Triggers.module.css'

interface TriggerProps {
  readonly id: string
  readonly trigger: WorkflowTrigger
}

export function TriggerForm({ id, trigger }: TriggerProps) {
  const designer = useDesigner()
  const { isReadOnly, problems } = useForm()
  const body = useId()
  const [isOpen, setOpen] = useState(false)
  const spec = triggerSpecsByKind.get(trigger.kind)
  const title = trigger.title ?? spec?.title ?? trigger.kind
  const isWrong = problems.some(({ field }) => isWithin(field, `triggers.${id}`))
  const isShown = isOpen || isWrong
  const isOn = trigger.enabled ?? true
  const { edit, endGesture } = designer.document.getState()
  return (
    <li className={styles['trigger']} data-testid="trigger" data-trigger={id} data-on={isOn || undefined}>
      <div className={styles['head']}>
        <button type="button" aria-expanded={isShown} aria-controls={body} onClick={() => setOpen(!isShown)}>
          <ChevronRight size={14} aria-hidden />
          <TaskIcon name={spec?.icon} size={15} strokeWidth={1.9} />
          <b>{title}</b>
          <small>{isOn ? spec?.summary(trigger.parameters ?? {}) : words.off}</small>
        </button>
        <label title={words.isOn}>
          <input
            type="checkbox"
            aria-label={`${words.isOn}: ${title}`}
            checked={isOn}
            disabled={isReadOnly}
            onChange={(event) => {
              edit(changeTrigger(id, { enabled: event.currentTarget.checked }))
              endGesture()
            }}
          />
        </label>
        {!isReadOnly && (
          <IconButton
            icon={X}
            label={fill(words.remove, { title })}
            onClick={() => edit(removeTrigger(id))}
          />
        )}
      </div>
      <div id={body} hidden={!isShown} className={styles['body']}>
        {isShown && <TriggerBody id={id} trigger={trigger} />}
      </div>
    </li>
  )
}

function TriggerBody({ id, trigger }: TriggerProps) {
  const designer = useDesigner()
  const { isReadOnly, onLeave } = useForm()
  const field = useId()
  const spec = triggerSpecsByKind.get(trigger.kind)
  const schema = useMemo(() => (spec === undefined ? null : inputJsonSchema(spec.parameters)), [spec])
  const { edit } = designer.document.getState()
  const parameters = trigger.parameters ?? {}
  if (spec === undefined || schema === null) {
    return (
      <>
        <p className={styles['lead']}>{fill(words.unknown, { kind: trigger.kind })}</p>
        <pre className={styles['raw']}>{JSON.stringify(parameters, null, 2)}</pre>
      </>
    )
  }
  return (
    <>
      <p className={styles['lead']}>{spec.description}</p>
      <div className={styles['field']}>
        <label htmlFor={field}>{words.name}</label>
        <input
          id={field}
          className={controls['field']}
          data-testid="trigger-title"
          readOnly={isReadOnly}
          placeholder={spec.title}
          value={trigger.title ?? ''}
          onChange={(event) => edit(changeTrigger(id, { title: event.currentTarget.value }))}
          onBlur={onLeave}
        />
      </div>
      <ObjectForm
        schema={schema}
        value={parameters}
        path={`triggers.${id}.parameters`}
        onChange={(value, touched) => edit(changeTrigger(id, { parameters: value }, touched))}
      />
      {trigger.kind === 'cron' && <SchedulePreview parameters={parameters} />}
    </>
  )
}
