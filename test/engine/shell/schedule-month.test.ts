/** The month of published schedules, with durations learned from runs. */

import { describe, expect, it } from 'vitest'
import { noWrites } from '../../../src-engine/model/checkpoint.ts'
import { opId, workflowId } from '../../../src-engine/model/ids.ts'
import { minute } from '../../../src-engine/model/time.ts'
import type { TriggerRecord } from '../../../src-engine/model/trigger.ts'
import { triggerKey, triggerValue } from '../../../src-engine/model/trigger.ts'
import { publishedMonth } from '../../../src-engine/shell/schedule-month.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { aTrigger } from '../runtime/triggers/trigger-record.ts'

const trigger = (triggerId: string, more: Partial<TriggerRecord>): TriggerRecord =>
  aTrigger({
    workflowId: workflowId('reports'),
    triggerId,
    kind: 'cron',
    workflowTitle: 'Reports',
    parameters: { expression: '0 9 * * *', timeZone: 'UTC', overlap: 'skip' },
    ...more,
  })

async function storeWith(triggers: readonly TriggerRecord[]): Promise<Store> {
  const store = createMemoryStore()
  const registers = triggers.map((one) => ({ key: triggerKey(one), value: triggerValue(one) }))
  const [answer] = await store.commit(0, [
    {
      partition: 0,
      opId: opId('published'),
      actor: { kind: 'timer', id: null },
      at: 0,
      expect: { invocations: [], registers: registers.map(({ key }) => ({ key, version: 0 })) },
      writes: { ...noWrites, registers },
      events: [],
    },
  ])
  expect(answer?.kind).toBe('accepted')
  return store
}

const march = { timeZone: 'UTC', year: 2026, month: 3, workers: 2 }

describe('the month of published schedules', () => {
  it('has those that are on, by the names that people know', async () => {
    const store = await storeWith([
      trigger('daily', {}),
      trigger('weekly', { title: 'Weekly', parameters: { expression: '0 9 * * MON' } }),
      trigger('off', { enabled: false }),
      trigger('switched-off', { switched: false }),
      trigger('hook', { kind: 'webhook', parameters: {} }),
    ])
    const { titles, schedules, days } = await publishedMonth(store, march)
    expect(titles).toEqual({ 'reports/daily': 'Reports', 'reports/weekly': 'Reports: Weekly' })
    expect(schedules.map(({ id, firesCount, durationMs }) => [id, firesCount, durationMs])).toEqual([
      ['reports/daily', 31, null],
      ['reports/weekly', 5, null],
    ])
    expect(days[1]).toMatchObject({ date: '2026-03-02', firesCount: 2, peak: { count: 2 } })
  })

  it('expects a run to take what the middle one of the last ones took', async () => {
    const store = await storeWith([trigger('daily', {})])
    const runs = [5, 1, 40].map((minutes) => ({ startedAt: 1_000, finishedAt: 1_000 + minutes * minute }))
    const asked: unknown[] = []
    const list = async (partition: number, what: string, query: unknown): Promise<unknown> => {
      if (what !== 'runs') return store.list(partition, 'registers', query as never)
      asked.push(query)
      return runs
    }
    const { schedules } = await publishedMonth({ ...store, list: list as Store['list'] }, march)
    expect(schedules[0]?.durationMs).toBe(5 * minute)
    expect(asked).toEqual([
      {
        filter: { statuses: ['SUCCEEDED'], workflowId: 'reports', includeCore: false },
        page: { after: null, limit: 21 },
      },
    ])
  })
})
