/** What runs are looked for by, and how far a page looks for them. */

import { describe, expect, test } from 'vitest'
import { definitionHash, invocationId, nodeId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { runsLookedAtMax, runsReadMax } from '../../../src-engine/model/limits.ts'
import { newInvocation, newRun } from '../../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { RunSearch } from '../../../src-engine/protocol/run-search.ts'
import {
  beginningOf,
  fittingStatuses,
  isFoundBy,
  isFoundBySteps,
} from '../../../src-engine/protocol/run-search.ts'
import { inputSchemas } from '../../../src-engine/protocol/schema.ts'
import { runFilterOf } from '../../../src-engine/shell/commands/run-filter-flags.ts'
import { findRuns } from '../../../src-engine/shell/run-list.ts'
import type { Page, Store } from '../../../src-engine/store/store.ts'

const aRun = (id: string, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...newRun({
    id: runId(id),
    workflowId: workflowId('orders'),
    workflowTitle: 'Orders of the day',
    definitionHash: definitionHash('w1_abcdef'),
    status: 'FAILED',
    input: { kind: 'inline', json: '{}' },
    now: 0,
    seed: 's',
    startedAt: 0,
  }),
  ...changes,
})
const manual = { kind: 'manual', by: 'ada', detail: null }
const cron = { kind: 'trigger:cron', by: 'nightly', detail: 'Every night at 2' }
const failure = { code: 'http_status', message: 'No', hint: '', retryable: false, details: {} }

/** A store with these runs, newest first; tells how many were read of it. */
function storeOf(runs: readonly RunRecord[]): { readonly store: Store; readonly read: () => number } {
  let read = 0
  const list = async (_partition: number, _kind: string, { page }: { readonly page: Page }) => {
    const start = page.after === null ? 0 : runs.findIndex(({ id }) => id === page.after) + 1
    const found = runs.slice(start, start + page.limit)
    read += found.length
    return found
  }
  // Only the list is asked for.
  return { store: { list } as unknown as Store, read: () => read }
}

/** The same, where the steps of runs are known too; tells whose were read. */
function storeWithSteps(runs: readonly RunRecord[], stepsOf: (id: string) => readonly InvocationRecord[]) {
  const stepsRead: string[] = []
  const load = async (_partition: number, _kind: string, { runId: id }: { readonly runId: string }) => {
    stepsRead.push(id)
    return stepsOf(id)
  }
  const store = { ...storeOf(runs).store, load, info: { partitions: [0] } } as unknown as Store
  return { store, stepsRead }
}

const everything = { statuses: null, workflowId: null, after: null }

describe('a run is found', () => {
  const run = aRun('run_Abc', { createdAt: 100, cause: cron, tags: ['Nightly'], error: failure })
  const finds = (search: RunSearch): boolean => isFoundBy(run, search)

  test('by the time of its creation: from an instant on, and before another', () => {
    expect([99, 100, 101].map((since) => finds({ since }))).toEqual([true, true, false])
    expect([100, 101].map((until) => finds({ until }))).toEqual([false, true])
  })

  test('by what had it begin', () => {
    const parentRunId = runId('run_parent')
    const origin = { kind: 'fork', runId: parentRunId, nodeId: null } as const
    expect(beginningOf(run)).toBe('trigger')
    expect(beginningOf(aRun('a', { cause: manual }))).toBe('manual')
    expect(beginningOf(aRun('a', { cause: manual, parentRunId }))).toBe('step')
    expect(beginningOf(aRun('a', { parentRunId, origin }))).toBe('fork')
    expect([finds({ origin: 'trigger' }), finds({ origin: 'manual' })]).toEqual([true, false])
  })

  test('by the code of its failure, whole', () => {
    expect([finds({ error: 'http_status' }), finds({ error: 'http' })]).toEqual([true, false])
    expect(isFoundBy(aRun('a'), { error: 'http_status' })).toBe(false)
  })

  test('by whom it is for, whole', () => {
    const theirs = aRun('a', { tenant: 'acme' })
    const found = (tenant: string | null) => isFoundBy(theirs, { tenant })
    expect([found('acme'), found('local'), found('ac'), found(null)]).toEqual([true, false, false, true])
  })

  test('by the beginning of its id or version, and by parts of title, tags and trigger', () => {
    for (const text of ['RUN_a', 'w1_abc', 'of the DAY', 'night', 'at 2', 'cron', ' orders '])
      expect(finds({ text }), text).toBe(true)
    for (const text of ['Abc', 'abcdef', 'ada']) expect(finds({ text }), text).toBe(false)
  })

  test('by all of it at once, and by nothing', () => {
    expect(finds({ text: 'orders', origin: 'trigger', since: 1 })).toBe(true)
    expect(finds({ text: 'orders', origin: 'manual', since: 1 })).toBe(false)
    expect(finds({ text: null, origin: null, error: null, since: null, until: null })).toBe(true)
  })
})

