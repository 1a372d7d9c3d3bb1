/** What a card of a live run shows beside its state: time limit, last words, lost runners, claims, following. */

import { describe, expect, it } from 'vitest'
import type { AttemptRecord, LogLine } from '../../src-engine/model/attempt.ts'
import { invocationId, runnerId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { leftOf, limitOf, shortRunner, toldOf, usedOf } from '../../src-renderer/canvas/live/instruments.ts'
import { createLeasesStore } from '../../src-renderer/state/leases-store.ts'
import type { NodeRun } from '../../src-renderer/state/run-model.ts'

const line = (text: string, more: Partial<LogLine> = {}): LogLine => ({
  at: 1,
  level: 'info',
  stream: 'stdout',
  text,
  ...more,
})
const logOf = (...lines: readonly LogLine[]) =>
  ({ kind: 'inline', json: JSON.stringify(lines), bytes: 1 }) as const
const attempt = (number: number, more: Partial<AttemptRecord> = {}) =>
  ({
    number,
    runnerId: runnerId(`runner_aaaa${number}`),
    outcome: 'succeeded',
    log: null,
    ...more,
  }) as AttemptRecord
const runOf = (
  invocation: Partial<InvocationRecord> | null,
  attempts: readonly AttemptRecord[] = [],
): NodeRun => ({
  invocation:
    invocation === null
      ? null
      : ({
          status: 'RUNNING',
          startedAt: 1_000,
          deadlineAt: 5_000,
          finishedAt: null,
          lease: null,
          ...invocation,
        } as InvocationRecord),
  attempts,
  isSkipped: invocation === null,
  turns: null,
  strip: null,
  undo: null,
})

describe('the time limit', () => {
  it('is that of the try under way, and of no other', () => {
    expect(limitOf(runOf({}))).toEqual({ from: 1_000, to: 5_000 })
    expect(limitOf(runOf({ status: 'RETRY' }))).toBeNull()
    expect(limitOf(runOf({ status: 'SUCCESS' }))).toBeNull()
    expect(limitOf(runOf({ deadlineAt: null }))).toBeNull()
    expect(limitOf(runOf(null))).toBeNull()
  })

  it('of a box is how long it may keep its place, while its steps are at work', () => {
    const value = { kind: 'inline', json: 'null', bytes: 4 } as const
    const inside = { kind: 'turn', iteration: 0, value } as const
    const box = { status: 'WAITING', deadlineAt: null, notBefore: 9_000, wait: inside } as const
    expect(limitOf(runOf(box))).toEqual({ from: 1_000, to: 9_000 })
    expect(limitOf(runOf({ ...box, notBefore: null }))).toBeNull()
    // A turn that isn't to begin before then is no limit, and neither is a step's own wait.
    expect(limitOf(runOf({ ...box, wait: { ...inside, opensAt: 9_000 } }))).toBeNull()
    expect(limitOf(runOf({ ...box, wait: null }))).toBeNull()
  })

  it('is used from none to all of it, never less or more', () => {
    const limit = { from: 1_000, to: 5_000 }
    expect([0, 1_000, 2_000, 5_000, 9_000].map((at) => usedOf(limit, at))).toEqual([0, 0, 0.25, 1, 1])
    expect(usedOf({ from: 5, to: 5 }, 1)).toBe(1)
  })
})

describe('the last line', () => {
  it('is the newest of what it writes while it runs', () => {
    expect(toldOf(runOf({}), [line('one'), line('two\nthree\n')]).line).toEqual({
      text: 'three',
      isBad: false,
    })
  })

  it('is what its last try kept once it ended; of a try before it, what came since is newer', () => {
    const kept = [attempt(1, { log: logOf(line('kept')) })]
    expect(toldOf(runOf({ finishedAt: 2_000 }, kept), [line('live')]).line?.text).toBe('kept')
    expect(toldOf(runOf({}, kept), [line('live')]).line?.text).toBe('live')
    expect(toldOf(runOf({}, kept), null).line?.text).toBe('kept')
  })

  it('says when it is an error, and is none where nothing was written', () => {
    expect(toldOf(runOf({}), [line('no', { stream: 'stderr' })]).line?.isBad).toBe(true)
    expect(toldOf(runOf({}), [line('no', { level: 'error' })]).line?.isBad).toBe(true)
    expect(toldOf(runOf({}), [line('  ')]).line).toBeNull()
    expect(toldOf(runOf({}), null).line).toBeNull()
    const far = { kind: 'blob', hash: 'x', bytes: 9 } as unknown as AttemptRecord['log']
    expect(toldOf(runOf({}, [attempt(1, { log: far })]), null).line).toBeNull()
  })
})

describe('a lost runner', () => {
  const lost = attempt(1, { outcome: 'lost' })

  it('is named with who has the step since', () => {
    expect(toldOf(runOf({}, [lost]), null).lost).toEqual({
      runnerId: 'runner_aaaa1',
      by: null,
      number: 1,
    })
    const lease = {
      runnerId: runnerId('runner_b'),
      expiresAt: 1,
      fence: 'x',
    } as unknown as InvocationRecord['lease']
    expect(toldOf(runOf({ lease }, [lost]), null).lost?.by).toBe('runner_b')
    expect(toldOf(runOf({ status: 'SUCCESS' }, [lost, attempt(2)]), null).lost?.by).toBe('runner_aaaa2')
  })

  it('is the last one of several, and none where tries only failed', () => {
    const again = attempt(3, { outcome: 'lost' })
    expect(toldOf(runOf({}, [lost, attempt(2, { outcome: 'failed' }), again]), null).lost?.number).toBe(3)
    expect(toldOf(runOf({}, [attempt(1, { outcome: 'failed' })]), null).lost).toBeNull()
    expect(shortRunner('runner_0123456789')).toBe('456789')
  })
})

describe('claims', () => {
  const lease = (leftMs: number, runner = 'runner_a') => ({
    invocationId: invocationId('run_a/x'),
    runnerId: runnerId(runner),
    leftMs,
  })

  it('are full at the most that was ever left of them, until somebody else has the step', () => {
    const store = createLeasesStore()
    const known = () => store.getState().byId.get('run_a/x')
    for (const [left, full] of [
      [200, 200],
      [150, 200],
      [300, 300],
      [100, 300],
    ] as const) {
      store.getState().setLeases([lease(left)], 5)
      expect(known()).toMatchObject({ leftMs: left, fullMs: full, at: 5 })
    }
    store.getState().setLeases([lease(120, 'runner_b')], 6)
    expect(known()?.fullMs).toBe(120)
    store.getState().setLeases([], 7)
    expect(known()).toBeUndefined()
  })
})

it('what is left until an instant is a share of its whole span; what is over has nothing left', () => {
  const wait = { from: 1_000, to: 5_000 }
  expect(leftOf(wait, 1_000)).toEqual({ share: 1, leftMs: 4_000 })
  expect(leftOf(wait, 4_000)).toEqual({ share: 0.25, leftMs: 1_000 })
  // Before it begins it is whole.
  expect(leftOf(wait, 0)).toEqual({ share: 1, leftMs: 5_000 })
  expect(leftOf(wait, 5_000)).toBeNull()
  expect(leftOf(wait, 9_000)).toBeNull()
})
