/** Where a run is to stop, for whoever looks for a mistake in it. */

import type { NodeId } from './ids.ts'

/** Before each step of the node, or where its condition holds. Never part of a definition. */
export interface Breakpoint {
  readonly nodeId: NodeId
  /** A JSONata expression that sees what the step's own expressions see; null for always. */
  readonly condition: string | null
}

/** Of one run. */
export const breakpointsMax = 100
