/** The circuit breaker of steps by itself: what opens and closes it, and that nothing counts twice. */

import { describe, expect, it } from 'vitest'
import type { Circuit, CircuitNote } from '../../../src-engine/model/circuit.ts'
import {
  closedAgain,
  closedCircuit,
  noteCircuit,
  passCircuit,
  readCircuit,
  writeCircuit,
} from '../../../src-engine/model/circuit.ts'
import { invocationId } from '../../../src-engine/model/ids.ts'

const rules = { failures: 3, windowMs: 10_000, openMs: 30_000, probes: 2 }
const who = (name: string) => invocationId(`run/${name}`)
const told = (name: string, at: number, more: Partial<CircuitNote> = {}): CircuitNote => ({
  ...{ of: who(name), outcome: 'failed', begunAt: at, at, error: 'task_failed', rules },
  ...more,
})
const after = (circuit: Circuit, ...notes: readonly CircuitNote[]): Circuit =>
  notes.reduce(noteCircuit, circuit)
const asks = (circuit: Circuit, name: string, at: number) =>
  passCircuit(circuit, { of: who(name), at, rules })
const opened = after(closedCircuit, told('a', 1), told('b', 2), told('c', 3))

describe('a closed one', () => {
  it('opens with so many failures within the window, and says since when, until when and why', () => {
    expect(opened).toEqual({ status: 'open', since: 3, until: 30_003, failures: 3, error: 'task_failed' })
  })

  it('forgets failures that are longer ago, and counts neither successes nor who was cancelled', () => {
    const slow = after(closedCircuit, told('a', 1), told('b', 5_000), told('c', 10_002))
    expect(slow.status).toBe('closed')
    const others = after(
      closedCircuit,
      told('a', 1),
      told('b', 2, { outcome: 'left' }),
      told('c', 3, { outcome: 'succeeded' }),
    )
    expect(others).toEqual({ status: 'closed', failures: [{ of: who('a'), at: 1 }] })
  })

  it('counts an end once, however often it is told', () => {
    const once = after(closedCircuit, told('a', 1))
    expect(noteCircuit(once, told('a', 1))).toBe(once)
    expect(asks(once, 'z', 5)).toEqual({ passes: true, after: once })
  })
})

describe('an open one', () => {
  it('lets nobody in until its time is over, whatever those say who are still inside', () => {
    expect(asks(opened, 'd', 30_002)).toEqual({ passes: false, after: opened })
    expect(noteCircuit(opened, told('d', 10, { outcome: 'succeeded' }))).toBe(opened)
  })

  it('is not kept open by a clock that was set back', () => {
    expect(asks(opened, 'd', 1).passes).toBe(true)
  })
})

describe('a half-open one', () => {
  const { after: first } = asks(opened, 'd', 40_000)
  const { after: both } = asks(first, 'e', 40_001)

  it('lets as many try as it is to, and whoever asks again after a crash', () => {
    expect(asks(both, 'f', 40_002)).toEqual({ passes: false, after: both })
    expect(asks(both, 'd', 40_002)).toEqual({ passes: true, after: both })
  })

  it('closes once all of them succeed', () => {
    const one = noteCircuit(both, told('d', 40_003, { outcome: 'succeeded', begunAt: 40_000 }))
    expect(one.status).toBe('half-open')
    expect(asks(one, 'f', 40_004).passes).toBe(false)
    // Told again, it is still one.
    expect(noteCircuit(one, told('d', 40_003, { outcome: 'succeeded', begunAt: 40_000 }))).toBe(one)
    expect(noteCircuit(one, told('e', 40_005, { outcome: 'succeeded', begunAt: 40_001 }))).toEqual(
      closedAgain(40_005),
    )
  })

  it('closes for good: a failure that opened it is told again, and doesn’t count anew', () => {
    const closed = closedAgain(40_005)
    expect(after(closed, told('a', 1), told('b', 2), told('c', 3))).toBe(closed)
    expect(after(closed, told('a', 40_006), told('b', 40_007)).status).toBe('closed')
    expect(after(closed, told('a', 40_006), told('b', 40_007), told('c', 40_008)).status).toBe('open')
    // Who got in before it opened is told after a failure of its own was counted.
    const one = after(closed, told('a', 40_006))
    expect(noteCircuit(one, told('b', 2))).toBe(one)
  })

  it('opens again with the first that fails', () => {
    expect(noteCircuit(both, told('e', 40_003, { begunAt: 40_001 }))).toMatchObject({
      status: 'open',
      since: 40_003,
    })
  })

  it('gives the place of one that was cancelled, or is lost, to another', () => {
    const left = noteCircuit(both, told('e', 40_003, { outcome: 'left', begunAt: 40_001 }))
    expect(asks(left, 'f', 40_004).passes).toBe(true)
    expect(asks(both, 'f', 40_001 + 600_000).passes).toBe(true)
  })

  it('doesn’t listen to who got in while it was closed', () => {
    expect(noteCircuit(both, told('old', 40_003, { begunAt: 2 }))).toBe(both)
  })

  it('is the same after it was written', () => {
    const place = { workflowId: 'wf', nodeId: 'guard', key: 'eu' }
    for (const circuit of [opened, both, closedCircuit, closedAgain(7)])
      expect(readCircuit(JSON.parse(JSON.stringify(writeCircuit(circuit, place))))).toEqual(circuit)
    expect(readCircuit({ circuit: 7 })).toEqual(closedCircuit)
  })
})
