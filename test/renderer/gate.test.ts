import { describe, expect, test } from 'vitest'
import { gateOf } from '../../src-renderer/canvas/live/gate.ts'

const permit = { key: 'payments', limit: 3, holders: ['run_a/charge', 'run_b1'], position: 2, waiting: 5 }
/** It has waited for three minutes, and does so as long as it takes. */
const times = { now: 180_000, since: 0, until: null }

describe('the gate of a limit', () => {
  test('has a slot for each permit, taken ones first, with who has it in words', () => {
    const { slots, label, place, sentence } = gateOf(permit, 'run_b1', times)
    expect(slots.map(({ isTaken }) => isTaken)).toEqual([true, true, false])
    expect(slots[0]).toMatchObject({ runId: 'run_a', nodeId: 'charge', isOwn: false })
    expect(slots[0]?.words).toBe('Taken by “charge” of run_a. Press to open that run.')
    expect(slots[1]).toMatchObject({ runId: 'run_b1', nodeId: null, isOwn: true, avatar: '1' })
    expect(label).toBe('Limit payments: 2 of 3 busy, position 2 of 5 in line')
    expect(place).toBe('2 of 5')
    expect(sentence).toBe('Waiting 3 m 00 s for `payments`: 2 of 3 busy, position 2.')
  })

  test('names the step without its place in a map, its generation and what undoes it', () => {
    const holders = ['run_a/charge@each:3#2~undo']
    expect(gateOf({ ...permit, holders }, 'run_a', times).slots[0]).toMatchObject({
      nodeId: 'charge',
      isOwn: true,
    })
  })

  test('names the step that a rate counts, however often it began', () => {
    const holders = ['run_a/slow:2']
    expect(gateOf({ ...permit, holders }, 'run_a', times).slots[0]).toMatchObject({ nodeId: 'slow' })
  })

  test('marks the step in the line, and at its end when the line is longer than is drawn', () => {
    expect(gateOf(permit, 'run_a', times).line).toEqual([false, true, false, false, false])
    const long = gateOf({ ...permit, position: 40, waiting: 90 }, 'run_a', times).line
    expect(long).toHaveLength(8)
    expect(long.indexOf(true)).toBe(7)
  })

  test('counts the slots that it has no room for', () => {
    expect(gateOf({ ...permit, limit: 100 }, 'run_a', times)).toMatchObject({ hiddenSlots: 94 })
  })

  test('says until when it waits, where that has an end', () => {
    expect(gateOf(permit, 'run_b1', times).ends).toBeNull()
    const { ends, sentence } = gateOf(permit, 'run_b1', { ...times, until: 191_500 })
    expect(ends).toBe('gives up in 12 s')
    expect(sentence).toMatch(/position 2\. It gives up at .+\.$/)
  })

  test('what is no run is named as it is', () => {
    const [slot] = gateOf({ ...permit, holders: ['somebody'] }, 'run_a', times).slots
    expect(slot).toMatchObject({ runId: null, isTaken: true, words: 'Taken by somebody.' })
  })
})
