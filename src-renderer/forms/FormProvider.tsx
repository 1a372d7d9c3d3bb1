/** Around every form: what its widgets know, and the parts that contain others. */

import type { ReactNode } from 'react'
import type { FormContext } from './form-context.ts'
import { FormContextValue } from './form-context.ts'
import type { FormParts } from './form-parts.ts'
import { FormPartsContext } from './form-parts.ts'
import { ObjectForm } from './SchemaForm.tsx'
import { FieldWidget } from './widgets/FieldWidget.tsx'

const parts: FormParts = { ObjectForm, FieldWidget }

export function FormProvider({
  value,
  children,
}: {
  readonly value: FormContext
  readonly children: ReactNode
}) {
  return (
    <FormPartsContext value={parts}>
      <FormContextValue value={value}>{children}</FormContextValue>
    </FormPartsContext>
  )
}
