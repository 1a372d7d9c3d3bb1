/** The edges of each step are found along the edits: what was found before serves for all that an edit leaves alone. */

import { describe, expect, test } from 'vitest'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { usedPorts } from '../../src-renderer/canvas/used-ports.ts'
import { connect, labelEdge, reconnect } from '../../src-renderer/commands/connect.ts'
import { deepFreeze } from '../../src-renderer/commands/deep-freeze.ts'
import type { History } from '../../src-renderer/commands/history.ts'
import { perform, redo, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { sameEnds } from '../../src-renderer/commands/new-ids.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { edgeBetween, edgesFrom } from '../../src-renderer/rules/edges-from.ts'
import { createRandomSource } from '../support/random-source.ts'
import { chain, link } from './factories.ts'

type Edges = WorkflowDocument['edges']
const names = ['a', 'b', 'c', 'd', '7'] as const

/** By a look at all of them. */
function lookedThrough(edges: Edges) {
  const ids = new Map<string, string[]>()
  const ports = new Map<string, string[]>()
  for (const [id, { from }] of Object.entries(edges)) {
    ids.set(from.node, [...(ids.get(from.node) ?? []), id])
    ports.set(from.node, [...new Set([...(ports.get(from.node) ?? []), from.port])])
  }
  return { ids, ports }
}

describe('the edges of a step', () => {
  test('are those that a look at all of them finds, however much is done and undone', () => {
    const random = createRandomSource('edges of a step')
    const { pick } = random
    let state = startHistory(chain(...names))
    const any = () => link(pick(names), pick(names), pick(['out', 'error', 'yes']))
    const ends = () => Object.keys(state.document.edges).map(edgeId)
    const one = () => (ends().length === 0 ? edgeId('none') : pick(ends()))
    for (let turn = 0; turn < 600; turn += 1) {
      state = pick<() => History>([
        () => perform(state, connect(any())),
        () => perform(state, connect(any())),
        () => perform(state, reconnect(one(), any())),
        () => perform(state, labelEdge(one(), `${turn}`)),
        () => perform(state, removeElements({ nodes: [], edges: [one()], notes: [] })),
        () => undo(undo(state)),
        () => redo(state),
      ])()
      const { edges } = state.document
      const { ids, ports } = lookedThrough(edges)
      expect(new Map(edgesFrom(edges))).toEqual(ids)
      expect(new Map([...usedPorts(edges)].map(([id, used]) => [id, used.ports]))).toEqual(ports)
      const [wanted, but] = [any(), one()]
      const found = Object.entries(edges).find(([id, edge]) => id !== but && sameEnds(edge, wanted))
      expect(edgeBetween(edges, wanted, but)).toBe(found?.[0] ?? null)
      expect(edgeBetween({ ...edges }, wanted, but)).toBe(found?.[0] ?? null)
    }
  })

  test('are not looked for among all of them after an edit', () => {
    const read = new Set<string>()
    const watched = (edges: Edges): Edges => {
      const proxies = Object.entries(edges).map(([id, edge]) => {
        const get = (target: object, key: string) => (read.add(id), Reflect.get(target, key) as unknown)
        return [id, new Proxy(edge, { get })]
      })
      return Object.freeze(Object.fromEntries(proxies)) as Edges
    }
    const before = watched(chain(...names).edges)
    edgesFrom(before)
    usedPorts(before)
    const added = { ...link('a', 'd', 'error') }
    deepFreeze(added)
    const now = Object.freeze({ ...before, [edgeId('new')]: added })
    read.clear()
    expect(edgesFrom(now).get('a')).toEqual(['a-out-to-b', 'new'])
    expect(usedPorts(now).get('a')?.ports).toEqual(['out', 'error'])
    expect(edgeBetween(now, link('a', 'd'))).toBe(null)
    expect(edgeBetween(now, { from: { node: nodeId('z'), port: 'out' }, to: added.to })).toBe(null)
    expect([...read]).toEqual(['a-out-to-b'])
  })
})
