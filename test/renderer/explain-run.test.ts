import { describe, expect, test } from 'vitest'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { WhyWaiting } from '../../src-engine/protocol/why-waiting.ts'
import type { ExplainFacts } from '../../src-renderer/canvas/live/explain-run.ts'
import { explainRun, usualOf } from '../../src-renderer/canvas/live/explain-run.ts'
import { modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { invocationRecord, runRecord } from './factories.ts'

const facts = (
  invocations: readonly InvocationRecord[],
  changes: Partial<ExplainFacts> & { readonly run?: Partial<RunRecord> } = {},
): ExplainFacts => {
  const { run = {}, ...rest } = changes
  const snapshot = { run: runRecord(run), invocations, skipped: [], attempts: [], cursors: [] }
  const ways = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
  ])
  const model = modelOfSnapshot(snapshot as never, [], ways)
  return {
    model,
    now: 12_000,
    titleOf: (id) => id.toUpperCase(),
    triesOf: () => 1,
    why: null,
    usualMs: null,
    ...rest,
  }
}
const said = (...given: Parameters<typeof facts>): string | null => explainRun(facts(...given))?.text ?? null

describe('the sentence on a run', () => {
  test('a step at work: for how long, and what follows', () => {
    const running = invocationRecord('a', { status: 'RUNNING', startedAt: 0, attempt: 1 })
    expect(said([running])).toBe('Running “A” for 12.0 s → then up to 3 more steps.')
    expect(said([running], { usualMs: 20_400 })).toContain('; the whole run usually takes 20.0 s.')
  })

  test('one that is tried again says which time it is', () => {
    const running = invocationRecord('c', { status: 'RUNNING', startedAt: 10_000, attempt: 2 })
    expect(said([running], { triesOf: () => 5 })).toBe('Running “C” for 2.0 s, attempt 2 of 5.')
    const waiting = invocationRecord('c', { status: 'RETRY', notBefore: 20_000, failureCount: 2 })
    expect(said([waiting], { triesOf: () => 5 })).toBe('“C” failed 2 of 5 times; tries again in 8 s.')
  })

  test('a limit: which one, how much of it is taken, and the place in line', () => {
    const permits = { permits: [], resolved: true, blockedSince: 2_000, blockedBy: 'payments' }
    const record = invocationRecord('c', { status: 'CONCURRENCY_CONTROLLED', permits })
    const permit = { key: 'payments', limit: 2, holders: ['run_1', 'run_2'], position: 5, waiting: 6 }
    const why = { permit } as unknown as WhyWaiting
    expect(said([record], { why })).toBe(
      'Waiting 10.0 s for `payments` to let “C” in (2 of 2 busy), position 5 of 6.',
    )
    expect(said([record])).toBe('Waiting 10.0 s for `payments` to let “C” in.')
  })

  test.for([
    ['node:wf/c', 'its own limit'],
    ['pool:gpu', 'pool `gpu`'],
    ['rate:x:1', 'its rate limit'],
  ] as const)('the engine’s key %s has words', ([blockedBy, words]) => {
    const permits = { permits: [], resolved: true, blockedSince: 2_000, blockedBy }
    const record = invocationRecord('c', { status: 'CONCURRENCY_CONTROLLED', permits })
    expect(said([record])).toContain(`for ${words} to let`)
  })

  test('a lost runner is told of before anything else', () => {
    const lost = invocationRecord('c', { status: 'RUNNING_RECOVERY' })
    const running = invocationRecord('d', { status: 'RUNNING', startedAt: 0 })
    expect(said([running, lost])).toMatch(/^The runner of “C” is gone/)
    const again = invocationRecord('c', { status: 'RUNNING', startedAt: 11_000, attempt: 2, crashCount: 1 })
    expect(said([again])).toContain('again after its runner was lost')
  })

  test('what is spoken stays the same while only the clock goes on', () => {
    const running = invocationRecord('a', { status: 'RUNNING', startedAt: 0, attempt: 1 })
    const early = explainRun(facts([running], { now: 1_000 }))
    const late = explainRun(facts([running], { now: 60_000 }))
    expect(early?.spoken).toBe(late?.spoken)
    expect(early?.text).not.toBe(late?.text)
  })

  test('nothing is said of what has ended, is paused, or is taken back', () => {
    const running = invocationRecord('a', { status: 'RUNNING', startedAt: 0 })
    expect(said([running], { run: { status: 'SUCCEEDED', finishedAt: 1 } })).toBeNull()
    expect(said([running], { run: { status: 'PAUSED' } })).toBeNull()
    expect(said([running], { run: { status: 'COMPENSATING' } })).toBeNull()
    expect(said([invocationRecord('a', { status: 'SUCCESS', finishedAt: 1 })])).toBeNull()
  })

  test('the usual time is the middle of at least three successes', () => {
    const run = (ms: number, status = 'SUCCEEDED') => ({ status, startedAt: 0, finishedAt: ms })
    expect(usualOf([run(1), run(2)])).toBeNull()
    expect(usualOf([run(90), run(1), run(20), run(5, 'FAILED')])).toBe(20)
  })
})
