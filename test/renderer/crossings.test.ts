import { describe, expect, test } from 'vitest'
import { edgeId, invocationId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { inkWidth, peekOf, timesCrossed } from '../../src-renderer/canvas/live/crossings.ts'
import { takeBead } from '../../src-renderer/canvas/live/traveling.ts'
import { modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { createViewStore } from '../../src-renderer/state/view-store.ts'
import { invocationRecord, runRecord } from './factories.ts'

const done = (path: string, changes: Partial<InvocationRecord> = {}): InvocationRecord =>
  invocationRecord('a', {
    id: invocationId(`run-1/a@${path}#${changes.generation ?? 0}`),
    path,
    status: 'SUCCESS',
    finishedAt: 1,
    ...changes,
  })
const modelOf = (...invocations: readonly InvocationRecord[]) => {
  const run = runRecord({ generation: 1 })
  return modelOfSnapshot({ run, invocations, skipped: [], attempts: [], cursors: [] } as never)
}

describe('how often a way was gone', () => {
  test('once per item that left by that port', () => {
    const model = modelOf(
      done('each:0'),
      done('each:1'),
      done('each:2', { ports: ['late'] }),
      done('each:3', { status: 'FAILED', ports: ['error'] }),
      done('each:4', { status: 'RUNNING', finishedAt: null }),
    )
    expect(timesCrossed(model, 'a', 'out')).toBe(2)
    expect(timesCrossed(model, 'a', 'late')).toBe(3)
    expect(timesCrossed(model, 'a', 'error')).toBe(1)
    expect(timesCrossed(model, 'b', 'out')).toBe(0)
  })

  test('what was done before a step began anew doesn’t count', () => {
    expect(timesCrossed(modelOf(done('', { generation: 0 }), done('', { generation: 1 })), 'a', 'out')).toBe(
      1,
    )
  })

  test('ink gets thicker, and not without end', () => {
    expect(inkWidth(0)).toBe(3)
    expect(inkWidth(16)).toBeGreaterThan(inkWidth(4))
    expect(inkWidth(5_000_000)).toBe(6)
  })
})

describe('a peek of a value', () => {
  test.for([
    ['{"id": 7}', '{"id": 7}'],
    [`"${'x'.repeat(100)}"`, `"${'x'.repeat(22)}…`],
    ['{\n  "a":   1\n}', '{ "a": 1 }'],
  ] as const)('%s', ([json, peek]) => {
    expect(peekOf({ kind: 'inline', json })).toBe(peek)
    expect(peekOf({ kind: 'inline', json })?.length).toBeLessThanOrEqual(24)
  })

  test('says how much a large one is, and nothing of a sealed one', () => {
    expect(peekOf({ kind: 'blob', hash: 'h' as never, bytes: 40_000 })).toBe('39 KB')
    expect(peekOf({ kind: 'sealed', token: 't', blob: null })).toBe('sealed')
    expect(peekOf(null)).toBeNull()
  })
})

test('at most forty beads travel, and a place that was given back can be taken again', () => {
  const places = Array.from({ length: 41 }, takeBead)
  expect(places.at(-1)).toBeNull()
  places[0]?.()
  places[0]?.()
  const again = takeBead()
  expect(again).not.toBeNull()
  expect(takeBead()).toBeNull()
  for (const giveBack of [...places.slice(1), again]) giveBack?.()
})

test('a probe stays until it is pressed again', () => {
  const view = createViewStore({ panels: {}, theme: 'system' })
  view.getState().toggleProbe(edgeId('a'))
  view.getState().toggleProbe(edgeId('b'))
  expect(view.getState().probes).toEqual(['a', 'b'])
  view.getState().toggleProbe(edgeId('a'))
  expect(view.getState().probes).toEqual(['b'])
})
