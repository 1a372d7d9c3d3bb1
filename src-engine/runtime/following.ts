/** Checkpoints that are sent before what they build on is answered. */

import type { Checkpoint } from '../model/checkpoint.ts'
import type { OpId } from '../model/ids.ts'

/**
 * The same, but refused together with the one before it: without that, another process's write in between
 * may have given the run the very version that this one expects.
 */
export function following(checkpoint: Checkpoint, after: OpId): Checkpoint {
  const { expect } = checkpoint
  if (expect.run === undefined) return checkpoint
  return { ...checkpoint, expect: { ...expect, run: { ...expect.run, after } } }
}
