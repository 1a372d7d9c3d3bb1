/** What every widget is given. */

import type { JsonValue } from '../../../src-engine/model/json.ts'
import type { FormField } from '../schema-fields.ts'

export interface WidgetProps {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly path: string
  readonly id: string
  readonly isInvalid: boolean
  /** Its name where no label of the form belongs to it. */
  readonly label?: string
  readonly onChange: (value: JsonValue | undefined, field: string) => void
}
