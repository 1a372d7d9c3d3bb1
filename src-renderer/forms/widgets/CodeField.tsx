/** Code and expressions. */

import type { JsonValue } from '../../../src-engine/model/json.ts'
import { useView } from '../../state/context.ts'
import { pendingFor } from '../../state/field-wish.ts'
import { isWithin, useForm } from '../form-context.ts'
import { EditorPart } from './EditorPart.tsx'
import type { WidgetProps } from './widget-props.ts'

export function CodeField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const { isReadOnly, onLeave, begins } = useForm()
  // Whoever is led here while the editor is still being loaded begins once it is there.
  const isWished = useView(
    ({ fieldWish }) => pendingFor(fieldWish, (wished) => isWithin(wished, path)) !== null,
  )
  const isJson = field.language === 'json'
  const text = textOf(value ?? field.defaultValue)
  const change = (next: string): void =>
    onChange(isJson ? parsed(next) : next === '' && !field.isRequired ? undefined : next, path)
  return (
    <EditorPart
      id={id}
      label={field.title}
      text={text}
      language={field.kind === 'expression' ? 'jsonata' : (field.language ?? 'text')}
      placeholder={field.placeholder ?? ''}
      isReadOnly={isReadOnly}
      sees={field.sees}
      isInvalid={isInvalid}
      takesFocus={begins === path || isWished}
      isLarge={field.kind === 'code' && !isJson}
      onChange={change}
      onLeave={onLeave}
    />
  )
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

/** JSON as its value; text that is not JSON (yet), or holds expressions, as it is. */
function parsed(text: string): JsonValue | undefined {
  if (text.trim() === '') return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    // A quoted text would otherwise lose its quotes when it is shown again.
    return typeof value === 'string' ? text : value
  } catch {
    return text
  }
}
