/** Clocks that go on: tenths while they can be read, then whole seconds, all of a page at the same moment. */

import { describe, expect, it } from 'vitest'
import { goingWords, isNow, leftWords, runTime, shownAt } from '../../src-renderer/ui/time-words.ts'

/** The instants of a clock that ticks ten times in a second, for so long. */
const ticks = (seconds: number): readonly number[] =>
  Array.from({ length: seconds * 10 + 1 }, (_, at) => 1_000_000_000_000 + 30 + at * 100)
const first = ticks(0)[0] ?? 0

/** At which ticks it says something else than before. */
function changes(words: (now: number) => string, seconds: number): readonly number[] {
  const said = ticks(seconds).map(words)
  return said.flatMap((text, at) => (at > 0 && text !== said[at - 1] ? [at] : []))
}

describe('a clock that goes on', () => {
  it('says tenths of its first ten seconds, and whole seconds after that', () => {
    expect(goingWords(first, first + 840)).toBe('840 ms')
    expect(goingWords(first, first + 3_240)).toBe('3.2 s')
    expect(goingWords(first, first + 12_990)).toBe('12 s')
    expect(goingWords(first, first + 64_100)).toBe('1 m 03 s')
    expect(goingWords(first, first - 5)).toBe('0 ms')
  })

  it('is drawn once in a second from then on', () => {
    expect(changes((now) => goingWords(first - 11_000, now), 20)).toHaveLength(20)
    expect(changes((now) => goingWords(first, now), 9).length).toBeGreaterThan(80)
  })

  it('is drawn at the same moment as every other one', () => {
    const began = [10_000, 10_370, 14_999, 59_010, 64_001, 3_000_000].map((ago) => first - ago)
    const moments = began.flatMap((since) => changes((now) => goingWords(since, now), 8))
    expect(new Set(moments).size).toBe(8)
  })

  it('never goes back, and is never ahead', () => {
    for (const since of [first, first - 333, first - 50_777]) {
      let before = 0
      for (const now of ticks(80)) {
        const [, minutes = '0', seconds = '0', ms] =
          /^(?:(\d+) m )?(?:([\d.]+) s)?(?:(\d+) ms)?$/.exec(goingWords(since, now)) ?? []
        const said = Number(ms ?? Number(minutes) * 60_000 + Number(seconds) * 1_000)
        expect(said).toBeGreaterThanOrEqual(before)
        expect(said).toBeLessThanOrEqual(now - since + 50)
        expect(said).toBeGreaterThan(now - since - 2_000)
        before = said
      }
    }
  })

  it('has no tenths where nobody would read them', () => {
    expect(goingWords(first, first + 3_240, 0)).toBe('2 s')
    expect(goingWords(first, first + 3_990, 0)).toBe('3 s')
    expect(changes((now) => goingWords(first - 500, now, 0), 9)).toHaveLength(9)
  })
})

describe('a clock that goes down', () => {
  it('says whole seconds until the last ten', () => {
    expect(leftWords(first + 64_100, first)).toBe('1 m 04 s')
    expect(leftWords(first + 12_990, first)).toBe('13 s')
    expect(leftWords(first + 3_240, first)).toBe('3.2 s')
    expect(leftWords(first - 1, first)).toBe('0 ms')
    expect(leftWords(first + 3_240, first, 0)).toBe('3 s')
  })

  it('is drawn at the same moment as those that go on', () => {
    const moments = [
      ...changes((now) => leftWords(first + 90_555, now), 8),
      ...changes((now) => goingWords(first - 20_111, now), 8),
    ]
    expect(new Set(moments).size).toBeLessThanOrEqual(9)
  })
})

describe('a moment of the past', () => {
  const [began, then, now] = [first, first + 230, first + 2_400_500]

  it('has the clocks stand where they stood', () => {
    expect(isNow(then)).toBe(false)
    expect(goingWords(began, shownAt(now, then))).toBe('230 ms')
    expect(runTime({ startedAt: began, finishedAt: null }, shownAt(now, then))).toBe('230 ms')
  })

  it('is no matter where what is so now is looked at, or the run is over', () => {
    expect(shownAt(now, Number.POSITIVE_INFINITY)).toBe(now)
    expect(runTime({ startedAt: began, finishedAt: began + 5_000 }, shownAt(now, then))).toBe('5.0 s')
    expect(runTime({ startedAt: null, finishedAt: null }, now)).toBe('')
  })

  it('is without the time for which the run lay ended', () => {
    const twice = { startedAt: began, idleMs: 3_600_000 }
    expect(runTime({ ...twice, finishedAt: began + 3_605_000 }, now)).toBe('5.0 s')
    expect(runTime({ ...twice, finishedAt: null }, began + 3_601_500)).toBe('1.5 s')
  })
})
