/** A form whose fields are the top-level fields of something: each change names its field. */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { FieldRow } from './FieldRow.tsx'
import { FoldedGroup } from './FoldedGroup.tsx'
import { isWithin, useForm } from './form-context.ts'
import styles from './forms.module.css'
import type { FormField } from './schema-fields.ts'
import { countingFields, fieldsOf, groupsOf } from './schema-fields.ts'

export function SettingsForm(props: {
  readonly schema: JsonObject
  readonly value: JsonObject
  /** Of the object that the fields belong to; empty, as when absent, at the top. */
  readonly path?: string
  /** What each group comes to, by its title. */
  readonly summaries?: Readonly<Record<string, string>>
  readonly onChange: (key: string, value: JsonValue | undefined) => void
}) {
  const { schema, value, path = '', summaries, onChange } = props
  const { problems } = useForm()
  const pathOf = (key: string): string => (path === '' ? key : `${path}.${key}`)
  const isWrong = (key: string): boolean => problems.some(({ field }) => isWithin(field, pathOf(key)))
  const row = (field: FormField) => (
    <FieldRow
      key={field.key}
      field={field}
      value={value[field.key]}
      path={pathOf(field.key)}
      onChange={(next) => onChange(field.key, next)}
    />
  )
  return (
    <div className={styles['form']}>
      {groupsOf(countingFields(fieldsOf(schema), value, isWrong)).map(({ title, fields }) =>
        title === null ? (
          fields.map(row)
        ) : (
          <FoldedGroup
            key={title}
            title={title}
            summary={summaries?.[title] ?? null}
            fields={fields}
            value={value}
            path={path}
          >
            {fields.map(row)}
          </FoldedGroup>
        ),
      )}
    </div>
  )
}
