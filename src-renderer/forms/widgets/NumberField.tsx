/** A number; what can't be read as one is kept until it can. */

import { useState } from 'react'
import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import { plainText } from '../schema-fields.ts'
import type { WidgetProps } from './widget-props.ts'

export function NumberField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  // While `1.` or `-` is being written the field has no number yet.
  const [draft, setDraft] = useState<string | null>(null)
  const change = (text: string): void => {
    if (text.trim() === '') onChange(undefined, path)
    else if (Number.isFinite(Number(text))) onChange(Number(text), path)
    else if (text.includes('{{')) onChange(text, path)
    setDraft(text)
  }
  const shown = value ?? field.defaultValue
  return (
    <input
      id={id}
      className={controls['field']}
      inputMode="decimal"
      autoComplete="off"
      value={draft ?? (shown === undefined || shown === null ? '' : plainText(shown))}
      placeholder={field.placeholder ?? undefined}
      readOnly={isReadOnly}
      aria-invalid={isInvalid}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => {
        setDraft(null)
        onLeave()
      }}
    />
  )
}
