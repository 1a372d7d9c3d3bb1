/** The page of logs: what its filter asks for, and how answers come together. */

import { describe, expect, it } from 'vitest'
import { invocationId, nodeId, runId } from '../../src-engine/model/ids.ts'
import type { LogEntry, LogPage } from '../../src-engine/protocol/history.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { placeOf } from '../../src-renderer/panels/engine-page/logs/log-place.ts'
import {
  allOf,
  entriesMax,
  firstEntries,
  withNews,
  withOlder,
} from '../../src-renderer/panels/engine-page/logs/shown-entries.ts'
import { backTo } from '../../src-renderer/panels/engine-page/logs/use-logs.ts'
import { everyEntry, logQueryOf } from '../../src-renderer/state/logs-store.ts'

const now = Date.parse('2026-11-25T12:00:00Z')

describe('the filter', () => {
  it('asks for words as they are, and for nothing that isn’t written', () => {
    expect(logQueryOf(everyEntry, now)).toEqual({
      ...{ text: null, level: 'info', source: 'all', runId: null, step: null, runnerId: null },
      ...{ since: null, until: null },
    })
    const filter = { ...everyEntry, text: ' no money ', step: 'pay', time: 'quarter' as const }
    expect(logQueryOf(filter, now)).toMatchObject({ text: 'no money', step: 'pay', since: now - 900_000 })
  })

  it('asks for what a pasted text names', () => {
    const of = (text: string) => logQueryOf({ ...everyEntry, text }, now)
    expect(of('run_abc')).toMatchObject({ text: null, runId: 'run_abc' })
    expect(of('lease of run_abc/pay@each:3 lost')).toMatchObject({
      ...{ text: null, runId: 'run_abc', step: 'run_abc/pay@each:3' },
    })
    expect(of('"runner_id":"runner_abcdef1"')).toMatchObject({ text: null, runnerId: 'runner_abcdef1' })
    expect(of('sagasmith://run/run_abc?node=pay')).toMatchObject({ text: null, runId: 'run_abc' })
  })

  it('has a time between two instants, open where nothing is written', () => {
    const range = { ...everyEntry, time: 'range' as const, from: '2026-11-25T10:00', to: '' }
    expect(logQueryOf(range, now)).toMatchObject({ since: Date.parse('2026-11-25T10:00'), until: null })
  })
})

describe('where an entry is from', () => {
  const of = (entry: Partial<LogEntry>) =>
    placeOf(
      { runId: null, invocationId: null, nodeId: null, nodeTitle: null, taskKind: null, ...entry },
      taskSpecsByKind,
    )
  const judge = { runId: runId('run_a'), nodeId: nodeId('judge') }

  it('is told by the title of its step, with the turn beside it, else by what its kind is called', () => {
    const turn = { ...judge, invocationId: invocationId('run_a/judge@each:3'), taskKind: 'http-request' }
    expect(of({ ...turn, nodeTitle: 'Judge it' })).toEqual({
      title: 'Judge it',
      id: 'judge',
      turn: '@each:3',
    })
    expect(of(turn)).toEqual({ title: 'HTTP request', id: 'judge', turn: '@each:3' })
    expect(of({ ...judge, nodeTitle: 'Judge it' })).toEqual({ title: 'Judge it', id: 'judge', turn: '' })
  })

  it('is an id where nobody knows the step any more', () => {
    expect(of(judge).title).toBe('judge')
    expect(of({ runId: runId('run_a') }).title).toBe('the run')
    expect(of({}).title).toBe('the engine')
  })
})

const entry = (id: string, at: number): LogEntry => ({ id, at }) as unknown as LogEntry
const page = (ids: readonly (readonly [string, number])[], more: Partial<LogPage> = {}): LogPage => ({
  entries: ids.map(([id, at]) => entry(id, at)),
  ...{ printing: [], next: null, since: null, cursor: 'c', more: false, now },
  ...more,
})
const idsOf = (entries: readonly LogEntry[]) => entries.map(({ id }) => id)

describe('answers', () => {
  it('come together newest first, each entry once, also where one belongs in between', () => {
    const first = firstEntries(
      page(
        [
          ['c', 30],
          ['a', 10],
        ],
        { next: 'n' },
      ),
    )
    const older = withOlder(
      first,
      page(
        [
          ['b', 20],
          ['z', 5],
          ['a', 10],
        ],
        { next: null, since: null },
      ),
    )
    expect(idsOf(older.entries)).toEqual(['c', 'b', 'a', 'z'])
    expect(older.next).toBeNull()
    const news = withNews(
      older,
      page(
        [
          ['d', 40],
          ['c', 30],
        ],
        { cursor: 'e' },
      ),
    )
    expect(idsOf(news.entries)).toEqual(['d', 'c', 'b', 'a', 'z'])
    expect(news.cursor).toBe('e')
  })

  it('what is printed by now stands among the others until its step has ended', () => {
    const printing = firstEntries(page([['a', 10]], { printing: [entry('p', 12)] }))
    expect(idsOf(allOf(printing))).toEqual(['p', 'a'])
    const ended = withNews(printing, page([['0.1.9:0', 12]], { printing: [] }))
    expect(idsOf(allOf(ended))).toEqual(['0.1.9:0', 'a'])
  })

  it('the newest stay where there are too many, and there is no going on behind them', () => {
    const many = Array.from({ length: entriesMax }, (_, index) => [`e${index}`, index] as const)
    const cut = withNews(firstEntries(page(many.toReversed(), { next: 'n' })), page([['new', 1e9]]))
    expect(cut).toMatchObject({ isCut: true, next: null })
    expect(cut.entries).toHaveLength(entriesMax)
    expect(cut.entries[0]?.id).toBe('new')
  })

  it('a rare thing is looked for in several strides, but not without end', async () => {
    const asked: (string | null)[] = []
    const call = async (_: string, { before }: { readonly before: string | null }) => {
      asked.push(before)
      return page(asked.length === 3 ? [['found', 1]] : [], {
        next: `n${asked.length}`,
        since: 100 - asked.length,
      })
    }
    const query = { ...logQueryOf(everyEntry, now), before: null, after: null, limit: 100 }
    const found = await backTo({ call: call as never }, query)
    expect(idsOf(found.entries)).toEqual(['found'])
    expect(asked).toEqual([null, 'n1', 'n2', 'n3', 'n4'])
    expect(found).toMatchObject({ next: 'n5', since: 95 })
  })
})
