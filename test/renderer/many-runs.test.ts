/** What can be asked of many runs at once, and which of them are meant. */

import { describe, expect, it } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { RunSummary } from '../../src-engine/protocol/api.ts'
import type { BulkPage, BulkRequest, RerunRequest } from '../../src-engine/protocol/run-control.ts'
import { runFilters } from '../../src-renderer/panels/runs/run-filters.ts'
import { rangeOf } from '../../src-renderer/panels/runs/use-marked-runs.ts'
import { askRuns, doneWords, mayAsk, runsByAction } from '../../src-renderer/state/bulk.ts'
import type { BulkResult, BulkWish } from '../../src-renderer/state/bulk-all.ts'
import { askAll, countRuns, statusesFor } from '../../src-renderer/state/bulk-all.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { runRecord } from './factories.ts'
import type { Machine } from './fake-designer.ts'
import { newMachine, openPage } from './fake-designer.ts'

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
    expect(Object.fromEntries(asked.map(({ action, runs }) => [action, runs.map(({ id }) => id)]))).toEqual({
      pause: ['running'],
      resume: ['pausing', 'paused'],
      retry: ['failed'],
      rerun: ['failed', 'done'],
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
    expect(statusesFor('rerun', ['RUNNING', 'SUCCEEDED'])).toEqual(['SUCCEEDED'])
    expect(statusesFor('pause', ['PAUSED'])).toEqual([])
  })

  it('goes through all pages, and stops when it is told to', async () => {
    const asked: BulkRequest[] = []
    const designer = pagesOf(3, asked)
    const wish: BulkWish = {
      action: 'cancel',
      statuses: null,
      workflowId: null,
      tenant: 'acme',
      failedAt: 'charge',
      waitsFor: 'signal',
      until: 7,
      version: 'newest',
      requestId: 'wish',
    }
    expect(await countRuns(designer, wish)).toBe(3)
    const isNarrowed = ({ dryRun, filter }: BulkRequest) =>
      dryRun &&
      filter.until === 7 &&
      filter.tenant === 'acme' &&
      filter.failedAt === 'charge' &&
      filter.waitsFor === 'signal'
    expect(asked.every(isNarrowed)).toBe(true)
    const told: number[] = []
    const watch = {
      isStopped: () => told.length === 2,
      told: (results: readonly BulkResult[]) => void told.push(results.length),
    }
    const results = await askAll(designer, wish, watch)
    expect(results.map(({ runId: id }) => id)).toEqual(['run_1', 'run_2'])
    expect(told).toEqual([1, 2])
    expect(asked.every(({ version, requestId }) => version === 'newest' && requestId === 'wish')).toBe(true)
    expect(asked.filter(({ dryRun }) => !dryRun).map(({ after }) => after)).toEqual([null, 'run_1'])
    expect(await countRuns(designer, { ...wish, action: 'resume', statuses: ['FAILED'] })).toBe(0)
  })
})

describe('what became of each of them', () => {
  it('is told for every run, with its reason or the run that was started', async () => {
    const sent: unknown[] = []
    const designer = engineThat({
      'runs.rerun': (request: RerunRequest) => {
        sent.push(request)
        if (request.runId === done.id) throw new SagasmithError('run_not_found')
        return { runId: runId('new') }
      },
    })
    const results = (await askRuns(designer, 'rerun', [failed, done])) ?? []
    expect(results).toMatchObject([
      { runId: 'failed', startedRunId: 'new', error: null },
      { runId: 'done', startedRunId: null, error: { code: 'run_not_found' } },
    ])
    expect(sent).toMatchObject([
      { runId: 'failed', document: null, input: null, requestId: 'id1' },
      { runId: 'done', requestId: 'id2' },
    ])
    expect(doneWords('rerun', results)).toBe('1 new run was started.')
    expect(doneWords('rerun', results.slice(1))).toBeNull()
  })

  it('is told of what is steered by the answer that each run had', async () => {
    const error = { code: 'run_already_final', message: 'It ended.', hint: null }
    const refused = { runId: paused.id, answer: null, error }
    const followed = { runId: running.id, answer: {}, error: null }
    const designer = engineThat({ 'runs.control': () => ({ results: [refused, followed] }) })
    const results = (await askRuns(designer, 'cancel', [running, paused])) ?? []
    expect(results.map((one) => [one.runId, one.error?.code ?? null])).toEqual([
      ['running', null],
      ['paused', 'run_already_final'],
    ])
  })
})

/** An engine with so many pages of one run each. */
function pagesOf(count: number, asked: BulkRequest[]): Designer {
  const call = async (_method: string, request: BulkRequest): Promise<BulkPage> => {
    asked.push(request)
    const at = request.after === null ? 1 : Number(request.after.slice(4)) + 1
    const counts = { matched: 1, done: request.dryRun ? 0 : 1, refused: 0 }
    const outcomes = [outcomeOf(`run_${at}`)]
    return { outcomes, counts, next: at === count ? null : runId(`run_${at}`) }
  }
  // Only the connection is used.
  return { connection: { call } } as unknown as Designer
}

const outcomeOf = (id: string): BulkPage['outcomes'][number] => ({
  runId: runId(id),
  workflowId: running.workflowId,
  workflowTitle: running.workflowTitle,
  before: 'RUNNING',
  status: 'CANCELLED',
  startedRunId: null,
  error: null,
})

function engineThat(methods: Machine['methods']): Designer {
  const machine = newMachine()
  Object.assign(machine.methods, { 'runs.list': () => ({ runs: [], next: null }), ...methods })
  return openPage(machine).designer
}
