/** How long a loop takes, in all and per turn. */

import { describe, expect, it } from 'vitest'
import type { AttemptRecord } from '../../src-engine/model/attempt.ts'
import { beganAt, lastTurnMs } from '../../src-renderer/canvas/loop-times.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { invocationRecord } from './factories.ts'

// Only when it began counts here.
const attempt = (startedAt: number) => ({ startedAt, outcome: 'parked' }) as AttemptRecord
const nodeRun = { isSkipped: false, turns: null, strip: null, undo: null }

describe('the time of a loop', () => {
  it('is that of all its turns, and of the last one', () => {
    const loop = invocationRecord('a', {
      taskKind: 'loop',
      status: 'SUCCESS',
      startedAt: 900,
      finishedAt: 950,
    })
    const attempts = [attempt(100), attempt(600), attempt(900)]
    expect(beganAt(loop, attempts)).toBe(100)
    expect(lastTurnMs(loop, attempts)).toBe(300)
    expect(lookOf({ ...nodeRun, invocation: loop, attempts }).clock).toEqual({ kind: 'took', ms: 850 })
  })

  it('goes on while its body is under way', () => {
    const wait = { kind: 'turn', iteration: 0, value: { kind: 'inline', json: 'null' } } as never
    const loop = invocationRecord('a', { taskKind: 'loop', status: 'WAITING', startedAt: 100, wait })
    expect(lookOf({ ...nodeRun, invocation: loop, attempts: [attempt(100)] }).clock).toEqual({
      kind: 'since',
      at: 100,
    })
    expect(lastTurnMs(loop, [attempt(100)])).toBeNull()
    expect(lookOf({ ...nodeRun, invocation: loop, attempts: [] }).style.label).toBe('Running')
  })

  it('of any other step is that of its last attempt', () => {
    const step = invocationRecord('a', {
      taskKind: 'noop',
      status: 'SUCCESS',
      startedAt: 900,
      finishedAt: 950,
    })
    expect(beganAt(step, [attempt(100)])).toBe(900)
    expect(lastTurnMs(step, [attempt(100)])).toBeNull()
  })
})
