import { describe, expect, test } from 'vitest'
import { invocationId, runId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { inkOf, lookOf } from '../../src-renderer/canvas/node-look.ts'
import { endSentence } from '../../src-renderer/panels/rollback/rollback-words.ts'
import { startRewind, watchAgain } from '../../src-renderer/state/follow-rewind.ts'
import { revealMs, rewindMark, shownDone, trailOf } from '../../src-renderer/state/rewind.ts'
import { createRewindStore } from '../../src-renderer/state/rewind-store.ts'
import type { RunModel } from '../../src-renderer/state/run-model.ts'
import { emptyRunModel, modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { createRunsStore, isStoppable } from '../../src-renderer/state/runs-store.ts'
import { invocationRecord, runRecord } from './factories.ts'

type Changes = Partial<InvocationRecord>

const ended = (node: string, finishedAt: number, changes: Changes = {}) =>
  invocationRecord(node, { status: 'SUCCESS', finishedAt, ports: ['out'], ...changes })
const undo = (node: string, changes: Changes) =>
  invocationRecord(node, { id: invocationId(`run-1/~${node}`), role: 'compensation', ...changes })
const recorded = (node: string, place: number) =>
  undo(node, {
    status: 'WAITING',
    wait: { kind: 'rollback', of: invocationId(`run-1/${node}`), place, uncertain: false },
  })
const undone = (node: string) => undo(node, { status: 'SUCCESS', finishedAt: 90 })

function modelOf(status: RunRecord['status'], invocations: readonly InvocationRecord[]): RunModel {
  const run = runRecord({ id: runId('run-1'), status })
  return modelOfSnapshot({ run, invocations, skipped: [] } as unknown as Parameters<
    typeof modelOfSnapshot
  >[0])
}

const [a, b, c] = [ended('a', 1), ended('b', 2), ended('c', 3)]
const failed = invocationRecord('d', { status: 'FAILED', finishedAt: 4 })
const trail = (model: RunModel) => trailOf(model).map((place) => place.trim())

describe('the way back of a rollback', () => {
  test('is over what was done, the last step first, as far as the rollback has come', () => {
    const under = modelOf('COMPENSATING', [a, recorded('a', 1), b, c, undone('c'), failed])
    expect(trail(under)).toEqual(['c'])
    const over = modelOf('COMPENSATED', [a, undone('a'), b, c, undone('c'), failed])
    expect(trail(over)).toEqual(['c', 'b', 'a'])
  })

  test('passes steps that nothing undoes, and stops before one that could not be undone', () => {
    const stuck = [a, undo('a', { status: 'FAILED', finishedAt: 91 }), b, undone('b'), c, failed]
    expect(trail(modelOf('COMPENSATION_FAILED', stuck))).toEqual(['c', 'b'])
    const skipped = [a, undo('a', { status: 'CANCELLED', finishedAt: 92 }), b, undone('b'), c, failed]
    expect(trail(modelOf('COMPENSATED', skipped))).toEqual(['c', 'b', 'a'])
  })

  test('is none for a run that is not taken back', () => {
    expect(trailOf(modelOf('FAILED', [a, recorded('a', 1), failed]))).toEqual([])
    expect(trailOf(emptyRunModel)).toEqual([])
  })

  test('marks each step by how much of it is shown, and where it began', () => {
    const model = modelOf('COMPENSATED', [a, undone('a'), b, c, undone('c'), failed])
    const marks = (revealed: number) =>
      ['a', 'b', 'c', 'd'].map((node) => rewindMark(model, `${node} `, revealed))
    expect(marks(0)).toEqual(['ahead', 'ahead', 'next', 'origin'])
    expect(marks(1)).toEqual(['ahead', 'next', 'passed', 'origin'])
    expect(marks(3)).toEqual(['passed', 'passed', 'passed', 'origin'])
    expect(rewindMark(model, 'other ', 3)).toBe('none')
    expect([0, 1, 2, 3].map((revealed) => shownDone(model, revealed))).toEqual([0, 1, 1, 2])
  })

  test('takes ink and words back with what is shown of it', () => {
    const node = modelOf('COMPENSATED', [a, undone('a'), failed]).nodes.get('a')
    if (node === undefined) throw new Error('The node was run.')
    expect(inkOf(node, 'out', 'ahead')).toBe('taken')
    expect(inkOf(node, 'out', 'next')).toBe('taken')
    expect(inkOf(node, 'out', 'passed')).toBe('undone')
    expect(lookOf(node, 'ahead').style.label).toBe('Done')
    expect(lookOf(node, 'next').style.label).toBe('Undoing')
    expect(lookOf(node, 'passed').style.label).toBe('Undone')
    const pure = modelOf('COMPENSATED', [a, undone('a'), b, failed]).nodes.get('b') ?? null
    expect(inkOf(pure, 'out', 'passed')).toBe('undone')
    expect(inkOf(pure, 'error', 'passed')).toBe('dimmed')
  })

  test('is as slow as eyes are, however long it is', () => {
    expect(revealMs(2)).toBe(520)
    expect(revealMs(20) * 20).toBeLessThanOrEqual(5_400)
    expect(revealMs(100_000)).toBe(50)
  })
})

describe('what moves it on', () => {
  const over = modelOf('COMPENSATED', [a, undone('a'), b, undone('b'), failed])

  function designer(isStill: boolean) {
    const timers: (() => void)[] = []
    const parts = {
      runs: createRunsStore(),
      rewind: createRewindStore(),
      ambient: {
        prefersStillness: () => isStill,
        after: (_ms: number, call: () => void) => timers.push(call),
      },
    }
    const all = parts as unknown as Parameters<typeof startRewind>[0]
    startRewind(all)
    const show = (model: RunModel): void => {
      const place = { runId: runId('run-1'), site: null, overlay: null, hash: null, shownOn: null }
      parts.runs.getState().show(place, model.ways)
      const { current } = parts.runs.getState()
      if (current !== null) parts.runs.setState({ current: { ...current, live: model } })
    }
    return { all, timers, show, rewind: parts.rewind, runs: parts.runs }
  }

  test('shows one step after the other, and again when somebody asks', () => {
    const { all, timers, show, rewind } = designer(false)
    show(over)
    expect(rewind.getState().revealed).toBe(0)
    expect(timers).toHaveLength(1)
    timers.shift()?.()
    expect(rewind.getState().revealed).toBe(1)
    timers.shift()?.()
    expect(rewind.getState().revealed).toBe(2)
    expect(timers).toHaveLength(0)
    watchAgain(all)
    expect(rewind.getState().revealed).toBe(0)
    expect(timers).toHaveLength(1)
  })

  test('shows all of it at once to who wants nothing to move', () => {
    const { timers, show, rewind } = designer(true)
    show(over)
    expect(rewind.getState().revealed).toBe(2)
    expect(timers).toHaveLength(0)
  })

  test('begins anew with another run, and ends with it', () => {
    const { timers, show, rewind, runs } = designer(false)
    show(over)
    runs.getState().hide()
    timers.shift()?.()
    expect(rewind.getState()).toMatchObject({ runId: null, revealed: 0 })
    expect(timers).toHaveLength(0)
  })
})

test('a run that goes back can’t be stopped, and one that is over neither', () => {
  const stoppable = (status: RunRecord['status']) => {
    const live = modelOf(status, [])
    return isStoppable({ live } as unknown as Parameters<typeof isStoppable>[0])
  }
  expect(stoppable('RUNNING')).toBe(true)
  expect(stoppable('COMPENSATING')).toBe(false)
  expect(stoppable('COMPENSATION_FAILED')).toBe(false)
  expect(stoppable('SUCCEEDED')).toBe(false)
  expect(isStoppable(null)).toBe(false)
})

test('the end counts what nothing undoes too', () => {
  const rollback = { status: 'COMPENSATED', total: 2, done: 2, failed: 0, left: 0 } as const
  const stays = { nodeId: 'mail', path: '', reason: 'Sent', why: 'impossible' } as unknown as Parameters<
    typeof endSentence
  >[1][number]
  expect(endSentence(rollback, [])).toBe('All 2 steps that could be undone were undone.')
  expect(endSentence(rollback, [stays])).toBe('2 of 3 effects were undone; 1 stays.')
  expect(endSentence(rollback, [stays, stays])).toBe('2 of 4 effects were undone; 2 stay.')
})
