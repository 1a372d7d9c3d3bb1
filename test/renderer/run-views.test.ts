/** The page of runs: what it asks for, its saved views, and rows that stay where they are. */

import { describe, expect, it } from 'vitest'
import { runId, workflowId } from '../../src-engine/model/ids.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import type { RunSummary } from '../../src-engine/protocol/api.ts'
import { runViewCommands } from '../../src-renderer/commands/run-view-commands.ts'
import type { Shown } from '../../src-renderer/panels/engine-page/runs/shown-runs.ts'
import { refreshed, withOlder } from '../../src-renderer/panels/engine-page/runs/shown-runs.ts'
import type { RunPageFilter } from '../../src-renderer/state/run-views-store.ts'
import { areSame, createRunViewsStore, everyRun, searchOf } from '../../src-renderer/state/run-views-store.ts'
import { runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const memoryOf = (kept: Map<string, string>) => ({
  read: (key: string) => kept.get(key) ?? null,
  write: (key: string, text: string) => void kept.set(key, text),
})
const titles = (kept: Map<string, string>): readonly string[] =>
  createRunViewsStore(memoryOf(kept))
    .getState()
    .views.map(({ title }) => title)

describe('saved views', () => {
  const mine: RunPageFilter = {
    ...everyRun,
    workflowId: workflowId('orders'),
    tenant: 'acme',
    error: 'http_status',
    failedAt: 'charge',
    waitsFor: 'signal',
    hidden: ['steps'],
  }

  it('are there before anybody made one, and survive a restart with name and place', () => {
    const kept = new Map<string, string>()
    expect(titles(kept)).toEqual(['Failed today', 'Waiting', 'Running long'])
    const { save, rename, remove, move } = createRunViewsStore(memoryOf(kept)).getState()
    save({ id: 'mine', title: '  Mine ', filter: mine })
    move('mine', -9)
    rename('mine', 'Bad orders')
    rename('mine', '   ')
    remove('waiting')
    expect(titles(kept)).toEqual(['Bad orders', 'Failed today', 'Running long'])
    const [first] = createRunViewsStore(memoryOf(kept)).getState().views
    expect(first === undefined ? null : areSame(first.filter, mine)).toBe(true)
  })

  it('may all be deleted, and what is broken is left out', () => {
    const kept = new Map([['sagasmith.runViews', '[]']])
    expect(titles(kept)).toEqual([])
    kept.set(
      'sagasmith.runViews',
      '[5, {"id":"a","title":"A","filter":{"statuses":["FAILED","GONE"],"time":"x"}}]',
    )
    const [view] = createRunViewsStore(memoryOf(kept)).getState().views
    expect(view?.filter).toEqual({ ...everyRun, statuses: ['FAILED'] })
    kept.set('sagasmith.runViews', 'not ours')
    expect(titles(kept)).toHaveLength(3)
  })

  it('are commands that narrow the page and show it', () => {
    const { designer } = openPage(newMachine())
    const [command] = runViewCommands(designer)
    command?.run(designer)
    expect(command?.title).toBe('Runs: Failed today')
    expect(designer.view.getState().enginePage).toBe('runs')
    expect(designer.runViews.getState().filter.time).toBe('today')
  })
})

describe('a filter', () => {
  it('is asked in times of now, and without empty texts', () => {
    const now = new Date(2026, 5, 10, 15, 30).getTime()
    const today = searchOf({ ...everyRun, time: 'today', text: '  ', error: ' e ' }, now)
    expect(today).toMatchObject({
      until: null,
      text: null,
      error: 'e',
      since: new Date(2026, 5, 10).getTime(),
    })
    expect(searchOf({ ...everyRun, time: 'hour' }, now).since).toBe(now - 3_600_000)
    expect(searchOf({ ...everyRun, time: 'older' }, now)).toMatchObject({ since: null, until: now - 600_000 })
  })

  it('is the same in whatever order its states were chosen', () => {
    const one = { ...everyRun, statuses: ['FAILED', 'WAITING'] as const }
    expect(areSame(one, { ...everyRun, statuses: ['WAITING', 'FAILED'] })).toBe(true)
    expect(areSame(one, everyRun)).toBe(false)
    expect(areSame(everyRun, { ...everyRun, hidden: ['took'] })).toBe(false)
    expect(searchOf({ ...everyRun, hidden: ['took'] }, 0)).toEqual(searchOf(everyRun, 0))
  })
})

const row = (createdAt: number, status: RunStatus = 'RUNNING'): RunSummary => ({
  run: { ...runRecord(), id: runId(`r${createdAt}`), createdAt, status },
  counts: { total: 1, done: 0, failed: 0 } as RunSummary['counts'],
})
const shownOf = (rows: readonly RunSummary[], next: string | null = null): Shown => ({
  rows,
  next: next === null ? null : runId(next),
  fresh: 0,
  left: new Set(),
})
const pageOf = (rows: readonly RunSummary[], next: string | null = null) => ({
  runs: rows,
  next: next === null ? null : runId(next),
})

describe('the rows', () => {
  it('change their status in place; new ones are counted and move nothing', () => {
    const after = refreshed(shownOf([row(3), row(2)]), pageOf([row(5), row(4), row(3, 'FAILED'), row(2)]))
    expect(after.rows.map(({ run }) => [run.id, run.status])).toEqual([
      ['r3', 'FAILED'],
      ['r2', 'RUNNING'],
    ])
    expect([after.fresh, after.left.size]).toEqual([2, 0])
  })

  it('tell what fits no more, and say nothing of what the answer does not reach', () => {
    const before = shownOf([row(3), row(2), row(1)], 'r1')
    const after = refreshed(before, pageOf([row(2)], 'r2'))
    expect([[...after.left], after.rows.length, after.next]).toEqual([['r3'], 3, 'r1'])
    expect([...refreshed(before, pageOf([])).left]).toEqual(['r3', 'r2', 'r1'])
    expect(refreshed(before, pageOf([], 'r0')).left.size).toBe(0)
  })

  it('do not call new what is older than all of them', () => {
    expect(refreshed(shownOf([row(3), row(2)], 'r2'), pageOf([row(3), row(2), row(1)])).fresh).toBe(0)
    expect(refreshed(shownOf([]), pageOf([row(1)])).fresh).toBe(1)
  })

  it('go on below, each once', () => {
    const after = withOlder(shownOf([row(3), row(2)], 'r2'), pageOf([row(2), row(1)]))
    expect([after.rows.map(({ run }) => run.id), after.next]).toEqual([['r3', 'r2', 'r1'], null])
  })
})
