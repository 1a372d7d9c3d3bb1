/** What drawn steps say, and what it means: the simulator has no language for it. */

import { createHash } from 'node:crypto'

/** Whether a failure is tried again, by the number of the attempt that failed. */
export const retryConditions: ReadonlyMap<string, (attempt: number) => boolean> = new Map<
  string,
  (attempt: number) => boolean
>([
  ['again', () => true],
  ['never', () => false],
  ['only after the first', (attempt) => attempt === 1],
])

/** Nobody can say what it says. */
export const unclearCondition = 'unclear'

/** Whether a run ends after its step. */
export const stopConditions: ReadonlyMap<string, boolean> = new Map([
  ['enough', true],
  ['not enough', false],
])

/** The expression for the key of a map's item that is its own key. */
export const itemItself = 'item'

/** What a step says in the first generation of its run, of every other number that arrives at it. */
export const oddAtFirst = 'odd ones fail at first'

/** A compensation that is to fail so often more than this fails in so many rounds, as often as it is tried there. */
export const roundsFrom = 100

/** What a drawn step makes of what arrived at it; the same step with the same input always gives the same. */
export const digestOfStep = (nodeId: string, input: string): string =>
  createHash('sha256').update(nodeId).update(input).digest('hex').slice(0, 12)
