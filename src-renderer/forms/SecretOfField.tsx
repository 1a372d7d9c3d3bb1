/** The key beside a text that may hold a secret; nothing where none may stand. */

import { nodeId as asNodeId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { SecretPicker } from '../secrets/SecretPicker.tsx'
import { useForm } from './form-context.ts'
import type { FormField } from './schema-fields.ts'

/** Kinds of fields that are one text. */
const texts: readonly string[] = ['text', 'multiline']

export function SecretOfField(props: {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly onChange: (text: string) => void
}) {
  const { field, value, onChange } = props
  const { isReadOnly, nodeId, onLeave } = useForm()
  const takesSecret = typeof field.schema['secret'] === 'string' && texts.includes(field.kind)
  if (!takesSecret || isReadOnly || nodeId === null) return null
  return (
    <SecretPicker
      nodeId={asNodeId(nodeId)}
      title={field.title}
      text={typeof value === 'string' ? value : ''}
      onChange={(text) => {
        onChange(text)
        onLeave()
      }}
    />
  )
}
