/** Which field of a step is meant: where the keyboard and the code are, and which one somebody is led to. */

import type { DraggedValue } from '../forms/value-drag.ts'
import type { FieldPlace } from './field-tab.ts'
import type { FieldWish } from './field-wish.ts'
import { granted } from './field-wish.ts'
import type { Fresh } from './fresh.ts'
import { withTouched } from './fresh.ts'

export interface MeantFields {
  readonly fieldWish: FieldWish | null
  /** The field of a step that has the keyboard, or had it last. */
  readonly focusedField: FieldPlace | null
  /** The field of a step that the cursor of the code is at. */
  readonly codeField: FieldPlace | null
  /** An expression that the field is to take; `at` makes a repeated wish a new one. */
  readonly fieldGift: { readonly field: string; readonly dragged: DraggedValue; readonly at: number } | null
}

export const noFieldMeant: MeantFields = {
  fieldWish: null,
  focusedField: null,
  codeField: null,
  fieldGift: null,
}

export interface FieldActions {
  readonly focusField: (field: FieldPlace) => void
  readonly pointAtField: (field: FieldPlace | null) => void
  readonly wishField: (field: string) => void
  /** A field of the form of that node was written in, or left. */
  readonly touchField: (place: FieldPlace) => void
  readonly grantField: () => void
  /** Null takes back what no field took. */
  readonly giveField: (gift: { readonly field: string; readonly dragged: DraggedValue } | null) => void
}

type Fields = MeantFields & Fresh

export function fieldActions({
  set,
  get,
}: {
  readonly set: (change: Partial<Fields>) => void
  readonly get: () => Fields
}): FieldActions {
  let wishes = 0
  return {
    focusField: (field) => {
      const { focusedField } = get()
      if (focusedField?.field === field.field && focusedField.nodeId === field.nodeId) return
      set({ focusedField: field, codeField: null })
    },
    pointAtField: (codeField) => set({ codeField }),
    wishField: (field) => {
      // Whoever is led to a field wants to read there what is wrong with it.
      const { fresh } = get()
      set({
        fieldWish: { field, at: ++wishes, isGranted: false },
        ...(fresh === null ? {} : withTouched(get(), { nodeId: fresh, field })),
      })
    },
    touchField: (place) => {
      const change = withTouched(get(), place)
      if (change.touched !== get().touched) set(change)
    },
    grantField: () => set({ fieldWish: granted(get().fieldWish) }),
    giveField: (gift) => set({ fieldGift: gift === null ? null : { ...gift, at: ++wishes } }),
  }
}
