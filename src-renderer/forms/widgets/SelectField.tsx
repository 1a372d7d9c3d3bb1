/** One of a few values. */

import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import { plainText } from '../schema-fields.ts'
import type { WidgetProps } from './widget-props.ts'

export function SelectField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  const choices = Array.isArray(field.schema['enum']) ? field.schema['enum'].map(plainText) : []
  const shown = plainText(value ?? field.defaultValue ?? '')
  return (
    <select
      id={id}
      className={controls['field']}
      value={shown}
      disabled={isReadOnly}
      aria-invalid={isInvalid}
      onChange={(event) => {
        onChange(event.currentTarget.value, path)
        onLeave()
      }}
    >
      {!choices.includes(shown) && (
        <option value={shown}>{shown === '' ? 'Choose …' : `${shown} (not a choice)`}</option>
      )}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}
