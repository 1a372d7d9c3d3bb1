/** Where a followed value began, in words: the same in the window and at the prompt. */

import type { StepBack } from './step-back.ts'

export const originWords: Readonly<Record<Exclude<StepBack['how'], 'copied' | 'made'>, string>> = {
  'run-input': 'what the run was started with',
  trigger: 'what its trigger brought',
  step: 'what the step did or found',
  error: 'what the step before failed with',
  literal: 'written into the workflow',
  variable: 'a variable of the workflow',
  secret: 'a secret, which is never shown',
  engine: 'the engine’s own',
  unknown: 'where it began can’t be seen from here',
}
