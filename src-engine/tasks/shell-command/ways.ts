/** Which ways out a command takes. */

import type { ShellCommandParameters } from './spec.ts'

/** Without ways of their own for some codes there is nothing to choose from. */
export const takenWays = (
  { exitMeanings }: Pick<ShellCommandParameters, 'exitMeanings'>,
  way: string,
): readonly string[] | null => (exitMeanings.some(({ countsAs }) => countsAs === 'way') ? [way] : null)
