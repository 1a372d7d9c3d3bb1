import { describe, expect, test } from 'vitest'
import { invocationId, runId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { emptyReplay } from '../../src-engine/model/replay.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { inkOf, lookOf } from '../../src-renderer/canvas/node-look.ts'
import { undoLookOf, undoPhaseOf } from '../../src-renderer/canvas/undo-look.ts'
import {
  coverageSentence,
  entryStyle,
  movingSentence,
  rollbackSentence,
} from '../../src-renderer/panels/rollback/rollback-words.ts'
import { rollbackOf, stayingSteps, undoableOf, undoEntries } from '../../src-renderer/state/rollback.ts'
import type { RunModel } from '../../src-renderer/state/run-model.ts'
import { emptyRunModel, modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { invocationRecord, runRecord } from './factories.ts'

const recorded = (node: string, place: number): Partial<InvocationRecord> => ({
  status: 'WAITING',
  wait: { kind: 'rollback', of: invocationId(`run-1/${node}`), place, uncertain: false },
})

const undoOf = (node: string, changes: Partial<InvocationRecord>): InvocationRecord =>
  invocationRecord(node, { id: invocationId(`run-1/~${node}`), role: 'compensation', wait: null, ...changes })

const done = (node: string) => invocationRecord(node, { status: 'SUCCESS', finishedAt: 9, ports: ['out'] })

function modelOf(status: RunRecord['status'], invocations: readonly InvocationRecord[]): RunModel {
  const run = runRecord({ id: runId('run-1'), status })
  return modelOfSnapshot({ run, invocations, skipped: [] } as unknown as Parameters<
    typeof modelOfSnapshot
  >[0])
}

describe('undoing on a card', () => {
  test('what is only recorded leaves the card as it was', () => {
    const model = modelOf('RUNNING', [done('a'), undoOf('a', recorded('a', 1))])
    const run = model.nodes.get('a')
    expect(run?.undo).not.toBeNull()
    expect(run && lookOf(run).style.label).toBe('Done')
    expect(run && inkOf(run, 'out')).toBe('taken')
  })

  test('each way in which it can end has a word of its own', () => {
    const phase = (changes: Partial<InvocationRecord>) => undoPhaseOf(undoOf('a', changes))
    expect(phase(recorded('a', 1))).toBe('recorded')
    expect(phase({ status: 'REROUTED' })).toBe('queued')
    expect(phase({ status: 'RUNNING' })).toBe('active')
    expect(phase({ status: 'RETRY' })).toBe('queued')
    expect(phase({ status: 'SUCCESS', finishedAt: 5 })).toBe('done')
    expect(phase({ status: 'FAILED', finishedAt: 5 })).toBe('failed')
    expect(phase({ status: 'TIMEOUT', finishedAt: 5 })).toBe('failed')
    expect(phase({ status: 'CANCELLED', finishedAt: 5 })).toBe('left')
  })

  test('an undone step says when, and its ink is taken back', () => {
    const at = new Date(2026, 0, 5, 12, 4, 31).getTime()
    const undo = undoOf('a', { status: 'SUCCESS', startedAt: at - 5, finishedAt: at })
    expect(undoLookOf(undo)).toMatchObject({ style: { label: 'Undone' }, reason: '12:04:31' })
    const run = modelOf('COMPENSATED', [done('a'), undo]).nodes.get('a')
    expect(run && lookOf(run).style.label).toBe('Undone')
    expect(run && inkOf(run, 'out')).toBe('undone')
  })

  test('of several tries the newest counts', () => {
    const first = undoOf('a', { status: 'FAILED', finishedAt: 5, registeredAt: 1 })
    const second = undoOf('a', { id: invocationId('run-1/~a~2'), status: 'RUNNING', registeredAt: 7 })
    expect(modelOf('COMPENSATING', [done('a'), first, second]).nodes.get('a')?.undo).toBe(second)
    expect(modelOf('COMPENSATING', [done('a'), second, first]).nodes.get('a')?.undo).toBe(second)
  })
})

describe('how far a rollback has come', () => {
  const undone = undoOf('b', { status: 'SUCCESS', finishedAt: 5 })

  test('is counted from the run’s own records', () => {
    const model = modelOf('COMPENSATING', [done('a'), undoOf('a', recorded('a', 1)), done('b'), undone])
    expect(rollbackOf(model)).toEqual({ status: 'COMPENSATING', total: 2, done: 1, failed: 0, left: 0 })
    expect(rollbackOf(modelOf('FAILED', [done('a')]))).toBeNull()
    expect(rollbackOf(emptyRunModel)).toBeNull()
    expect(emptyReplay.run).toBeNull()
  })

  test('an ended run says how much could be undone by hand', () => {
    const invocations = [done('a'), undoOf('a', recorded('a', 1)), done('b'), undone]
    expect(undoableOf(modelOf('SUCCEEDED', invocations))).toBe(1)
    expect(undoableOf(modelOf('COMPENSATED', invocations))).toBe(0)
    expect(undoableOf(modelOf('RUNNING', invocations))).toBe(0)
  })

  test('is one sentence in each state', () => {
    const of = (status: RunRecord['status'], total: number, counts: object = {}) =>
      rollbackSentence({ status, total, done: 1, failed: 0, left: 0, ...counts })
    expect(of('COMPENSATING', 3)).toBe('Undoing what was done: 1 of 3.')
    expect(of('COMPENSATED', 1)).toBe('The step that could be undone was undone.')
    expect(of('COMPENSATED', 3, { done: 3 })).toBe('All 3 steps that could be undone were undone.')
    expect(of('COMPENSATED', 3, { left: 2 })).toBe('1 of 3 steps were undone; 2 were left behind.')
    expect(of('COMPENSATION_FAILED', 3, { failed: 1 })).toContain('One step could not be undone')
    expect(of('COMPENSATION_FAILED', 3, { failed: 2 })).toContain('2 steps could not be undone')
    expect(of('ABANDONED', 3)).toContain('given up: 1 of 3')
    const moving = (status: RunRecord['status']) =>
      movingSentence({ status, total: 3, done: 3, failed: 0, left: 0 }, 2)
    expect(moving('COMPENSATING')).toBe('Undoing what was done: 2 of 3.')
    expect(moving('COMPENSATED')).toBe('How it was undone: 2 of 3.')
  })

  test('each state of an entry has a look', () => {
    const words = (['recorded', 'queued', 'active', 'done', 'failed', 'left'] as const).map(
      (phase) => entryStyle(phase).label,
    )
    expect(words).toEqual([
      'Can be undone',
      'To be undone',
      'Undoing',
      'Undone',
      'Undo failed',
      'Left behind',
    ])
  })

  test('entries stand in the order in which they are undone, with the tries of each', () => {
    const early = { ...done('a'), finishedAt: 3 }
    const late = { ...done('b'), finishedAt: 8 }
    const first = undoOf('b', { status: 'FAILED', finishedAt: 9, registeredAt: 1, attempt: 2 })
    const second = undoOf('b', {
      id: invocationId('run-1/~b~2'),
      status: 'SUCCESS',
      finishedAt: 12,
      registeredAt: 10,
      attempt: 1,
    })
    const model = modelOf('COMPENSATING', [early, undoOf('a', recorded('a', 1)), late, first, second])
    expect(undoEntries(model).map(({ undo, phase, attempts }) => [undo.nodeId, phase, attempts])).toEqual([
      ['b', 'done', 3],
      ['a', 'recorded', 0],
    ])
  })

  test('what stays is told with why', () => {
    const effect = (node: string, plan: string, reason: string | null = null) =>
      ({ nodeId: node, inside: [], sideEffect: 'unsafe', plan, reason }) as never
    const effects = [effect('a', 'impossible', 'sent'), effect('b', 'missing'), effect('c', 'undone')]
    const failed = undoOf('c', { status: 'FAILED', finishedAt: 9 })
    const model = modelOf('COMPENSATION_FAILED', [done('a'), done('b'), done('c'), failed])
    expect(stayingSteps(model, effects).map(({ nodeId, why, reason }) => [nodeId, why, reason])).toEqual([
      ['a', 'impossible', 'sent'],
      ['b', 'missing', null],
      ['c', 'failed', null],
    ])
    const notDone = modelOf('FAILED', [invocationRecord('a', { status: 'FAILED', finishedAt: 4 })])
    expect(stayingSteps(notDone, effects)).toEqual([])
    const givenUp = modelOf('ABANDONED', [done('c'), undoOf('c', recorded('c', 1))])
    expect(stayingSteps(givenUp, effects).map(({ why }) => why)).toEqual(['abandoned'])
  })

  test('coverage is one sentence', () => {
    const effect = { nodeId: 'a', sideEffect: 'unsafe', plan: 'undone', reason: null } as never
    expect(coverageSentence({ undoable: 1, effects: [effect] })).toBe('Its one effect can be undone.')
    expect(coverageSentence({ undoable: 2, effects: [effect, effect] })).toBe('All 2 effects can be undone.')
    expect(coverageSentence({ undoable: 1, effects: [effect, effect] })).toBe('1 of 2 effects can be undone.')
  })
})
