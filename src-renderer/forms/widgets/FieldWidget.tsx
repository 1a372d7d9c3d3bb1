/** The widget of a field, by its kind. */

import type { ReactNode } from 'react'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { ObjectForm } from '../SchemaForm.tsx'
import type { FormField } from '../schema-fields.ts'
import { isExpressionText } from '../schema-fields.ts'
import { CodeField } from './CodeField.tsx'
import { DurationField } from './DurationField.tsx'
import { KeyValueField } from './KeyValueField.tsx'
import { ListField } from './ListField.tsx'
import { NumberField } from './NumberField.tsx'
import { SelectField } from './SelectField.tsx'
import { SwitchField } from './SwitchField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { UnionField } from './UnionField.tsx'

export interface WidgetProps {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly path: string
  readonly id: string
  readonly isInvalid: boolean
  readonly onChange: (value: JsonValue | undefined, field: string) => void
}

export function FieldWidget(props: WidgetProps): ReactNode {
  const { field, value, path, onChange } = props
  switch (field.kind) {
    case 'code':
    case 'expression':
      return <CodeField {...props} />
    case 'number':
      return isExpressionText(value) ? <TemplateField {...props} /> : <NumberField {...props} />
    case 'duration':
      return isExpressionText(value) ? <TemplateField {...props} /> : <DurationField {...props} />
    case 'switch':
      return isExpressionText(value) ? <TemplateField {...props} /> : <SwitchField {...props} />
    case 'select':
      return isExpressionText(value) ? <TemplateField {...props} /> : <SelectField {...props} />
    case 'key-value':
      return <KeyValueField {...props} />
    case 'list':
      return <ListField {...props} />
    case 'union':
      return <UnionField {...props} />
    case 'object':
      return (
        <ObjectForm
          schema={field.schema}
          value={isJsonObject(value) ? value : {}}
          path={path}
          onChange={(next, touched) => onChange(next, touched)}
        />
      )
    case 'text':
    case 'multiline':
    case 'path':
      return <TemplateField {...props} />
  }
}
