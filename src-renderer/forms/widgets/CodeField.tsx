/** Code and expressions: the editor is loaded when the first such field is shown. */

import { lazy, Suspense } from 'react'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import type { WidgetProps } from './widget-props.ts'

const CodeEditor = lazy(async () => ({ default: (await import('./CodeEditor.tsx')).CodeEditor }))

export function CodeField({ field, value, path, id, isInvalid, onChange }: WidgetProps) {
  const { isReadOnly, onLeave, begins } = useForm()
  const isJson = field.language === 'json'
  const text = textOf(value ?? field.defaultValue)
  const change = (next: string): void =>
    onChange(isJson ? parsed(next) : next === '' && !field.isRequired ? undefined : next, path)
  return (
    <Suspense fallback={<pre className={styles['loading']}>{text}</pre>}>
      <CodeEditor
        id={id}
        label={field.title}
        text={text}
        language={field.kind === 'expression' ? 'jsonata' : (field.language ?? 'text')}
        placeholder={field.placeholder ?? ''}
        isReadOnly={isReadOnly}
        sees={field.sees}
        isInvalid={isInvalid}
        takesFocus={begins === path}
        isLarge={field.kind === 'code' && !isJson}
        onChange={change}
        onLeave={onLeave}
      />
    </Suspense>
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
