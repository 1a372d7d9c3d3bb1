/** What the policy's answers count as. */

import { expect, it } from 'vitest'
import type { EventDraft } from '../../../../src-engine/model/event.ts'
import { createEngineMetrics } from '../../../../src-engine/runtime/metrics/engine-metrics.ts'
import { observePolicy } from '../../../../src-engine/runtime/metrics/policy-metrics.ts'

it('input_fail_open_total counts by topic, and denials and waits count apart [C22]', () => {
  const metrics = createEngineMetrics()
  const cause = { kind: 'policy', by: null, detail: null }
  const told = (set: object, to: string): EventDraft =>
    ({ cause, body: { type: 'invocation.changed', from: 'PENDING', to, set, attempt: null } }) as never
  observePolicy(metrics, told({ dispatch: { policy: { bypassed: 'mail' } } }, 'PENDING'))
  observePolicy(metrics, told({ waitReason: { code: 'safety_unavailable' } }, 'REROUTED'))
  observePolicy(metrics, told({}, 'DENIED'))
  const text = metrics.registry.text()
  expect(text).toContain('input_fail_open_total{topic="mail"} 1')
  expect(text).toContain('safety_unavailable_total 1')
  expect(text).toContain('safety_denied_total 1')
})
