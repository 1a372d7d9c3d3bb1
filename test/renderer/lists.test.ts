import { describe, expect, test } from 'vitest'
import { auditSubjects } from '../../src-engine/protocol/audit.ts'
import { lookBack } from '../../src-renderer/panels/engine-page/audit/use-audit.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { followList, wholeList } from '../../src-renderer/state/follow-list.ts'
import { audit } from '../../src-renderer/text/audit-words.ts'
import { eventOf } from './factories.ts'

describe('a list that follows the engine', () => {
  function follow() {
    const timers: (() => void)[] = []
    const lines: ((state: { readonly status: string }) => void)[] = []
    const loads: string[] = []
    const designer = {
      ambient: { after: (_ms: number, call: () => void) => timers.push(call) },
      connection: { state: { subscribe: (heard: (typeof lines)[number]) => lines.push(heard) } },
    } as unknown as Designer
    const look = followList(designer, {
      delayMs: 100,
      touches: ({ body }) => body.type === 'run.changed',
      load: () => {
        loads.push('loaded')
        return Promise.resolve()
      },
    })
    return { look, timers, lines, loads }
  }
  const run = eventOf({ type: 'run.changed', from: 'RUNNING', to: 'FAILED', set: {} })
  const step = eventOf({ type: 'invocation.changed', from: 'RUNNING', to: 'SUCCESS', set: {}, attempt: null })

  test('is loaded at once, and again when the line comes back', () => {
    const { lines, loads } = follow()
    expect(loads).toHaveLength(1)
    for (const status of ['closed', 'open']) for (const heard of lines) heard({ status })
    expect(loads).toHaveLength(2)
  })

  test('is loaded once for a burst of events that touch it', () => {
    const { look, timers, loads } = follow()
    look([step])
    expect(timers).toHaveLength(0)
    look([step, run])
    look([run])
    expect(timers).toHaveLength(1)
    timers.shift()?.()
    expect(loads).toHaveLength(2)
    look([run])
    expect(timers).toHaveLength(1)
  })

  test('ends after as many pages as a person reads', async () => {
    const endless = await wholeList<number, number>((after) =>
      Promise.resolve({ items: [after ?? 0], next: (after ?? 0) + 1 }),
    )
    expect(endless).toEqual({ items: [0, 1, 2, 3, 4], hasMore: true })
    const short = await wholeList<string, string>(() => Promise.resolve({ items: ['a'], next: null }))
    expect(short).toEqual({ items: ['a'], hasMore: false })
  })
})

describe('who decided what', () => {
  const query = { runId: null, about: null, by: null, before: null, limit: 3 }
  type Call = Parameters<typeof lookBack>[0]

  test('is looked back for over stretches in which nobody decided anything', async () => {
    const asked: unknown[] = []
    const pages = [
      { entries: [], next: '1.1.1', since: 5 },
      { entries: ['a', 'b'], next: '2.1.1', since: 4 },
      { entries: ['c'], next: '3.1.1', since: 3 },
    ]
    const call = (_method: string, input: unknown) => {
      asked.push(input)
      return Promise.resolve(pages[asked.length - 1])
    }
    const found = await lookBack({ call } as unknown as Call, query)
    expect(found).toEqual({ entries: ['a', 'b', 'c'], next: '3.1.1' })
    expect(asked).toMatchObject([
      { before: null, limit: 3 },
      { before: '1.1.1', limit: 3 },
      { before: '2.1.1', limit: 1 },
    ])
  })

  test('ends with the history, and before an endless one does', async () => {
    const last = { entries: ['a'], next: null, since: null }
    const call = () => Promise.resolve(last)
    expect(await lookBack({ call } as unknown as Call, query)).toEqual({ entries: ['a'], next: null })
    let count = 0
    const endless = () => Promise.resolve({ entries: [], next: `${(count += 1)}.1.1`, since: 1 })
    expect(await lookBack({ call: endless }, query)).toMatchObject({ entries: [] })
    expect(count).toBe(40)
  })

  test('has words for each subject', () => {
    for (const subject of auditSubjects) {
      expect(audit.subjects[subject]).not.toBe('')
      expect(audit.one[subject]).not.toBe('')
    }
  })
})
