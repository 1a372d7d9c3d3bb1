/**
 * Behaviours without a test, each with its reason. A line whose behaviour is proven after all is an error, so
 * the list can only shrink.
 */
import type { Exception } from './behaviour.ts'

const overridden = (reason: string): Exception => ({ kind: 'overridden', reason })

/** By id. */
export const exceptions: Readonly<Record<string, Exception>> = {
  C34: overridden('a tenant is a label of a workspace or run with limits, not an authenticated party'),
  C61: overridden(
    'a decision and what it leads to are one checkpoint: there is no approval that was given and is stuck',
  ),
  S18: overridden('an op-id names a request: its repetition gets the same answer, and the first one stands'),
}
