/** What an edit changed is told by itself: nobody looks through thousands of steps for the one that is another. */

import { describe, expect, test } from 'vitest'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import { moveInto } from '../../src-renderer/commands/bodies.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import { putNode } from '../../src-renderer/commands/draft-parts.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { singleEdit } from '../../src-renderer/commands/edit.ts'
import type { History } from '../../src-renderer/commands/history.ts'
import { perform, redo, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { changesOf, tellChanges } from '../../src-renderer/rules/changes.ts'
import { createRandomSource } from '../support/random-source.ts'
import { chain } from './factories.ts'

type Elements = Readonly<Record<string, unknown>>

const partsOf = ({ document }: History): readonly Elements[] => [
  document.nodes,
  document.edges,
  document.layout?.nodes ?? {},
]

/** The same record as an object that nobody was told of. */
const untold = (elements: Elements): Elements => Object.freeze({ ...elements })

describe('what an edit changed', () => {
  const random = createRandomSource('what an edit changed')
  const names = ['a', 'b', 'c', 'd', '7', '12', 'e'].map(nodeId)
  const next = ({ document }: History): Edit => {
    const node = random.pick(names)
    const all = Object.keys(document.nodes).map(nodeId)
    const edges = Object.keys(document.edges).map(edgeId)
    const put = (id: typeof node, message: string) =>
      singleEdit('Put', (draft) => {
        if (draft.nodes[id] === undefined) putNode(draft, id, { kind: 'log', parameters: { message } })
        else draft.nodes[id] = { kind: 'log', parameters: { message } }
      })
    const again = singleEdit('Again', (draft) => {
      const known = draft.nodes[node]
      if (known === undefined) return
      delete draft.nodes[node]
      draft.nodes[node] = { kind: known.kind, title: 'again' }
    })
    const typed: Edit = { ...put(node, `${random.below(99)}`), gesture: `type:${node}` }
    const ends = {
      from: { node: random.pick(all), port: 'error' },
      to: { node: random.pick(all), port: 'in' },
    }
    return random.pick([
      ...[
        put(node, 'x'),
        again,
        typed,
        connect(ends),
        removeElements({ nodes: [node], edges: [], notes: [] }),
      ],
      moveInto({ nodes: { [random.pick(all)]: { x: random.below(900), y: 0 } }, notes: {} }, {}),
      ...edges.slice(0, 1).map((edge) => removeElements({ nodes: [], edges: [edge], notes: [] })),
    ])
  }

  test('is what a look at all of it finds, however much is done and undone', () => {
    let history = startHistory(chain('a', 'b', 'c', 'd'))
    for (let turn = 0; turn < 3_000; turn += 1) {
      const turned = random.chance(0.6) ? perform(history, next(history)) : random.pick([undo, redo])(history)
      for (const [at, now] of partsOf(turned).entries()) {
        const before = partsOf(history)[at] ?? {}
        expect(changesOf(before, now)).toEqual(changesOf(untold(before), untold(now)))
      }
      history = Object.keys(turned.document.nodes).length === 0 ? history : turned
    }
  })

  test('is not looked for where it was told', () => {
    let walks = 0
    const counted = (elements: Elements): Elements =>
      new Proxy(Object.freeze(elements), {
        ownKeys: (target) => {
          walks += 1
          return Reflect.ownKeys(target)
        },
      })
    const [before, now] = [counted({ a: 1, b: 2 }), counted({ a: 1, b: 3 })]
    tellChanges({ before, now }, [{ op: 'replace', path: ['nodes', 'b', 'title'] }], ['nodes'])
    const asked = walks
    expect(changesOf(before, now)).toEqual({ put: ['b'], gone: [], isInOrder: true })
    expect(walks).toBe(asked)
  })

  test('is told of an element that was put there as a whole, unless that may have been taken away before', () => {
    const read: string[] = []
    const watched = (elements: Elements): Elements =>
      new Proxy(Object.freeze(elements), {
        get: (target, key) => (read.push(String(key)), Reflect.get(target, key) as unknown),
      })
    const told = (before: Elements, now: Elements, id: string) => {
      const [was, is] = [watched(before), watched(now)]
      tellChanges({ before: was, now: is }, [{ op: 'replace', path: ['nodes', id] }], ['nodes'])
      read.length = 0
      expect(changesOf(was, is)).toEqual(changesOf(untold(before), untold(now)))
      return read.length === 0
    }
    expect(told({ a: 1, b: 2, c: 3 }, { a: 1, b: 9, c: 3 }, 'b')).toBe(true)
    expect(told({ a: 1, b: 2, c: 3 }, { a: 1, b: 2, c: 9 }, 'c')).toBe(true)
    expect(told({ a: 1, b: 2, c: 3 }, { a: 1, c: 3, b: 9 }, 'b')).toBe(false)
    expect(told({ a: 1, b: 2 }, { b: 2, a: 9 }, 'a')).toBe(false)
  })
})
