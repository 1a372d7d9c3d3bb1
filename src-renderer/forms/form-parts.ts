/** Forms hold forms: the parts that contain others get them from here, so that no file imports itself. */

import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WidgetProps } from './widgets/widget-props.ts'

export interface ObjectFormProps {
  readonly schema: JsonObject
  readonly value: JsonObject
  /** Path of the object: `parameters`, `parameters.auth`. */
  readonly path: string
  readonly onChange: (value: JsonObject, field: string) => void
}

export interface FormParts {
  readonly ObjectForm: (props: ObjectFormProps) => ReactNode
  readonly FieldWidget: (props: WidgetProps) => ReactNode
}

export const FormPartsContext = createContext<FormParts | null>(null)

/** The parts of the form this widget stands in. */
export function useFormParts(): FormParts {
  const parts = useContext(FormPartsContext)
  if (parts === null) throw new Error('A form was used outside of a FormProvider.')
  return parts
}
