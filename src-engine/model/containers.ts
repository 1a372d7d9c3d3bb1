/** Kinds whose nodes have a body: steps that stand inside of them. */

/** What repeats its body turn after turn. */
export const loopKind = 'loop'

/** What ends the loop around it. */
export const breakLoopKind = 'break-loop'

/** What takes the loop around it to its next turn. */
export const nextTurnKind = 'next-turn'

/** Whether nodes of this kind leave the turn of the loop around them. */
export const leavesTurn = (kind: string): boolean => kind === breakLoopKind || kind === nextTurnKind

const containerKinds: ReadonlySet<string> = new Set(['map', loopKind, 'semaphore', 'circuit-breaker'])

/** Whether nodes of this kind have a body. */
export const isContainerKind = (kind: string): boolean => containerKinds.has(kind)

/** Whether the body runs a single time, and what it gives is what the node gives. */
export const runsBodyOnce = (kind: string): boolean => kind === 'semaphore' || kind === 'circuit-breaker'

/** The ways on for a node whose body has run; null for all. Who was let in doesn't go the way of who wasn't. */
export const portsAfterBody = (kind: string): readonly string[] | null =>
  runsBodyOnce(kind) ? ['out'] : null
