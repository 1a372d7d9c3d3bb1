/** The key beside a text that may hold a secret; nothing where none may stand. */

import { nodeId as asNodeId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { SecretPicker } from '../secrets/SecretPicker.tsx'
import { useForm } from './form-context.ts'
import type { FormField } from './schema-fields.ts'
import { holdsSecretName } from './schema-fields.ts'

/** Kinds of fields that are one text. */
const texts: readonly string[] = ['text', 'multiline']

export function SecretOfField(props: {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly path: string
  readonly onChange: (text: string) => void
}) {
  const { field, value, path, onChange } = props
  const { isReadOnly, nodeId, onLeave } = useForm()
  const takesName = holdsSecretName(field)
  const takesSecret = nodeId !== null && typeof field.schema['secret'] === 'string'
  if (isReadOnly || !texts.includes(field.kind) || !(takesName || takesSecret)) return null
  return (
    <SecretPicker
      nodeId={nodeId === null ? null : asNodeId(nodeId)}
      path={path}
      takesName={takesName}
      title={field.title}
      text={typeof value === 'string' ? value : ''}
      onChange={(text) => {
        onChange(text)
        onLeave()
      }}
    />
  )
}
