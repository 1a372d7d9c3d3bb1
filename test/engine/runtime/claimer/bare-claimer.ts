/** A claimer with nothing but what a look asks for. */

import type { Claimer } from '../../../../src-engine/runtime/claimer.ts'
import { createClaimer } from '../../../../src-engine/runtime/claimer.ts'
import type { Runner, RunnerDependencies } from '../../../../src-engine/runtime/runner.ts'

/** Of a store of which only this is asked; `room` says how many slots are free. */
export function bareClaimer(
  clock: Pick<RunnerDependencies['clock'], 'now' | 'after' | 'turn'>,
  store: { readonly info: object; readonly claim: () => Promise<unknown> },
  room: () => number,
): Claimer {
  return createClaimer(
    {
      clock,
      store,
      settings: { pools: ['default'], batchSize: 1, pollIntervalMs: 5_000, capabilities: [] },
      pools: { rules: () => ({ pools: {}, topics: {} }), noteChange() {} },
      load: { room, leaveFailedMs: () => 0 },
      book: { availableCount: () => 0 },
      slots: { take() {}, putBack() {} },
      limits: { ofClaims: () => null },
      executor: { failpoints() {}, host: { specsByKind: new Map() } },
      trust: null,
    } as unknown as RunnerDependencies,
    {} as Runner,
    () => {
      throw new Error('nothing is blocked')
    },
  )
}
