/** How the steps of a run stand: read anew only where one changed, and the same as if all were read. */

import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { standingOf } from '../../src-renderer/canvas/live/standing.ts'
import type { NodeRun, RunModel } from '../../src-renderer/state/run-model.ts'
import { emptyRunModel } from '../../src-renderer/state/run-model.ts'
import { invocationRecord } from './factories.ts'

const count = 2_000
const ids = Array.from({ length: count }, (_, at) => `n${at}`)
/** Each step leads to the one two rows below. */
const rows = () => new Map(ids.map((id, at) => [id, [`n${at + 40}`]]))

function counted() {
  let reads = 0
  const nodeRun = (invocation: InvocationRecord | null): NodeRun => ({
    get invocation() {
      reads += 1
      return invocation
    },
    ...{ attempts: [], isSkipped: invocation === null, turns: null, strip: null, undo: null },
  })
  const taken = (): number => {
    const before = reads
    reads = 0
    return before
  }
  return { nodeRun, taken }
}

const running = (id: string) => invocationRecord(id, { status: 'RUNNING', startedAt: 1 })
const queued = (id: string) => invocationRecord(id, { status: 'REGISTERED' })
const ended = (id: string) => invocationRecord(id, { status: 'SUCCESS', finishedAt: 2 })

const modelOf = (nodes: RunModel['nodes'], ways: RunModel['ways']): RunModel => ({
  ...emptyRunModel,
  nodes,
  ways,
})

/** With ways of its own there is nothing at hand of before. */
const readAnew = ({ nodes, ways }: RunModel) => standingOf(modelOf(nodes, new Map(ways)))

test('of thousands of steps only those that changed are read again', () => {
  const { nodeRun, taken } = counted()
  const ways = rows()
  const before = new Map(ids.map((id) => [id, nodeRun(queued(id))]))
  standingOf(modelOf(before, ways))
  expect(taken()).toBe(count)
  standingOf(modelOf(before, ways))
  expect(taken()).toBe(0)
  const after = new Map(before).set('n7', nodeRun(running('n7'))).set('n9', nodeRun(running('n9')))
  const { headline, busy } = standingOf(modelOf(after, ways))
  expect(taken()).toBe(2)
  expect([headline?.manner, headline?.run === after.get('n7'), busy]).toEqual(['running', true, 2])
})

test('ways are gone again only when a step began, or one ended that leads on', () => {
  const { nodeRun } = counted()
  const ways = rows()
  let gone = 0
  const watched = {
    __proto__: ways,
    get: (id: string) => {
      gone += 1
      return ways.get(id)
    },
  } as unknown as RunModel['ways']
  const began = new Map(ids.slice(0, 80).map((id) => [id, nodeRun(running(id))]))
  const read = (nodes: RunModel['nodes']): number => {
    gone = 0
    standingOf(modelOf(nodes, watched))
    return gone
  }
  expect(read(began)).toBeGreaterThan(count / 2)
  // Another state of what is under way.
  expect(read(new Map(began).set('n3', nodeRun(queued('n3'))))).toBe(0)
  // What follows it has begun already.
  const first = new Map(began).set('n3', nodeRun(ended('n3')))
  expect(read(first)).toBe(1)
  expect(read(new Map(first).set('n50', nodeRun(ended('n50'))))).toBeGreaterThan(count / 2)
})

test('however a run went, what is read of its changes is what is read of all of it', () => {
  const { nodeRun } = counted()
  const ways = rows()
  let nodes: Map<string, NodeRun> = new Map()
  // A walk that is the same each time: steps begin, go on, end, are passed over, and an earlier moment is looked at.
  for (let turn = 0; turn < 400; turn += 1) {
    const id = ids[(turn * 37) % 300] ?? ''
    const next = [running, queued, ended][turn % 3] ?? running
    const earlier = [...nodes].slice(0, Math.max(1, nodes.size - 20))
    nodes = turn % 50 === 49 ? new Map(earlier) : new Map(nodes)
    nodes.set(id, nodeRun(turn % 11 === 0 ? null : next(id)))
    const model = modelOf(nodes, ways)
    expect(standingOf(model)).toEqual(readAnew(model))
  }
  expect(standingOf(modelOf(nodes, ways)).following).toBeGreaterThan(0)
})
