/** One of a few values. */

import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import { plainText } from '../schema-fields.ts'
import type { WidgetProps } from './widget-props.ts'

export function SelectField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  const shown = plainText(value ?? field.defaultValue ?? '')
  const isKnown = field.choices.some((choice) => plainText(choice.value) === shown)
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
      {!isKnown && <option value={shown}>{shown === '' ? 'Choose …' : `${shown} (not a choice)`}</option>}
      {field.choices.map((choice) => (
        <option key={plainText(choice.value)} value={plainText(choice.value)}>
          {choice.title}
        </option>
      ))}
    </select>
  )
}
