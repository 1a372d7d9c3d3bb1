/** Words of what became of a step, move by move. */

import type { ActorKind } from '../../src-engine/model/invocation-status.ts'

export const stepHistoryWords = {
  title: 'History',
  count: '{count} moves',
  lasted: 'for {span}',
  owner: 'with',
  nobody: 'nobody has it',
  try: 'try {number}',
  goTo: 'Look at this moment',
  loading: 'Reading the history …',
} as const

/** Who moves steps, where it isn't a runner or a person with a name. */
export const actorWords: Readonly<Record<ActorKind, string>> = {
  runner: 'a runner',
  run: 'the run',
  recovery: 'recovery',
  reconciler: 'the reconciler',
  operator: 'somebody',
  policy: 'the policy',
  scan: 'the output policy',
  timer: 'a timer',
  trigger: 'a trigger',
}
