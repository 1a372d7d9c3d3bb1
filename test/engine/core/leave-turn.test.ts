/** Steps that leave the turn of the loop around them. */

import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { cancelRun } from '../../../src-engine/core/requests.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'

const turn = (iteration: number, value: unknown): AttemptEnd => ({
  kind: 'opens',
  wait: { kind: 'turn', iteration, value: json(value) },
})
const breaks = (value: unknown): AttemptEnd => ({ kind: 'leaves', how: 'break', output: json(value) })
const nexts = (value: unknown): AttemptEnd => ({ kind: 'leaves', how: 'continue', output: json(value) })

/** A loop with a step that leaves it beside a chain of two; `after` follows the loop. */
const looped = (document: JsonObject = {}): Scene =>
  sceneOf({
    nodes: {
      again: { kind: 'loop' },
      leave: { kind: 'break-loop', parent: 'again' },
      one: { kind: 'noop', parent: 'again' },
      two: { kind: 'noop', parent: 'again' },
      after: { kind: 'noop' },
    },
    edges: edgesOf('one>two', 'again>after'),
    ...document,
  })

describe('break', () => {
  test('ends the loop once what is under way in the turn has ended, and goes on after it', async () => {
    const scene = looped()
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('leave@again:0', breaks('found'))
    expect(scene.statuses()).toEqual({
      again: 'WAITING',
      'leave@again:0': 'SUCCESS',
      'one@again:0': 'RUNNING',
    })
    expect(scene.record('one@again:0').cancelRequestedAt).not.toBeNull()
    expect(scene.record('again').wait).toMatchObject({
      left: { how: 'break', by: 'leave', value: json('found') },
    })
    await scene.end('one@again:0', { kind: 'cancelled' })
    expect(scene.record('again')).toMatchObject({ status: 'SUCCESS', output: json('found'), error: null })
    expect(scene.record('after').status).toBe('RUNNING')
    await scene.end('after', succeeded('end'))
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.state.bodies.size).toBe(0)
  })

  test('at once where nothing else is under way; what had not begun is cancelled with why', async () => {
    const scene = looped()
    scene.capacity = 1
    await scene.start()
    await scene.end('again', turn(0, 1))
    expect(scene.statuses()).toMatchObject({ 'leave@again:0': 'RUNNING', 'one@again:0': 'REGISTERED' })
    await scene.end('leave@again:0', breaks('found'))
    expect(scene.record('one@again:0')).toMatchObject({
      status: 'CANCELLED',
      error: { message: 'Cancelled because “leave” left this turn.' },
    })
    expect(scene.statuses()).toMatchObject({ again: 'SUCCESS', after: 'RUNNING' })
  })

  test('what ends well, or fails, after the turn was left leads to nothing any more', async () => {
    const scene = looped()
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('leave@again:0', breaks('found'))
    await scene.end('one@again:0', succeeded('late'))
    expect(scene.statuses()).not.toHaveProperty('two@again:0')
    expect(scene.record('again').output).toEqual(json('found'))

    const other = looped()
    await other.start()
    await other.end('again', turn(0, 1))
    await other.end('leave@again:0', breaks('found'))
    await other.end('one@again:0', failed('task_failed', false))
    expect(other.record('again')).toMatchObject({ status: 'SUCCESS', output: json('found') })
    expect(other.state.run.error).toBeNull()
  })

  test('of two that leave, the first counts; one that was asked to stop counts not at all', async () => {
    const nodes = {
      again: { kind: 'loop' },
      first: { kind: 'break-loop', parent: 'again' },
      second: { kind: 'next-turn', parent: 'again' },
    }
    const scene = sceneOf({ nodes, edges: {} })
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('first@again:0', breaks('first'))
    await scene.end('second@again:0', nexts('second'))
    expect(scene.record('second@again:0').status).toBe('CANCELLED')
    expect(scene.record('again')).toMatchObject({ status: 'SUCCESS', output: json('first') })
  })

  test('a turn that had failed is not mended by a step that leaves it', async () => {
    const scene = looped()
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('one@again:0', failed('task_failed', false))
    await scene.end('leave@again:0', breaks('found'))
    expect(scene.record('again').status).toBe('FAILED')
    expect(scene.state.run.status).toBe('FAILED')
  })

  test('leaves the innermost loop, through maps and boxes that stand in it', async () => {
    const scene = sceneOf({
      nodes: {
        outer: { kind: 'loop' },
        again: { kind: 'loop', parent: 'outer' },
        each: { kind: 'map', parent: 'again' },
        box: { kind: 'semaphore', parent: 'each' },
        leave: { kind: 'break-loop', parent: 'box' },
        other: { kind: 'noop', parent: 'each' },
      },
      edges: {},
    })
    await scene.start()
    await scene.end('outer', turn(0, 1))
    await scene.end('again@outer:0', turn(0, 1))
    const items = { kind: 'items', items: json([1, 2]), count: 2, limit: 2, tolerated: 0 } as const
    await scene.end('each@outer:0/again:0', { kind: 'opens', wait: items })
    const item = 'outer:0/again:0/each:1'
    await scene.claim()
    await scene.begin(`box@${item}`)
    await scene.end(`box@${item}`, turn(0, 2))
    await scene.end(`leave@${item}/box:0`, breaks('inner'))
    for (const index of [0, 1]) await scene.end(`other@outer:0/again:0/each:${index}`, { kind: 'cancelled' })
    const box = scene.record('box@outer:0/again:0/each:0')
    if (box.lease !== null) await scene.endId(box.id, { kind: 'cancelled' })
    expect(scene.record('again@outer:0')).toMatchObject({ status: 'SUCCESS', output: json('inner') })
    expect(scene.record('each@outer:0/again:0').status).toBe('CANCELLED')
    expect(scene.record('outer').status).toBe('RUNNING')
    await scene.end('outer', succeeded('all'))
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('outside of any loop it fails with words', async () => {
    const scene = sceneOf({ nodes: { leave: { kind: 'break-loop' } }, edges: {} })
    await scene.start()
    await scene.end('leave', breaks(1))
    expect(scene.record('leave')).toMatchObject({ status: 'FAILED', error: { code: 'not_in_a_loop' } })
  })

  test('a cancelled run stays cancelled', async () => {
    const scene = looped()
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.decide(cancelRun, { actor: 'operator' })
    await scene.end('leave@again:0', breaks('found'))
    await scene.end('one@again:0', { kind: 'cancelled' })
    expect(scene.record('leave@again:0').status).toBe('CANCELLED')
    expect(scene.state.run.status).toBe('CANCELLED')
  })

  test('what the left turn did is undone with the run, the last of it first', async () => {
    const undone = (id: string): JsonObject => ({
      kind: 'noop',
      parent: 'again',
      compensation: { task: { kind: 'log', parameters: { message: id } } },
    })
    const scene = sceneOf({
      nodes: {
        again: { kind: 'loop' },
        pay: undone('pay'),
        book: undone('book'),
        leave: { kind: 'break-loop', parent: 'again' },
        after: { kind: 'noop' },
      },
      edges: edgesOf('pay>book', 'book>leave', 'again>after'),
    })
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('pay@again:0')
    await scene.end('book@again:0')
    await scene.end('leave@again:0', breaks('found'))
    await scene.end('after', failed('task_failed', false))
    expect(scene.state.run.status).toBe('COMPENSATING')
    const undos = () =>
      [...scene.state.invocations.values()]
        .filter(({ role }) => role !== 'forward')
        .map(({ id, status }) => [id, status])
    expect(undos()).toHaveLength(2)
    const order: string[] = []
    for (let left = 2; left > 0; left -= 1) {
      const [id] = undos().find(([, status]) => status === 'RUNNING') ?? []
      if (id === undefined) break
      order.push(scene.state.invocations.get(id as never)?.nodeId ?? '')
      await scene.endId(id, succeeded())
    }
    expect(order).toEqual(['book', 'pay'])
    expect(scene.state.run.status).toBe('COMPENSATED')
  })
})

describe('next turn', () => {
  test('goes on with its value in the next turn, and the loop is asked for it', async () => {
    const scene = looped()
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('leave@again:0', nexts(7))
    await scene.end('one@again:0', { kind: 'cancelled' })
    expect(scene.record('again')).toMatchObject({
      status: 'RUNNING',
      wait: { kind: 'turn', iteration: 1, value: json(7) },
    })
    expect(scene.record('again').wait).not.toHaveProperty('left')
    await scene.end('again', turn(1, 7))
    expect(scene.statuses()).toMatchObject({ 'leave@again:1': 'RUNNING', 'one@again:1': 'RUNNING' })
    await scene.end('one@again:1', succeeded('x'))
    await scene.end('two@again:1', succeeded('y'))
    await scene.end('leave@again:1', breaks('z'))
    expect(scene.record('again').output).toEqual(json('z'))
  })
})
