/** What the form around a widget knows. */

import { createContext, useContext } from 'react'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { FormField } from './schema-fields.ts'

/** A value for a field that is at hand. */
export interface OfferedValue {
  readonly label: string
  readonly hint: string
  readonly take: () => void
}

export interface FormContext {
  /** The node whose data previews use; null for forms outside of a node. */
  readonly nodeId: string | null
  /** The node whose data its expressions see, in a form whose other fields hold none; absent where `nodeId` says it. */
  readonly expressionsOf?: string
  readonly problems: readonly Problem[]
  readonly isReadOnly: boolean
  /** False where no run has the data yet that expressions would be tried on. Default true. */
  readonly isPreviewed?: boolean
  /** Takes a text that is pasted into a field, where it means more than its letters; false for any other. */
  readonly onPaste?: (path: string, text: string) => boolean
  /** Values for fields, by their paths, that a press takes; none when absent. */
  readonly offers?: Readonly<Record<string, OfferedValue>>
  /** The path of the field of code that writing begins in; absent where that is up to what surrounds the form. */
  readonly begins?: string
  /** A field was written in or left, by its path; absent where it is told at once what is wrong with it. */
  readonly onTouch?: (path: string) => void
  /** A field was left: what was typed into it is one step. */
  readonly onLeave: () => void
}

/** A field with its place in the form. */
export interface FieldRowProps {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly path: string
  readonly onChange: (value: JsonValue | undefined, field: string) => void
}

export const FormContextValue = createContext<FormContext>({
  nodeId: null,
  problems: [],
  isReadOnly: false,
  onLeave: () => undefined,
})

/** The form this widget stands in. */
export const useForm = (): FormContext => useContext(FormContextValue)

/** The node whose data the expressions of a field see; null where it holds none. */
export function dataNodeOf(
  { nodeId, expressionsOf }: Pick<FormContext, 'nodeId' | 'expressionsOf'>,
  kind: FormField['kind'],
): string | null {
  return nodeId ?? (kind === 'expression' ? (expressionsOf ?? null) : null)
}

/** Whether a problem's field is this one or inside of it. */
export function isWithin(field: string | null, path: string): boolean {
  return field !== null && (field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`))
}
