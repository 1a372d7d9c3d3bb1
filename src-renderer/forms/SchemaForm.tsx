/** A form made from a JSON Schema: groups folded, one widget per field, problems in plain words beside them. */

import type { JsonValue } from '../../src-engine/model/json.ts'
import { FieldRow } from './FieldRow.tsx'
import { FoldedGroup } from './FoldedGroup.tsx'
import { isWithin, useForm } from './form-context.ts'
import type { ObjectFormProps } from './form-parts.ts'
import styles from './forms.module.css'
import type { FormField } from './schema-fields.ts'
import { countingFields, fieldsOf, groupsOf, inTheirLanguage, withField } from './schema-fields.ts'

/** The fields of an object. `field` names what was touched, so that typing joins into one step. */
export function ObjectForm({ schema, value, path, onChange }: ObjectFormProps) {
  const change = (key: string, next: JsonValue | undefined, touched: string): void =>
    onChange(withField(value, key, next), touched)
  const { problems } = useForm()
  const isWrong = (key: string): boolean => problems.some(({ field }) => isWithin(field, `${path}.${key}`))
  const row = (field: FormField) => (
    <FieldRow
      key={field.key}
      field={field}
      value={value[field.key]}
      path={`${path}.${field.key}`}
      onChange={(next, touched) => change(field.key, next, touched)}
    />
  )
  const groups = groupsOf(countingFields(inTheirLanguage(fieldsOf(schema), value), value, isWrong))
  if (groups.length === 0) return null
  return (
    <div className={styles['form']}>
      {groups.map(({ title, fields }) =>
        title === null ? (
          fields.map(row)
        ) : (
          <FoldedGroup key={title} title={title} fields={fields} value={value} path={path}>
            {fields.map(row)}
          </FoldedGroup>
        ),
      )}
    </div>
  )
}
