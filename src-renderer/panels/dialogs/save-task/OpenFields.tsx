/** Which parameters the steps of a task can be told, each with what this step says. */

import { useMemo } from 'react'
import type { CustomTask } from '../../../../src-engine/model/custom-task.ts'
import type { TaskField, TaskMaterial } from '../../../../src-engine/model/custom-task-of-step.ts'
import { inputJsonSchema } from '../../../../src-engine/model/schema-walk.ts'
import { shortened } from '../../../../src-engine/model/summary.ts'
import { countingFields, fieldsOf, plainText, valueWords } from '../../../forms/schema-fields.ts'
import { taskWords as words } from '../../../text/task-words.ts'
import own from './SaveTask.module.css'

/** Of a value beside its name. */
const valueCharsMax = 60

export function OpenFields(props: {
  readonly material: TaskMaterial
  readonly task: CustomTask
  readonly onChange: (open: readonly string[]) => void
}) {
  const { material, task, onChange } = props
  const { open, inputForm } = task
  const { base, parameters, fields } = material
  const shown = useMemo(
    () =>
      countingFields(fieldsOf(inputJsonSchema(base.parameters)), parameters).filter(
        ({ key }) => key !== 'input' || inputForm === undefined,
      ),
    [base, parameters, inputForm],
  )
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const toggle = (key: string): void =>
    onChange(open.includes(key) ? open.filter((other) => other !== key) : [...open, key])
  if (shown.length === 0) return null
  return (
    <fieldset className={own['open']}>
      <legend>{words.open}</legend>
      <p>{words.openHint}</p>
      <ul>
        {shown.map((form) => {
          const field = byKey.get(form.key)
          const value = parameters[form.key]
          const text = value === undefined ? words.notSet : (valueWords(form, value) ?? plainText(value))
          const hidden = field?.hasPlainSecret === true
          return (
            <li key={form.key}>
              <label>
                <input
                  type="checkbox"
                  checked={open.includes(form.key)}
                  disabled={hidden}
                  data-testid={`task-open-${form.key}`}
                  onChange={() => toggle(form.key)}
                />
                <b>{form.title}</b>
                <span data-unset={value === undefined}>
                  {hidden ? '•••' : shortened(text, valueCharsMax)}
                </span>
              </label>
              <Note field={field} isOpen={open.includes(form.key)} />
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

function Note({ field, isOpen }: { readonly field: TaskField | undefined; readonly isOpen: boolean }) {
  if (field?.hasPlainSecret === true) return <small>{words.plainSecret}</small>
  if (field?.readsSurroundings !== true) return null
  return <small>{isOpen ? words.reads : words.readsFixed}</small>
}