describe('a run is found by its steps', () => {
  const step = (node: string, changes: Partial<InvocationRecord>): InvocationRecord =>
    newInvocation({
      id: invocationId(`a/${node}`),
      runId: runId('a'),
      nodeId: nodeId(node),
      taskKind: 'noop',
      registeredAt: 0,
      cause: { kind: 'upstream', by: null, detail: null },
      ...changes,
    })
  const failedAt = (status: InvocationRecord['status'], changes: Partial<InvocationRecord> = {}): boolean =>
    isFoundBySteps(aRun('a'), [step('charge', { status, ...changes })], { failedAt: 'charge' })

  test('one that failed, whole, however the run ended; what undoes it is another matter', () => {
    expect(failedAt('FAILED')).toBe(true)
    expect(failedAt('TIMEOUT')).toBe(true)
    expect(failedAt('DENIED')).toBe(true)
    expect(failedAt('CONCURRENCY_CONTROLLED_FINAL')).toBe(true)
    expect(failedAt('SUCCESS')).toBe(false)
    expect(failedAt('RETRY')).toBe(false)
    expect(failedAt('FAILED', { role: 'compensation' })).toBe(false)
    expect(isFoundBySteps(aRun('a'), [step('charge', { status: 'FAILED' })], { failedAt: 'char' })).toBe(
      false,
    )
  })

  test('one that waits for it, or the run itself; what has ended waits no more', () => {
    const waitReason = { code: 'signal', message: 'Waits.' }
    const search = { waitsFor: 'signal' }
    const open = aRun('a', { status: 'RUNNING' })
    expect(isFoundBySteps(open, [step('x', { status: 'WAITING', waitReason })], search)).toBe(true)
    expect(
      isFoundBySteps(open, [step('x', { status: 'CANCELLED', waitReason, finishedAt: 5 })], search),
    ).toBe(false)
    expect(isFoundBySteps(aRun('a', { status: 'CREATED', waitReason }), [], search)).toBe(true)
    expect(isFoundBySteps(open, [step('x', { status: 'RUNNING' })], search)).toBe(false)
    expect(isFoundBy(aRun('a', { waitReason, finishedAt: 5 }), search)).toBe(false)
  })

  test('whose steps are read only where its own record fits, and of so many runs a call', async () => {
    const many = Array.from({ length: runsReadMax * 2 + 10 }, (_, index) =>
      aRun(`r${index}`, { tags: index % 2 === 0 ? ['even'] : [] }),
    )
    const fails = [step('charge', { status: 'FAILED' })]
    const { store, stepsRead } = storeWithSteps(many, (id) => (id === 'r2' || id === 'r404' ? fails : []))
    const query = { ...everything, text: 'even', failedAt: 'charge', limit: 50 }
    const first = await findRuns(store, query)
    expect([first.runs.map(({ id }) => id), first.next]).toEqual([['r2'], `r${runsReadMax * 2 - 2}`])
    expect([stepsRead.length, stepsRead.includes('r1')]).toEqual([runsReadMax, false])
    const rest = await findRuns(store, { ...query, after: first.next })
    expect([rest.runs.map(({ id }) => id), rest.next]).toEqual([['r404'], null])
  })
})

describe('a page of runs', () => {
  const many = Array.from({ length: runsLookedAtMax + 500 }, (_, index) =>
    aRun(`r${index}`, { createdAt: 10_000 - index, tags: index % 1_000 === 999 ? ['rare'] : [] }),
  )

  test('reads no more than it gives where the store finds them by itself', async () => {
    const { store, read } = storeOf(many)
    const { runs, next } = await findRuns(store, { ...everything, limit: 50 })
    expect([runs.length, next, read()]).toEqual([50, 'r49', 50])
  })

  test('ends at the first that is too old, and looks no further', async () => {
    const { store, read } = storeOf(many)
    const page = await findRuns(store, { ...everything, since: 9_998, limit: 50 })
    expect([page.runs.map(({ id }) => id), page.next, read()]).toEqual([['r0', 'r1', 'r2'], null, 50])
  })

  test('looks at so many and no more, says where to go on, and finds each run once', async () => {
    const { store, read } = storeOf(many)
    const first = await findRuns(store, { ...everything, text: 'rare', limit: 50 })
    expect([first.runs.map(({ id }) => id), first.next]).toEqual([['r999', 'r1999'], 'r1999'])
    expect(read()).toBe(runsLookedAtMax)
    const rest = await findRuns(store, { ...everything, text: 'rare', limit: 50, after: first.next })
    expect([rest.runs, rest.next]).toEqual([[], null])
  })

  test('goes on behind the last that it gave, though it looked further', async () => {
    const { store } = storeOf(many)
    const first = await findRuns(store, { ...everything, text: 'rare', limit: 1 })
    expect([first.runs.map(({ id }) => id), first.next]).toEqual([['r999'], 'r999'])
    const second = await findRuns(store, { ...everything, text: 'rare', limit: 1, after: first.next })
    expect(second.runs.map(({ id }) => id)).toEqual(['r1999'])
  })
})

