/** What is counted of the safety policy's answers: Cordum's input set under our prefix. */

import type { EventDraft } from '../../model/event.ts'
import { policyCause } from '../../model/policy/ruling.ts'
import type { Counter, PerLabel, Registry } from './registry.ts'

export interface PolicyMetrics {
  readonly safetyDenied: Counter
  readonly safetyUnavailable: Counter
  readonly safetyThrottled: Counter
  /** By topic; `start` for starts of runs. */
  readonly inputFailOpen: PerLabel<Counter>
}

/** All at zero. */
export function policyMetrics({ counter, counterBy }: Registry, prefix: string): PolicyMetrics {
  return {
    safetyDenied: counter({ name: `${prefix}safety_denied_total`, help: 'Steps that the policy denied.' }),
    safetyUnavailable: counter({
      name: `${prefix}safety_unavailable_total`,
      help: 'Answers that nobody could give, so that work waits.',
    }),
    safetyThrottled: counter({
      name: `${prefix}safety_throttled_total`,
      help: 'Steps that the policy has come back later.',
    }),
    inputFailOpen: counterBy({
      name: `${prefix}input_fail_open_total`,
      help: 'Work that went on although nobody could be asked.',
      label: 'topic',
    }),
  }
}

/** Counts what an event tells of the policy. */
export function observePolicy(metrics: PolicyMetrics, { cause, body }: EventDraft): void {
  if (cause.kind !== policyCause || body.type !== 'invocation.changed') return
  const { set, from, to } = body
  if (to === 'DENIED' && from !== to) metrics.safetyDenied.add()
  const bypassed = set.dispatch?.policy?.bypassed
  if (bypassed !== undefined) metrics.inputFailOpen(bypassed).add()
  const code = set.waitReason?.code
  if (code === 'safety_unavailable') metrics.safetyUnavailable.add()
  else if (code === 'safety_throttled') metrics.safetyThrottled.add()
}
