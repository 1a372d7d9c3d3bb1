/** One of several forms: choosing one keeps what the forms have in common. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import controls from '../../ui/controls.module.css'
import { useForm } from '../form-context.ts'
import { useFormParts } from '../form-parts.ts'
import styles from '../forms.module.css'
import { variantsOf } from '../schema-fields.ts'
import type { WidgetProps } from './widget-props.ts'

export function UnionField({ field, value, path, id, onChange }: WidgetProps) {
  const { isReadOnly, onLeave } = useForm()
  const { ObjectForm } = useFormParts()
  const variants = variantsOf(field.schema)
  const shown = value ?? field.defaultValue
  const object: JsonObject = isJsonObject(shown) ? shown : {}
  const current = variants.find((variant) => object[variant.tag] === variant.value) ?? variants[0]
  if (current === undefined) return null
  const choose = (index: number): void => {
    const next = variants[index]
    if (next === undefined) return
    const known = isJsonObject(next.schema['properties']) ? next.schema['properties'] : {}
    const kept = Object.fromEntries(Object.entries(object).filter(([key]) => key in known))
    onChange({ ...kept, [next.tag]: next.value }, path)
    onLeave()
  }
  return (
    <div className={styles['union']}>
      <select
        id={id}
        className={controls['field']}
        disabled={isReadOnly}
        value={variants.indexOf(current)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {variants.map((variant, index) => (
          <option key={variant.title} value={index}>
            {variant.title}
          </option>
        ))}
      </select>
      <ObjectForm
        schema={current.schema}
        value={object}
        path={path}
        onChange={(next, touched) => onChange({ ...next, [current.tag]: current.value }, touched)}
      />
    </div>
  )
}
