/** The widget of a field, by its kind. */

import type { ReactNode } from 'react'
import { MappedExpression } from '../mapping/MappedExpression.tsx'
import { isExpressionText } from '../schema-fields.ts'
import { ChoicesField } from './ChoicesField.tsx'
import { ClusterField } from './ClusterField.tsx'
import { CodeField } from './CodeField.tsx'
import { DurationField } from './DurationField.tsx'
import { KeyValueField } from './KeyValueField.tsx'
import { ListField } from './ListField.tsx'
import { NumberField } from './NumberField.tsx'
import { ObjectField } from './ObjectField.tsx'
import { PathField } from './PathField.tsx'
import { SelectField } from './SelectField.tsx'
import { SwitchField } from './SwitchField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { UnionField } from './UnionField.tsx'
import { VersionField } from './VersionField.tsx'
import { WorkflowField } from './WorkflowField.tsx'
import type { WidgetProps } from './widget-props.ts'

export function FieldWidget(props: WidgetProps): ReactNode {
  const { field, value } = props
  switch (field.kind) {
    case 'expression':
      return field.schema['mapped'] === true ? <MappedExpression {...props} /> : <CodeField {...props} />
    case 'code':
      return <CodeField {...props} />
    case 'number':
      return isExpressionText(value) ? <TemplateField {...props} /> : <NumberField {...props} />
    case 'duration':
      return isExpressionText(value) ? <TemplateField {...props} /> : <DurationField {...props} />
    case 'switch':
      return isExpressionText(value) ? <TemplateField {...props} /> : <SwitchField {...props} />
    case 'select':
      return isExpressionText(value) ? <TemplateField {...props} /> : <SelectField {...props} />
    case 'choices':
      return <ChoicesField {...props} />
    case 'key-value':
      return <KeyValueField {...props} />
    case 'list':
      return <ListField {...props} />
    case 'union':
      return <UnionField {...props} />
    case 'object':
      return <ObjectField {...props} />
    case 'workflow':
      return <WorkflowField {...props} />
    case 'cluster':
      return <ClusterField {...props} />
    case 'version':
      return <VersionField {...props} />
    case 'path':
      return <PathField {...props} />
    default:
      return <TemplateField {...props} />
  }
}
