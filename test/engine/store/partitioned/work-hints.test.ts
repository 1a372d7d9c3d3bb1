/** Which partitions are asked for work. */

import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import { createWorkHints } from '../../../../src-engine/store/partitioned/work-hints.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import { accept } from '../../../conformance/scene.ts'
import { aClaim, anInvocation, aRun, starting } from '../../../conformance/story.ts'

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
