/** Where a run is to stop, for whoever looks for a mistake in it. */

import type { NodeId } from './ids.ts'

/** Before each step of the node, or where its condition holds. Never part of a definition. */
export interface Breakpoint {
  readonly nodeId: NodeId
  /** A JSONata expression that sees what the step's own expressions see; null for always. */
  readonly condition: string | null
  /** Only the n-th time that it would stop, and not after that; absent for each time. */
  readonly nth?: number | undefined
  /** How many such times a run has gone by, or stopped: the run keeps it; absent for none. */
  readonly passed?: number
}

/** Of one run. */
export const breakpointsMax = 100
/** More often no step of a run is begun. */
export const breakpointNthMax = 1_000_000

/** Whether it stops no more: the time at which it was to has been. */
export const isSpent = ({ nth, passed = 0 }: Breakpoint): boolean => nth !== undefined && passed >= nth

/** New breakpoints for a run: those that were there before go on counting. */
export function withCounts(
  points: readonly Breakpoint[],
  before: readonly Breakpoint[],
): readonly Breakpoint[] {
  return points.map((point) => {
    const same = before.find(
      ({ nodeId, condition, nth }) =>
        nodeId === point.nodeId && condition === point.condition && nth === point.nth,
    )
    return same ?? point
  })
}

type PackedBreakpoint = readonly [NodeId, string | null, number?, number?]

/** The short form that records are kept in. */
export const packBreakpoints = (points: readonly Breakpoint[]): readonly PackedBreakpoint[] =>
  points.map(({ nodeId, condition, nth, passed }) => {
    if (nth === undefined) return [nodeId, condition]
    return passed === undefined ? [nodeId, condition, nth] : [nodeId, condition, nth, passed]
  })

/** From their short form. */
export const unpackBreakpoints = (packed: readonly PackedBreakpoint[]): readonly Breakpoint[] =>
  packed.map(([nodeId, condition, nth, passed]) => ({
    nodeId,
    condition,
    ...(nth === undefined ? {} : { nth }),
    ...(passed === undefined ? {} : { passed }),
  }))
