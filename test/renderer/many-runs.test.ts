/** What can be asked of many runs at once, and which of them are meant. */

import { describe, expect, it } from 'vitest'
import { runId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { RunSummary } from '../../src-engine/protocol/api.ts'
import type { BulkPage, BulkRequest } from '../../src-engine/protocol/run-control.ts'
import { runFilters } from '../../src-renderer/panels/runs/run-filters.ts'
import { rangeOf } from '../../src-renderer/panels/runs/use-marked-runs.ts'
import { mayAsk, runsByAction } from '../../src-renderer/state/bulk.ts'
import type { BulkCount } from '../../src-renderer/state/bulk-all.ts'
import { askAll, countRuns, statusesFor } from '../../src-renderer/state/bulk-all.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { runRecord } from './factories.ts'

const run = (id: string, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...runRecord(),
  id: runId(id),
  finishedAt: null,
  ...changes,
})
const running = run('running', { status: 'RUNNING' })
const pausing = run('pausing', { status: 'RUNNING', pauseRequestedAt: 5 })
const paused = run('paused', { status: 'PAUSED', pauseRequestedAt: 5 })
const stopping = run('stopping', { status: 'RUNNING', cancelRequestedAt: 5 })
const failed = run('failed', { status: 'FAILED', finishedAt: 9 })
const done = run('done', { status: 'SUCCEEDED', finishedAt: 9 })

describe('what is asked of many runs', () => {
  it('reaches those that can follow, and leaves the others alone', () => {
    const asked = runsByAction([running, pausing, paused, stopping, failed, done])
    expect(Object.fromEntries(asked.map(({ action, runIds }) => [action, runIds]))).toEqual({
      pause: ['running'],
      resume: ['pausing', 'paused'],
      retry: ['failed'],
      cancel: ['running', 'pausing', 'paused'],
    })
    expect(mayAsk('cancel', done)).toBe(false)
  })

  it('marks from one run to another in either direction', () => {
    const list = [running, paused, failed, done].map((one) => ({ run: one }) as RunSummary)
    expect(rangeOf(list, runId('paused'), runId('done'))).toEqual(['paused', 'failed', 'done'])
    expect(rangeOf(list, runId('failed'), runId('running'))).toEqual(['running', 'paused', 'failed'])
    expect(rangeOf(list, null, runId('failed'))).toEqual(['failed'])
    expect(rangeOf(list, runId('gone'), runId('failed'))).toEqual(['failed'])
  })

  it('has a filter for every state that a run can be left in', () => {
    const narrowed = new Set(runFilters.flatMap(({ statuses }) => statuses ?? []))
    for (const { status } of [running, paused, failed, done]) expect(narrowed.has(status)).toBe(true)
  })

  it('is meant for those of the filter that can follow', () => {
    expect(statusesFor('cancel', null)).toEqual(['CREATED', 'RUNNING', 'WAITING', 'PAUSED'])
    expect(statusesFor('retry', null)).toEqual(['FAILED', 'TIMED_OUT'])
    expect(statusesFor('retry', ['CANCELLED', 'SUCCEEDED'])).toEqual(['CANCELLED'])
    expect(statusesFor('pause', ['PAUSED'])).toEqual([])
  })

  it('goes through all pages, and stops when it is told to', async () => {
    const asked: BulkRequest[] = []
    const designer = pagesOf(3, asked)
    const wish = { action: 'cancel', statuses: null, workflowId: null, until: 7 } as const
    expect(await countRuns(designer, wish)).toBe(3)
    expect(asked.every(({ dryRun, filter }) => dryRun && filter.until === 7)).toBe(true)
    const told: BulkCount[] = []
    const watch = { isStopped: () => told.length === 2, told: (count: BulkCount) => void told.push(count) }
    expect(await askAll(designer, wish, watch)).toEqual({ done: 2, refused: 0, problem: null })
    expect(asked.filter(({ dryRun }) => !dryRun).map(({ after }) => after)).toEqual([null, 'run_1'])
    expect(await countRuns(designer, { ...wish, action: 'resume', statuses: ['FAILED'] })).toBe(0)
  })
})

/** An engine with so many pages of one run each. */
function pagesOf(count: number, asked: BulkRequest[]): Designer {
  const call = async (_method: string, request: BulkRequest): Promise<BulkPage> => {
    asked.push(request)
    const at = request.after === null ? 1 : Number(request.after.slice(4)) + 1
    const counts = { matched: 1, done: request.dryRun ? 0 : 1, refused: 0 }
    return { outcomes: [], counts, next: at === count ? null : runId(`run_${at}`) }
  }
  // Only the connection is used.
  return { connection: { call } } as unknown as Designer
}
