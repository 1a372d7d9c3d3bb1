/** What the document says of a trigger: its title, whether it is on, and the form of its kind. */

import { useId, useMemo } from 'react'
import { compositeKind } from '../../../../src-engine/model/composite.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../../src-engine/model/schema-walk.ts'
import type { TriggerSpec } from '../../../../src-engine/model/trigger-spec.ts'
import type { WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { changeTrigger } from '../../../commands/triggers.ts'
import { useForm } from '../../../forms/form-context.ts'
import { ObjectForm } from '../../../forms/SchemaForm.tsx'
import { useDesigner } from '../../../state/context.ts'
import { fill } from '../../../text/messages.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import controls from '../../../ui/controls.module.css'
import { ConditionsForm } from './ConditionsForm.tsx'
import { SchedulePreview } from './SchedulePreview.tsx'
import styles from './Triggers.module.css'

interface TriggerProps {
  readonly id: string
  readonly trigger: WorkflowTrigger
}

export function TriggerForm({ id, trigger }: TriggerProps) {
  const designer = useDesigner()
  const spec = triggerSpecsByKind.get(trigger.kind)
  const schema = useMemo(() => (spec === undefined ? null : formSchemaOf(spec)), [spec])
  const { edit } = designer.document.getState()
  const parameters = trigger.parameters ?? {}
  if (spec === undefined || schema === null) {
    return (
      <>
        <p className={styles['lead']}>{fill(words.unknown, { kind: trigger.kind })}</p>
        <pre className={styles['raw']} data-testid="trigger-raw">
          {JSON.stringify(parameters, null, 2)}
        </pre>
      </>
    )
  }
  return (
    <>
      <p className={styles['lead']}>{spec.description}</p>
      <Name id={id} trigger={trigger} usual={spec.title} />
      {trigger.kind === compositeKind && <ConditionsForm id={id} parameters={parameters} />}
      <ObjectForm
        schema={schema}
        value={parameters}
        path={`triggers.${id}.parameters`}
        onChange={(value, touched) => edit(changeTrigger(id, { parameters: value }, touched))}
      />
      {trigger.kind === 'cron' && <SchedulePreview parameters={parameters} />}
      {trigger.kind !== 'manual' && <InDocument id={id} trigger={trigger} />}
    </>
  )
}

/** What has a form of its own is left out. */
function formSchemaOf({ kind, parameters }: TriggerSpec): JsonObject {
  const schema = inputJsonSchema(parameters)
  if (kind !== compositeKind || !isJsonObject(schema['properties'])) return schema
  const { mode: _mode, conditions: _conditions, ...properties } = schema['properties']
  return { ...schema, properties }
}

function Name({ id, trigger, usual }: TriggerProps & { readonly usual: string }) {
  const designer = useDesigner()
  const { isReadOnly, onLeave } = useForm()
  const field = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={field}>{words.name}</label>
      <input
        id={field}
        className={controls['field']}
        data-testid="trigger-title"
        readOnly={isReadOnly}
        placeholder={usual}
        value={trigger.title ?? ''}
        onChange={(event) =>
          designer.document.getState().edit(changeTrigger(id, { title: event.currentTarget.value }))
        }
        onBlur={onLeave}
      />
    </div>
  )
}

/** Part of the document, unlike the switch of a published one. */
function InDocument({ id, trigger }: TriggerProps) {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const { edit, endGesture } = designer.document.getState()
  return (
    <label className={styles['check']} title={words.isOnHint}>
      <input
        type="checkbox"
        data-testid="trigger-enabled"
        checked={trigger.enabled ?? true}
        disabled={isReadOnly}
        onChange={(event) => {
          edit(changeTrigger(id, { enabled: event.currentTarget.checked }))
          endGesture()
        }}
      />
      {words.inDocument}
    </label>
  )
}
