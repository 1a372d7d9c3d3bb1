/** Decisions of one turn as one checkpoint: records, events and memory tell the same as if each had its own. */

import { expect, test } from 'vitest'
import { joinOnto } from '../../../src-engine/core/join-checkpoints.ts'
import { raisedRun } from '../../../src-engine/core/raised-versions.ts'
import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import { invocationId } from '../../../src-engine/model/ids.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import { sceneOf } from './run-scene.ts'

const noop = { kind: 'noop' }
const chain = (...ids: readonly string[]) => ({
  nodes: Object.fromEntries(ids.map((id) => [id, noop])),
  edges: edgesOf(...ids.slice(1).map((id, index) => `${ids[index]}>${id}`)),
})

test('a chain that ends in one turn is written once, and its run ends with it', async () => {
  const scene = sceneOf(chain('a', 'b', 'c'))
  await scene.start()
  const joined = await scene.endInTurn(['a', 'b', 'c'])
  expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'SUCCESS', c: 'SUCCESS' })
  expect([scene.state.run.status, scene.output()]).toEqual(['SUCCEEDED', 'c'])
  // What is there was expected once: the run, and the step that was under way; what is new, by its absence.
  expect(joined?.expect.run?.version).toBe(1)
  expect(joined?.expect.invocations.map(({ version }) => version)).toEqual([1, 0, 0])
  expect(joined?.writes.invocations.map(({ version }) => version)).toEqual([2, 1, 1])
  expect([joined?.writes.run?.version, joined?.writes.attempts.length]).toEqual([2, 3])
  expect(new Set(joined?.events.map(({ runVersion }) => runVersion))).toEqual(new Set([2]))
})

test('the record of its run is copied for the first of it alone', async () => {
  const scene = sceneOf(chain('a', 'b'))
  await scene.start()
  const { state } = scene
  expect(raisedRun(state, { continues: new Set() })).toBe(state.run)
  expect(raisedRun(state, {})).toEqual({ ...state.run, version: state.run.version + 1 })
})

test('what goes on after it is decided on what it left', async () => {
  const scene = sceneOf(chain('a', 'b', 'c', 'd'))
  await scene.start()
  await scene.endInTurn(['a', 'b'])
  expect(scene.record('c').version).toBe(1)
  await scene.end('c')
  expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'SUCCESS', c: 'SUCCESS', d: 'RUNNING' })
  await scene.endInTurn(['d'])
  expect(scene.state.run.status).toBe('SUCCEEDED')
})

test('branches and their join go into it as they come', async () => {
  const scene = sceneOf({
    nodes: { a: noop, b: noop, c: noop, j: { kind: 'join' }, z: noop },
    edges: edgesOf('a>b', 'a>c', 'b>j', 'c>j', 'j>z'),
  })
  await scene.start()
  await scene.endInTurn(['a', 'b', 'c', 'z'])
  expect(scene.state.run.status).toBe('SUCCEEDED')
})

const joinCheckpoints = (first: Checkpoint, second: Checkpoint): Checkpoint | null => {
  const joined = joinOnto(first)
  return joined.takes(second) ? joined.whole() : null
}

async function twoEnds(): Promise<readonly [Checkpoint, Checkpoint]> {
  const scene = sceneOf(chain('a', 'b', 'c'))
  await scene.start()
  const [first, second] = [await scene.end('a'), await scene.end('b')]
  if (first === null || second === null) throw new Error('both have ended')
  return [first.checkpoint, second.checkpoint]
}

const writing = (checkpoint: Checkpoint, writes: Partial<Checkpoint['writes']>): Checkpoint => ({
  ...checkpoint,
  writes: { ...checkpoint.writes, ...writes },
})
const permit = { key: 'k', holder: 'h', limit: 1, expiresAt: null }

test('what stays apart: other actors, permits that may be taken by then, what the first hands on, too much', async () => {
  const [first, second] = await twoEnds()
  expect(joinCheckpoints(first, second)).not.toBeNull()
  expect(joinCheckpoints(first, { ...second, actor: { kind: 'operator', id: null } })).toBeNull()
  expect(joinCheckpoints(first, writing(second, { take: [permit] }))).toBeNull()
  expect(joinCheckpoints(first, writing(second, { release: [{ key: 'k', holder: 'h' }] }))).not.toBeNull()
  expect(joinCheckpoints(writing(first, { release: [{ key: 'k', holder: 'h' }] }), second)).toBeNull()
  expect(joinCheckpoints(writing(first, { take: [permit] }), second)).toBeNull()
  expect(joinCheckpoints(writing(first, { delivered: ['one'] }), second)).toBeNull()
  expect(
    joinCheckpoints(first, {
      ...second,
      expect: { ...second.expect, registers: [{ key: 'k', version: 0 }] },
    }),
  ).toBeNull()
  const [record] = second.writes.invocations
  if (record === undefined) throw new Error('the second writes its step')
  const many = Array.from({ length: 64 }, (_, index) => ({ ...record, id: invocationId(`run-1/${index}`) }))
  expect(joinCheckpoints(first, writing(second, { invocations: many }))).toBeNull()
})

test('nothing more is taken after what hands on effects, and one that is alone stays as it is', async () => {
  const [first, second] = await twoEnds()
  expect(joinOnto(first).whole()).toBe(first)
  const joined = joinOnto(first)
  expect(joined.takes(writing(second, { delivered: ['one'] }))).toBe(true)
  expect(joined.takes(second)).toBe(false)
  expect(joined.whole().writes.delivered).toEqual(['one'])
})
