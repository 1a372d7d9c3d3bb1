/** An answer that is not what was asked for: another attempt may give a better one. */

import { SagasmithError } from '../../model/errors.ts'

/** More would be a list that nobody reads. */
const problemsMax = 20

/** The error of such an answer, with what is wrong with it. */
export function unfit(message: string, problems: readonly object[] = []): SagasmithError {
  return new SagasmithError('task_output_invalid', {
    message,
    hint: 'Let the step try again, say in the question what is wanted, or raise the tokens.',
    details: { problems: problems.slice(0, problemsMax).map((problem) => ({ ...problem })) },
    retryable: true,
  })
}
