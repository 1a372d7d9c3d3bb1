/** What bounds the work of this process, read before it takes any. */

import { recordOfThrown } from '../model/errors.ts'
import type { RunnerDependencies } from './runner.ts'

/** The policy, and limits: better none of these than no work, the lines read them again. */
export async function readBounds({ limits, policy, log }: RunnerDependencies): Promise<void> {
  await policy.book.refresh()
  await limits
    .refresh()
    .catch((thrown: unknown) => log.warn('limits.unread', { error: recordOfThrown(thrown).message }))
}
