/** Steps of which nobody knows whether they happened, and whose kind can find out: the next attempt begins with that. */

import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { CompiledNode } from './compile.ts'

/** What such a step carries until somebody knows. */
export const inDoubt = (): ErrorRecord =>
  errorRecord('indeterminate_effect', {
    message: 'Nobody knows whether this step happened: its next attempt finds out before it begins.',
    hint: 'Nothing is to be done. Where it can’t be found out either, a person is asked.',
  })

/** Whether an attempt has to find out first whether an earlier one had its effect. */
export const isToVerify = (
  { onLost }: Pick<CompiledNode, 'onLost'>,
  { error }: Pick<InvocationRecord, 'error'>,
): boolean => onLost === 'verify' && error?.code === 'indeterminate_effect'
