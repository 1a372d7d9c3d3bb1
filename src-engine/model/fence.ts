/**
 * The fencing token of an ownership. A bare counter repeats itself after a failover that lost writes, so
 * the store's epoch comes first: it changes on every restore and every detected rollback.
 */

export interface Fence {
  readonly epoch: number
  /** Grows by one with each acquisition of the same invocation. */
  readonly counter: number
}

/** The token of the next acquisition of an invocation whose last one was `previous`. */
export function nextFence(previous: Fence | null, epoch: number): Fence {
  return { epoch, counter: (previous?.counter ?? 0) + 1 }
}

export const sameFence = (a: Fence | null, b: Fence | null): boolean =>
  a?.epoch === b?.epoch && a?.counter === b?.counter

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`. */
export const compareFences = (a: Fence, b: Fence): number => a.epoch - b.epoch || a.counter - b.counter
