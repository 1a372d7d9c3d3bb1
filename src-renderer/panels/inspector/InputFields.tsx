/** The input form of a manual start: names, types, whether they must be given, what they start with. */

import { Plus, X } from 'lucide-react'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { useRowFocus } from '../../forms/use-row-focus.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './Inspector.module.css'
import type { InputField, InputType } from './input-fields.ts'
import { inputFieldsOf, inputSchemaOf, inputTypes } from './input-fields.ts'

export function InputFields(props: {
  readonly input: JsonObject | null
  readonly isReadOnly: boolean
  readonly onChange: (input: JsonObject | null) => void
  readonly onLeave: () => void
}) {
  const { input, isReadOnly, onChange, onLeave } = props
  const fields = inputFieldsOf(input)
  const rows = useRowFocus<HTMLElement>()
  const set = (next: readonly InputField[]): void => onChange(inputSchemaOf(input, next))
  const patch = (index: number, changes: Partial<InputField>): void => {
    const field = fields[index]
    if (field !== undefined) set(fields.with(index, { ...field, ...changes }))
  }
  return (
    <section className={styles['block']} aria-label="Input form" {...rows}>
      <header>
        <h3>Input form</h3>
      </header>
      <p className={styles['lead']}>
        {fields.length === 0
          ? 'Runs start at once. Add a field to ask for something first.'
          : 'Asked for when a run is started; read as run.input in expressions.'}
      </p>
      <div className={styles['fields']} onBlur={onLeave}>
        {fields.map((field, index) => (
          // A field's name is being edited, so its place is its identity.
          <div key={index} className={styles['inputField']} data-row>
            <input
              className={controls['field']}
              aria-label={`Name of field ${index + 1}`}
              value={field.name}
              readOnly={isReadOnly}
              onChange={(event) => patch(index, { name: freeName(fields, index, event.currentTarget.value) })}
            />
            <select
              className={controls['field']}
              aria-label={`Type of field ${index + 1}`}
              value={field.type}
              disabled={isReadOnly}
              onChange={(event) =>
                patch(index, { type: event.currentTarget.value as InputType, defaultValue: '' })
              }
            >
              {inputTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
            <IconButton
              icon={X}
              data-remove
              label={`Remove field ${field.name}`}
              disabled={isReadOnly}
              onClick={() => set(fields.toSpliced(index, 1))}
            />
            <div className={styles['inputMore']}>
              <input
                className={controls['field']}
                aria-label={`Default of field ${index + 1}`}
                placeholder="Starts with"
                value={field.defaultValue}
                readOnly={isReadOnly}
                onChange={(event) => patch(index, { defaultValue: event.currentTarget.value })}
              />
              <label>
                <input
                  type="checkbox"
                  checked={field.isRequired}
                  disabled={isReadOnly}
                  onChange={(event) => patch(index, { isRequired: event.currentTarget.checked })}
                />{' '}
                Required
              </label>
            </div>
          </div>
        ))}
      </div>
      {!isReadOnly && (
        <button
          type="button"
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          data-add
          onClick={() => set([...fields, newField(fields)])}
        >
          <Plus size={14} aria-hidden /> Add field
        </button>
      )}
    </section>
  )
}

function newField(fields: readonly InputField[]): InputField {
  return { name: freeName(fields, -1, 'field'), title: '', type: 'text', isRequired: false, defaultValue: '' }
}

/** Names are keys: another field's name gets a number. */
function freeName(fields: readonly InputField[], index: number, wanted: string): string {
  const taken = new Set(fields.filter((_field, at) => at !== index).map((field) => field.name))
  let name = wanted
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`
  return name
}
