/** An object inside of an object: a form of its own. */

import { isJsonObject } from '../../../src-engine/model/json.ts'
import { useFormParts } from '../form-parts.ts'
import type { WidgetProps } from './widget-props.ts'

export function ObjectField({ field, value, path, onChange }: WidgetProps) {
  const { ObjectForm } = useFormParts()
  return (
    <ObjectForm
      schema={field.schema}
      value={isJsonObject(value) ? value : {}}
      path={path}
      onChange={onChange}
    />
  )
}
