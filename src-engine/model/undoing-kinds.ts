/** Which kinds of task can undo nothing, and why: what the designer doesn't offer and validation refuses. */

/** Why a kind can't undo anything. */
export type NotUndoing =
  /** It runs the nodes of its body. */
  | 'container'
  /** It only says where a run goes on. */
  | 'steers'
  /** It waits for somebody. */
  | 'waits'

const reasons: ReadonlyMap<string, NotUndoing> = new Map([
  ['map', 'container'],
  ['loop', 'container'],
  ['semaphore', 'container'],
  ['circuit-breaker', 'container'],
  ['fork', 'steers'],
  ['join', 'steers'],
  ['if', 'steers'],
  ['switch', 'steers'],
  ['stop', 'steers'],
  ['break-loop', 'steers'],
  ['next-turn', 'steers'],
  ['approval', 'waits'],
  ['wait-signal', 'waits'],
  ['wait-webhook', 'waits'],
  ['throttle', 'waits'],
])

/** Null for a kind that may undo, also for one that isn't known. */
export function whyNotUndoing(kind: string): NotUndoing | null {
  return reasons.get(kind) ?? null
}
