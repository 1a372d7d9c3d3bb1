/** On or off. */

import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import type { WidgetProps } from './widget-props.ts'

export function SwitchField({ field, value, path, id, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  const isOn = (value ?? field.defaultValue) === true
  return (
    <button
      type="button"
      id={id}
      role="switch"
      aria-checked={isOn}
      aria-labelledby={`${id}-label`}
      className={controls['switch']}
      disabled={isReadOnly}
      onClick={() => {
        onChange(!isOn, path)
        onLeave()
      }}
    />
  )
}
