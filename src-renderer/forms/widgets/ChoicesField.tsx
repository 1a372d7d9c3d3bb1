/** Any number of a few values: a box for each, all in sight. */

import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import type { WidgetProps } from './widget-props.ts'

export function ChoicesField({ field, value, path, id, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  const shown = value ?? field.defaultValue
  const chosen = new Set(Array.isArray(shown) ? shown : [])
  const toggle = (one: (typeof field.choices)[number]['value']): void => {
    const next = field.choices
      .map((choice) => choice.value)
      .filter((known) => chosen.has(known) !== (known === one))
    onChange(next, path)
    onLeave()
  }
  return (
    <fieldset className={styles['choices']} aria-labelledby={`${id}-label`} disabled={isReadOnly}>
      {field.choices.map((choice, index) => (
        <label key={choice.title}>
          <input
            id={index === 0 ? id : undefined}
            type="checkbox"
            checked={chosen.has(choice.value)}
            onChange={() => toggle(choice.value)}
          />
          <span>
            {choice.title}
            {choice.hint !== null && <small>{choice.hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
