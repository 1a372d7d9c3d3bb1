/** Long work leaves the page to itself between its slices. */

import { describe, expect, test } from 'vitest'
import { inSlices } from '../../src-renderer/state/in-slices.ts'

/** A clock that each step moves on, and timers that run when they are told to. */
function machine() {
  let now = 0
  const timers = new Set<() => void>()
  const taken: number[] = []
  function* steps(count: number): Generator<number, string> {
    for (let step = 0; step < count; step += 1) {
      now += 3
      yield step
    }
    return 'all'
  }
  const ambient = {
    now: () => now,
    after: (_ms: number, call: () => void) => {
      timers.add(call)
      return () => void timers.delete(call)
    },
  }
  const pass = (): void => {
    const due = [...timers]
    timers.clear()
    for (const call of due) call()
  }
  return { ambient, pass, taken, steps, waiting: timers }
}

describe('work in slices', () => {
  test('takes as many steps at once as fit into a slice, and the rest later', () => {
    const { ambient, pass, taken, steps } = machine()
    const done: string[] = []
    const work = {
      steps: steps(7),
      take: (step: number) => void taken.push(step),
      done: (all: string) => void done.push(all),
    }
    inSlices(ambient, work)
    expect(taken).toEqual([0, 1, 2])
    pass()
    expect(taken).toEqual([0, 1, 2, 3, 4, 5])
    expect(done).toEqual([])
    pass()
    expect([taken.length, done]).toEqual([7, ['all']])
  })

  test('is over at once when it is short', () => {
    const { ambient, steps, waiting } = machine()
    const done: string[] = []
    inSlices(ambient, { steps: steps(2), done: (all) => void done.push(all) })
    expect([done, waiting.size]).toEqual([['all'], 0])
  })

  test('that is given up is not gone on with', () => {
    const { ambient, pass, taken, steps, waiting } = machine()
    const stop = inSlices(ambient, {
      ...{ steps: steps(9), take: (step: number) => void taken.push(step) },
      done: () => expect.unreachable(),
    })
    stop()
    pass()
    expect([taken.length, waiting.size]).toEqual([3, 0])
  })
})
