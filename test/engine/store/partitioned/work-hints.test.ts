/** Which partitions are asked for work. */

import { describe, expect, it } from 'vitest'
import type { DefinitionHash } from '../../../../src-engine/model/ids.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { WorkHints } from '../../../../src-engine/store/partitioned/work-hints.ts'
import { createWorkHints } from '../../../../src-engine/store/partitioned/work-hints.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import { accept } from '../../../conformance/scene.ts'
import { aClaim, anInvocation, aRun, start, starting } from '../../../conformance/story.ts'

describe('the partitions to ask', () => {
  it('are all at first, then those that gave something or were written to', () => {
    const hints = createWorkHints([0, 1, 2], 1_000)
    const request = aClaim('a')
    expect(hints.next(request)).toEqual([0, 1, 2])
    hints.found(request, 0, 0)
    hints.found(request, 1, 1)
    hints.found(request, 2, 0)
    expect(hints.next(request)).toEqual([1])
    hints.found(request, 1, 0)
    expect(hints.next(request)).toEqual([])
    hints.note(2)
    expect(hints.next(request)).toEqual([2])
  })

  it('stay those that were written to while they were asked', () => {
    const hints = createWorkHints([0, 1], 1_000)
    const request = aClaim('a')
    hints.next(request)
    hints.note(1)
    hints.found(request, 0, 0)
    hints.found(request, 1, 0)
    expect(hints.next(request)).toEqual([1])
  })

  it('stay those that were written to after they were asked, however late the answer is', () => {
    const hints = createWorkHints([0], 60_000)
    const [early, late] = [aClaim('a'), aClaim('a')]
    hints.next(early)
    hints.note(0)
    // It asks others meanwhile: this one hasn't answered.
    hints.next(late)
    hints.found(early, 0, 0)
    expect(hints.next(late)).toEqual([0])
    hints.found(late, 0, 0)
    expect(hints.next(late)).toEqual([])
  })

  it('are left alone for a second where all was taken, unless they are written to', () => {
    const hints = createWorkHints([0, 1], 60_000)
    const at = (now: number) => ({ ...aClaim('a'), now })
    const look = (now: number, ...taken: readonly number[]): readonly number[] => {
      const asked = hints.next(at(now))
      for (const partition of asked) hints.found(at(now), partition, 1)
      for (const partition of taken) hints.taken(at(now), partition)
      return asked
    }
    expect(look(start, 0, 1)).toEqual([0, 1])
    expect(look(start + 999)).toEqual([])
    hints.note(1)
    expect(look(start + 999)).toEqual([1])
    // What came to nothing is found again.
    expect(look(start + 1_000, 0)).toEqual([0, 1])
    // Nobody sleeps because a clock was set back.
    expect(look(start - 5_000)).toEqual([0, 1])
  })

  it('aren’t left alone for longer where a clock was set back', () => {
    const hints = createWorkHints([0], 60_000)
    const request = (now: number) => ({ ...aClaim('a'), now })
    hints.next(request(start))
    const late = request(start + 5_000)
    expect(hints.next(late)).toEqual([0])
    hints.found(late, 0, 1)
    hints.taken(late, 0)
    expect(hints.next(request(start + 5_000))).toEqual([])
    expect(hints.next(request(start + 4_999))).toEqual([0])
  })

  it('aren’t left alone where a look at all finds something besides what was taken', () => {
    const hints = createWorkHints([0], 1_000)
    const look = (now: number, isTaken: boolean): readonly number[] => {
      const request = { ...aClaim('a'), now }
      const asked = hints.next(request)
      for (const partition of asked) hints.found(request, partition, 1)
      if (isTaken) hints.taken(request, 0)
      return asked
    }
    look(start, false)
    look(start + 700, true)
    expect(look(start + 701, false)).toEqual([])
    // The first look at all of it that is due again.
    expect(look(start + 1_001, false)).toEqual([0])
    expect(look(start + 1_002, false)).toEqual([0])
  })

  it('aren’t left alone where something was written after the look', () => {
    const hints = createWorkHints([0], 60_000)
    const request = { ...aClaim('a'), now: start }
    hints.next(request)
    hints.found(request, 0, 1)
    hints.note(0)
    hints.taken(request, 0)
    expect(hints.next(request)).toEqual([0])
  })

  it('stay those that could not be asked', async () => {
    const memory = createMemoryStore({ partitions: 2 })
    let fails = true
    const raw: RawStore = {
      ...memory,
      fetch: async (request) => {
        if (fails && request.partition === 1) throw new Error('away')
        return memory.fetch(request)
      },
    }
    const store = createPartitionedStore(raw)
    const run = aRun({ name: 'r~p1' })
    await accept(store, starting(run, [anInvocation(run, 'n')]))
    await expect(store.claim(aClaim('a'))).rejects.toThrow('away')
    fails = false
    expect((await store.claim(aClaim('a'))).claimed).toHaveLength(1)
  })

  /** Asks all of a span, each 100 ms, as a busy runner does; finds nothing, but for what `has` says. */
  const wholeLooks = (
    name: string,
    span: number,
    given: {
      readonly has?: (now: number) => number
      readonly set?: Parameters<typeof aClaim>[1]
      readonly hints?: WorkHints
    } = {},
  ): readonly number[] => {
    const { has = () => 0, set = {}, hints = createWorkHints([0, 1, 2], 1_000) } = given
    const instants: number[] = []
    for (let now = start; now < start + span; now += 100) {
      const request = { ...aClaim(name, set), now }
      const asked = hints.next(request)
      if (asked.length === 3) instants.push(now - start)
      for (const partition of asked) hints.found(request, partition, partition === 1 ? has(now - start) : 0)
    }
    return instants
  }
  const gapsOf = (instants: readonly number[]): readonly number[] =>
    instants.slice(1).map((at, index) => at - (instants[index] ?? at))

  it('are all ever less often while that brings nothing, at least every five spans', () => {
    const gaps = gapsOf(wholeLooks('a', 60_000))
    expect(gaps[0]).toBeLessThanOrEqual(1_000)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5_000)
    expect(gaps.slice(0, 4)).toEqual(gaps.slice(0, 4).toSorted((a, b) => a - b))
    // Sixty without patience.
    expect(gaps.length).toBeGreaterThanOrEqual(12)
    expect(gaps.length).toBeLessThanOrEqual(20)
  })

  it('are all often again once a look brings what no hint told of', () => {
    const has = (now: number): number => (now > 20_000 && now < 25_000 ? 1 : 0)
    const instants = wholeLooks('a', 60_000, { has })
    const [first = 0, second = 0] = instants.filter((at) => at > 20_000)
    expect(second - first).toBeLessThanOrEqual(1_000)
  })

  it('are not all looked at in the same moment by askers that began together', () => {
    const names = Array.from({ length: 20 }, (_, index) => `runner-${index}`)
    const last = new Set(names.map((name) => wholeLooks(name, 60_000).at(-1)))
    expect(last.size).toBeGreaterThan(5)
  })

  it('are all at once for whoever is trusted with more, or may do more, than before', () => {
    const hints = createWorkHints([0, 1, 2], 1_000)
    const definitions: readonly DefinitionHash[] = []
    const asked = (set: Parameters<typeof aClaim>[1]) => wholeLooks('a', 100, { set, hints }).length
    expect(asked({ definitions })).toBe(1)
    expect(asked({ definitions })).toBe(0)
    expect(asked({ definitions: [...definitions] })).toBe(1)
    expect(asked({ definitions, labels: ['gpu'] })).toBe(1)
    expect(asked({ definitions, capabilities: ['shell'] })).toBe(1)
    expect(asked({ definitions })).toBe(0)
  })

  it('are remembered for as many askers as there are at a time, and all for one that was forgotten', () => {
    const hints = createWorkHints([0], 1_000)
    const empty = (name: string): readonly number[] => {
      const asked = hints.next(aClaim(name))
      hints.found(aClaim(name), 0, 0)
      return asked
    }
    for (let count = 0; count < 1_000; count += 1) empty(`a${count}`)
    expect(empty('a999')).toEqual([])
    expect(empty('a0')).toEqual([0])
  })
})
