/** What became of a commit of one checkpoint: a value for all who wait for it, and none of them has to catch anything. */

import type { CommitAnswer } from '../model/checkpoint.ts'
import { SagasmithError } from '../model/errors.ts'

export interface CommitOutcome {
  /** Null when the store could not say; then `failure` is what it threw. */
  readonly answer: CommitAnswer | null
  readonly failure: unknown
}

export const outcomeOf = (answers: Promise<readonly CommitAnswer[]>): Promise<CommitOutcome> =>
  answers.then(answered, failed)

function answered([answer]: readonly CommitAnswer[]): CommitOutcome {
  if (answer === undefined)
    return failed(new SagasmithError('store_failed', { message: 'The store gave no answer.' }))
  return { answer, failure: null }
}

const failed = (failure: unknown): CommitOutcome => {
  return { answer: null, failure }
}
