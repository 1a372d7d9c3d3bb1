/** The last runs as a picture: how often, how long, where they failed. */

import { describe, expect, it } from 'vitest'
import type { GhostRun, Ghosts } from '../../../src-engine/model/ghosts.ts'
import { ghostsOf, timesGone } from '../../../src-engine/model/ghosts.ts'
import { nodeId, runId } from '../../../src-engine/model/ids.ts'

type Step = GhostRun['invocations'][number]

const waysOf = ({ ways }: Ghosts, id: string) => ways.filter((way) => way.nodeId === id)

const step = (id: string, more: Partial<Step> = {}): Step => ({
  nodeId: nodeId(id),
  role: 'forward',
  status: 'SUCCESS',
  failureCount: 0,
  startedAt: 1_000,
  finishedAt: 1_100,
  ports: null,
  error: null,
  ...more,
})
const failure = { code: 'task_failed', message: 'no', hint: '' } as NonNullable<Step['error']>
const run = (id: number, invocations: readonly Step[], status: GhostRun['run']['status'] = 'SUCCEEDED') => ({
  run: {
    id: runId(`run_${id}`),
    status,
    createdAt: id * 1_000,
    startedAt: id * 1_000,
    finishedAt: id * 1_000 + 500,
  },
  invocations,
})
const nodeOf = (runs: readonly GhostRun[], id: string) =>
  ghostsOf(runs).nodes.find((one) => one.nodeId === id)

describe('ghosts', () => {
  it('of no runs are empty', () => {
    expect(ghostsOf([])).toEqual({
      runs: 0,
      from: null,
      to: null,
      statuses: {},
      medianMs: null,
      nodes: [],
      ways: [],
    })
  })

  it('tell how the runs ended, since when, and how long they took', () => {
    const ghosts = ghostsOf([run(3, []), run(2, [], 'FAILED'), run(1, [])])
    expect(ghosts).toMatchObject({
      runs: 3,
      from: 1_000,
      to: 3_000,
      statuses: { SUCCEEDED: 2, FAILED: 1 },
      medianMs: 500,
    })
  })

  it('count a node once per run, however many items it had there, and time each', () => {
    const took = (ms: number) => step('a', { finishedAt: 1_000 + ms })
    const runs = [run(2, [took(10), took(20), took(30)]), run(1, [took(400)])]
    expect(nodeOf(runs, 'a')).toMatchObject({ runs: 2, medianMs: 20, p95Ms: 400 })
  })

  it('name the newest failure, also one that left by a way of its own', () => {
    const failed = step('a', { status: 'FAILED', ports: ['error'], error: failure })
    const runs = [run(3, [step('a')]), run(2, [failed]), run(1, [failed], 'FAILED')]
    expect(nodeOf(runs, 'a')).toMatchObject({
      runs: 3,
      failed: 2,
      lastFailure: { runId: 'run_2', code: 'task_failed' },
    })
    expect(timesGone(waysOf(ghostsOf(runs), 'a'), 'error')).toBe(2)
    expect(timesGone(waysOf(ghostsOf(runs), 'a'), 'out')).toBe(1)
  })

  it('tell what was tried again apart from what failed', () => {
    const again = step('a', { failureCount: 2 })
    const failed = step('a', { failureCount: 3, status: 'TIMEOUT' })
    expect(nodeOf([run(2, [again]), run(1, [failed])], 'a')).toMatchObject({
      retried: 1,
      failed: 1,
      lastFailure: { runId: 'run_1', code: 'TIMEOUT' },
    })
  })

  it('leave out what undoes steps, and what goes on', () => {
    const runs = [
      run(1, [step('a', { role: 'compensation' }), step('b', { status: 'RUNNING', finishedAt: null })]),
    ]
    expect(nodeOf(runs, 'a')).toBeUndefined()
    expect(nodeOf(runs, 'b')).toMatchObject({ runs: 1, medianMs: null })
  })

  it('count ways once per run', () => {
    const taken = step('check', { ports: ['true'] })
    const runs = [run(2, [taken, taken]), run(1, [step('check', { ports: ['false'] })])]
    const ghosts = ghostsOf(runs)
    expect([timesGone(waysOf(ghosts, 'check'), 'true'), timesGone(waysOf(ghosts, 'check'), 'false')]).toEqual(
      [1, 1],
    )
  })
})
