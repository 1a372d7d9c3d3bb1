/** When an owner that is silent is given up. */

import { expect, test } from 'vitest'
import { invocationId, nodeId, runId, runnerId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { newInvocation } from '../../../../src-engine/model/new-records.ts'
import type { ClockWatch } from '../../../../src-engine/runtime/clock/clock-watch.ts'
import { createSilence } from '../../../../src-engine/runtime/clock/silence.ts'

/** Times in seconds; the wall clock is of no use. */
function scene() {
  let now = 0
  const clock = { now: () => 0, monotonic: () => now, after: () => () => {} }
  // Only how time passes is asked of it.
  const watch = { steady: () => now } as unknown as ClockWatch
  const settings = { claimTtlMs: 30, heartbeatIntervalMs: 5, runnerDeadAfterMs: 60 }
  const silence = createSilence({ clock, watch, settings })
  const at = (instant: number): void => {
    now = instant
  }
  return { silence, at }
}

const owned = (expiresAt: number): InvocationRecord =>
  newInvocation({
    ...{ id: invocationId('r/a'), runId: runId('r'), nodeId: nodeId('a'), taskKind: 'noop', registeredAt: 0 },
    cause: { kind: 'upstream', by: null, detail: null },
    lease: { runnerId: runnerId('other'), fence: { epoch: 1, counter: 1 }, expiresAt },
  })

test('an expired lease is over once three heartbeats were seen to be missed, and not before', () => {
  const { silence, at } = scene()
  expect(silence.confirms(owned(30))).toBe(false)
  at(14)
  expect(silence.confirms(owned(30))).toBe(false)
  at(15)
  expect(silence.confirms(owned(30))).toBe(true)
  expect(silence.confirms(owned(45)), 'it was renewed').toBe(false)
})

test('without any clock an owner is gone once it was silent for longer than a lease and a dead runner', () => {
  const { silence, at } = scene()
  expect(silence.observe([owned(1_000)])).toEqual([])
  at(59)
  expect(silence.observe([owned(1_000)])).toEqual([])
  at(60)
  expect(silence.observe([owned(1_000)])).toEqual([owned(1_000)])
  expect(silence.observe([owned(1_001)]), 'it was renewed').toEqual([])
})