test('a filter that is none is refused by its name', () => {
  const wrong = (search: object): readonly unknown[] => {
    const query = { ...everything, limit: 5, ...search }
    return inputSchemas['runs.list'].safeParse(query).error?.issues.map(({ path }) => path[0]) ?? []
  }
  expect(wrong({ origin: 'chance' })).toEqual(['origin'])
  expect(wrong({ text: '', since: 'yesterday' })).toEqual(['since', 'text'])
  expect(wrong({ origin: 'fork', text: 'x', error: 'e', since: 5, until: null })).toEqual([])
})

test('the command line has a flag for each', () => {
  const flags = { error: 'http_status', 'failed-at': 'charge', 'waits-for': 'signal', origin: 'fork' }
  const { error, failedAt, waitsFor, origin } = runFilterOf({ flags })
  expect({ error, failedAt, waitsFor, origin }).toEqual({
    error: 'http_status',
    failedAt: 'charge',
    waitsFor: 'signal',
    origin: 'fork',
  })
  expect(runFilterOf({ flags: {} })).toMatchObject({ failedAt: null, waitsFor: null })
  expect(() => runFilterOf({ flags: { origin: 'chance' } })).toThrow('No run begins by')
})

describe('no run is read that can’t fit', () => {
  test('of statuses that what is asked for rules out', () => {
    const of = (search: RunSearch, statuses: readonly RunRecord['status'][] | null = null) =>
      fittingStatuses({ ...search, statuses })
    expect(of({ text: 'a' })).toBeNull()
    expect(of({ text: 'a' }, ['FAILED'])).toEqual(['FAILED'])
    expect(of({ error: 'x' })).toContain('FAILED')
    expect(of({ error: 'x' })).not.toContain('SUCCEEDED')
    expect(of({ error: 'x' }, ['SUCCEEDED'])).toEqual([])
    expect(of({ waitsFor: 'signal' }, ['WAITING', 'FAILED', 'CREATED'])).toEqual(['WAITING', 'CREATED'])
  })

  test('and nothing where nothing can', async () => {
    const { store, read } = storeOf([aRun('a')])
    const query = { ...everything, statuses: ['SUCCEEDED'] as const, error: 'http_status', limit: 5 }
    expect(await findRuns(store, query)).toEqual({ runs: [], next: null })
    expect(read()).toBe(0)
  })

  test('of a workflow, of statuses that it has none of, nor behind its last', async () => {
    const asked: unknown[] = []
    const own = [aRun('a'), aRun('b')]
    const store = {
      load: async () => new Map([['FAILED', 2]]),
      list: async (
        _: number,
        __: string,
        { filter, page }: { readonly filter: object; readonly page: Page },
      ) => {
        asked.push({ ...filter, limit: page.limit })
        return own.slice(page.after === null ? 0 : 2)
      },
    } as unknown as Store
    const query = { ...everything, workflowId: workflowId('orders'), limit: 50 }
    expect(await findRuns(store, query)).toEqual({ runs: own, next: null })
    expect(await findRuns(store, { ...query, statuses: ['SUCCEEDED'] })).toEqual({ runs: [], next: null })
    expect(asked).toEqual([{ statuses: ['FAILED'], workflowId: 'orders', includeCore: false, limit: 2 }])
    // Within the list nobody knows how many are left.
    await findRuns(store, { ...query, after: runId('a') })
    expect(asked.at(-1)).toMatchObject({ statuses: ['FAILED'], limit: 50 })
  })

  test('of a workflow, the last too, when another began while it was looked for', async () => {
    const own = ['c', 'b', 'a'].map((id) => aRun(id))
    let counted = 0
    const store = {
      ...storeOf(own).store,
      // The newest isn't counted yet when it is listed.
      load: async () => new Map([['FAILED', (counted += 1) === 1 ? 2 : 3]]),
    } as unknown as Store
    const query = { ...everything, workflowId: workflowId('orders'), limit: 50 }
    expect(await findRuns(store, query)).toEqual({ runs: own, next: null })
  })
})
