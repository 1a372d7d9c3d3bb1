/** The circuit breaker, as it is documented. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Breaker } from '../../../../src-engine/model/policy/breaker.ts'
import {
  breakerRules,
  closedBreaker,
  noteBreaker,
  passBreaker,
  readBreaker,
  writeBreaker,
} from '../../../../src-engine/model/policy/breaker.ts'

const { openMs, probesMax, probeLostMs } = breakerRules

const failed = (breaker: Breaker, now: number, begunAt = now): Breaker =>
  noteBreaker(breaker, { succeeded: false, begunAt, now })
const succeeded = (breaker: Breaker, now: number, begunAt = now): Breaker =>
  noteBreaker(breaker, { succeeded: true, begunAt, now })

const opened = (now: number): Breaker => failed(failed(failed(closedBreaker, now), now), now)

describe('a circuit breaker', () => {
  it('opens at the third failure in a row; a success in between begins anew [C32]', () => {
    expect(failed(failed(closedBreaker, 1), 2).status).toBe('closed')
    expect(opened(3)).toEqual({ status: 'open', openedAt: 3 })
    const again = failed(failed(succeeded(failed(failed(closedBreaker, 1), 2), 3), 4), 5)
    expect(again).toEqual({ status: 'closed', failures: 2 })
  })

  it('lets nobody through for thirty seconds from its opening [C32]', () => {
    const open = opened(1_000)
    expect(passBreaker(open, 1_000 + openMs - 1)).toEqual({ passes: false, after: open })
    expect(passBreaker(open, 1_000 + openMs)).toMatchObject({ passes: true, after: { status: 'half-open' } })
  })

  it('lets at most three probes through while it is half-open [C32]', () => {
    let breaker = opened(0)
    const passes: boolean[] = []
    for (let asked = 0; asked < probesMax + 2; asked += 1) {
      const pass = passBreaker(breaker, openMs + asked)
      passes.push(pass.passes)
      breaker = pass.after
    }
    expect(passes).toEqual([true, true, true, false, false])
  })

  it('closes at the second success, and not at the first [C32]', () => {
    const half = passBreaker(opened(0), openMs).after
    const one = succeeded(half, openMs + 5, openMs)
    expect(one.status).toBe('half-open')
    const next = passBreaker(one, openMs + 6).after
    expect(succeeded(next, openMs + 7, openMs + 6)).toEqual(closedBreaker)
  })

  it('opens for another thirty seconds at any failure of a probe [C32]', () => {
    const half = passBreaker(opened(0), openMs).after
    const one = succeeded(passBreaker(half, openMs + 1).after, openMs + 2, openMs)
    expect(failed(one, openMs + 9, openMs + 1)).toEqual({ status: 'open', openedAt: openMs + 9 })
  })

  it('passes over an answer to a call that set out before it opened', () => {
    const half = passBreaker(opened(10), 10 + openMs).after
    expect(failed(half, 10 + openMs, 5)).toBe(half)
    expect(succeeded(opened(10), 11)).toEqual(opened(10))
  })

  it('gives away the place of a probe that was lost with its process', () => {
    let breaker = passBreaker(opened(0), openMs).after
    for (let more = 1; more < probesMax; more += 1) breaker = passBreaker(breaker, openMs).after
    expect(passBreaker(breaker, openMs + probeLostMs - 1).passes).toBe(false)
    expect(passBreaker(breaker, openMs + probeLostMs).passes).toBe(true)
  })

  it('is not held open by a clock that was set back', () => {
    expect(passBreaker(opened(1_000_000), 10).passes).toBe(true)
  })

  it('survives being written and read, and is closed where nothing sensible is said', () => {
    for (const breaker of [closedBreaker, opened(7), passBreaker(opened(0), openMs).after]) {
      expect(readBreaker(writeBreaker(breaker))).toEqual(breaker)
    }
    expect(readBreaker({ status: 'ajar' })).toEqual(closedBreaker)
    expect(readBreaker(null)).toEqual(closedBreaker)
  })

  it('never has more than three probes out, and closes only by two successes, whatever happens', () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 20_000 }),
      act: fc.constantFrom('pass', 'ok', 'fail'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let breaker: Breaker = closedBreaker
        let now = 1_000
        let underWay: number[] = []
        for (const { wait, act } of steps) {
          now += wait
          const before = breaker
          if (act === 'pass') {
            const pass = passBreaker(breaker, now)
            breaker = pass.after
            if (pass.passes) underWay.push(now)
            if (before.status === 'open' && now < before.openedAt + openMs) expect(pass.passes).toBe(false)
          } else if (underWay.length > 0) {
            const begunAt = underWay[0] ?? now
            underWay = underWay.slice(1)
            breaker = noteBreaker(breaker, { succeeded: act === 'ok', begunAt, now })
          }
          if (breaker.status === 'half-open') {
            const out = breaker.probes.filter((probe) => now < probe + probeLostMs)
            expect(out.length + breaker.successes).toBeLessThanOrEqual(probesMax)
            expect(breaker.successes).toBeLessThan(breakerRules.successesToClose)
          }
          if (before.status === 'half-open' && breaker.status === 'closed') expect(before.successes).toBe(1)
          if (before.status === 'open') expect(breaker.status).not.toBe('closed')
        }
      }),
    )
  })
})
