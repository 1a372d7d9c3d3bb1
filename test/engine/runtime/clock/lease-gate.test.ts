/** When it is in doubt what this process owns, and until when. */

import { expect, test } from 'vitest'
import type { ClockWatch } from '../../../../src-engine/runtime/clock/clock-watch.ts'
import { createLeaseGate } from '../../../../src-engine/runtime/clock/lease-gate.ts'

function scene() {
  let news = (): void => {}
  const renewals: PromiseWithResolvers<boolean>[] = []
  let awoke = 0
  const pauses: (() => void)[] = []
  const watch = {
    onNews(call: () => void) {
      news = call
    },
    check() {},
  }
  const after = (_ms: number, call: () => void) => {
    pauses.push(call)
    return () => {}
  }
  const gate = createLeaseGate({
    clock: { now: () => 0, monotonic: () => 0, after },
    // Only its news are listened to.
    watch: watch as unknown as ClockWatch,
    settings: { heartbeatFailuresMax: 2, retryDelayStoreMs: 1 },
  })
  const guard = (): void =>
    gate.guard({
      renew: () => {
        const renewal = Promise.withResolvers<boolean>()
        renewals.push(renewal)
        return renewal.promise
      },
      awoke: () => {
        awoke += 1
      },
    })
  return { gate, guard, renewals, pauses, happens: () => news(), awoke: () => awoke }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

test('nothing is in doubt before there is anything to renew, nor once a renewal has told', async () => {
  const { gate, guard, renewals, happens, awoke } = scene()
  happens()
  expect(gate.doubt()).toBeNull()
  guard()
  happens()
  expect(gate.doubt()).not.toBeNull()
  renewals[0]?.resolve(true)
  await gate.doubt()
  expect([gate.doubt(), renewals.length, awoke()]).toEqual([null, 1, 1])
})

test('a renewal says nothing of what happened after it began: there is another one', async () => {
  const { gate, guard, renewals, happens, awoke } = scene()
  guard()
  happens()
  happens()
  renewals[0]?.resolve(true)
  await turns()
  expect([gate.doubt() === null, renewals.length, awoke()]).toEqual([false, 2, 0])
  renewals[1]?.resolve(true)
  await gate.doubt()
  expect([gate.doubt(), renewals.length, awoke()]).toEqual([null, 2, 1])
})

test('where the store can’t be asked it is tried again, and given up with the renewing itself', async () => {
  const { gate, guard, renewals, pauses, happens } = scene()
  guard()
  happens()
  renewals[0]?.resolve(false)
  await turns()
  pauses[0]?.()
  await turns()
  renewals[1]?.resolve(false)
  await turns()
  expect(renewals).toHaveLength(2)
  pauses[1]?.()
  await gate.doubt()
  expect(gate.doubt()).toBeNull()
})
