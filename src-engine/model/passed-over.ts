/** Steps that their own condition kept from running: what their records say of it. */

import type { Cause, InvocationRecord } from './invocation.ts'

/** The cause's kind of a step that handed on what arrived at it instead of running. */
const passedOver = 'passed-over'

/** Of a step that doesn't run: `condition` is what holds. A skip by a person names that person. */
export const passedOverCause = (
  { id }: Pick<InvocationRecord, 'id'>,
  how: { readonly condition: string; readonly handsOn: boolean },
): Cause => ({ kind: how.handsOn ? passedOver : 'skipped', by: id, detail: how.condition })

/** The condition that kept the step from running; null for a step that none did. */
export const passedOverBy = ({ id, cause }: Pick<InvocationRecord, 'id' | 'cause'>): string | null =>
  cause.by === id && (cause.kind === passedOver || cause.kind === 'skipped') ? (cause.detail ?? '') : null
