import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { frameAt, frameBox } from '../../src-renderer/canvas/frame-box.ts'
import { createFlowCache } from '../../src-renderer/canvas/to-flow.ts'
import { labelEdge } from '../../src-renderer/commands/connect.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import {
  addFrame,
  applyMemberships,
  changeFrame,
  collapseFrames,
  removeFrames,
} from '../../src-renderer/commands/frames.ts'
import { perform, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { addNote, paintNote, resizeNote } from '../../src-renderer/commands/notes.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { guardOf } from '../../src-renderer/rules/edge-guard.ts'
import { contentsOf, framesWithin, hiddenBy } from '../../src-renderer/rules/frames.ts'
import { chain, edgeOf, link } from './factories.ts'

const specs = new Map(Object.entries(taskSpecs))
const box = { x: -24, y: -52, width: 620, height: 200 }
const none = { nodes: [], notes: [], frames: [] }
const ids = (...names: readonly string[]) => names.map((name) => nodeId(name))

function framed(document: WorkflowDocument, id: string, ...nodes: readonly string[]): WorkflowDocument {
  return applyEdit(document, addFrame(id, { title: id, members: { ...none, nodes: ids(...nodes) }, box }))
    .document
}

const outer = framed(chain('a', 'b', 'c', 'd'), 'outer', 'a', 'b', 'c')
const nested = framed(outer, 'inner', 'b')

function flow(document: WorkflowDocument) {
  const made = createFlowCache()
  const selection = { nodes: [], edges: [], notes: [], scopes: [], frames: [], triggers: [] }
  const shared = { document, selection, isReadOnly: false }
  const nodes = made.nodes({ ...shared, specs, problemsByNode: new Map(), dragged: new Map() })
  return { nodes: nodes.map(({ id }) => id), edges: made.edges(shared) }
}

describe('frames', () => {
  test('a frame around a part of a frame is inside of it', () => {
    expect(nested.frames?.['inner']).toEqual({ title: 'inner', nodes: ['b'], parent: 'outer' })
    expect(nested.frames?.['outer']?.nodes).toEqual(['a', 'c'])
    expect(framesWithin(nested, 'outer')).toEqual(['inner'])
    expect(contentsOf(nested, 'outer').nodes).toEqual(['a', 'c', 'b'])
  })

  test('taking a frame away leaves what is in it one frame further out', () => {
    const { document } = applyEdit(nested, removeFrames(['inner']))
    expect(document.frames?.['outer']?.nodes).toEqual(['a', 'c', 'b'])
    const plain = applyEdit(document, removeFrames(['outer'])).document
    expect([plain.frames, plain.layout?.frames]).toEqual([undefined, undefined])
  })

  test('collapsed, one card stands for all of it, and one line for several', () => {
    const forked = { ...nested, edges: { ...nested.edges, [edgeOf('b', 'd')]: link('b', 'd') } }
    const { document } = applyEdit(forked, collapseFrames(['outer'], true))
    expect([...hiddenBy(document).nodes.values()]).toEqual(['outer', 'outer', 'outer'])
    const { nodes, edges } = flow(document)
    expect(nodes).toEqual(['frame:outer', 'd'])
    expect(edges.map(({ source, target }) => [source, target])).toEqual([['frame:outer', 'd']])
    expect(edges[0]?.data).toMatchObject({ from: 'c', to: 'd' })
    expect(flow(applyEdit(document, collapseFrames(['outer'], false)).document).nodes).toHaveLength(6)
  })

  test('it is at least as large as its border, and around all that is in it', () => {
    expect(frameBox(outer, 'outer', specs)).toMatchObject({ x: -24, y: -52 })
    expect(frameBox(outer, 'outer', specs).width).toBe(640 + 240 + 24 + 24)
    expect(frameAt(nested, { x: 330, y: 20 }, { specs, apart: new Set() })).toBe('inner')
    expect(frameAt(nested, { x: 330, y: 20 }, { specs, apart: new Set(['inner']) })).toBe('outer')
    expect(frameAt(nested, { x: 990, y: 20 }, { specs, apart: new Set() })).toBeNull()
  })

  test('things enter and leave, and no frame ends up inside of itself', () => {
    const edit = {
      label: 'Move',
      gesture: null,
      recipe: (draft: Parameters<typeof applyMemberships>[0]) =>
        applyMemberships(draft, { nodes: { d: 'inner', a: null }, notes: {}, frames: { outer: 'inner' } }),
    }
    const { frames } = applyEdit(nested, edit).document
    expect(frames?.['inner']?.nodes).toEqual(['b', 'd'])
    expect(frames?.['outer']).toEqual({ title: 'outer', nodes: ['c'] })
  })

  test('a node or note that is deleted leaves its frame', () => {
    const noted = applyEdit(outer, addNote({ id: 'n', text: 'x', at: { x: 0, y: 0 } })).document
    const members = { nodes: ids('d'), notes: ['n'], frames: [] }
    const base = applyEdit(noted, addFrame('f', { title: 'F', members, box })).document
    const gone = removeElements({ nodes: ids('d'), edges: [], notes: ['n'] })
    expect(applyEdit(base, gone).document.frames?.['f']).toMatchObject({ nodes: [], notes: [] })
  })

  test('each change is one step, typing joins, and undoing gives the document back', () => {
    let history = startHistory(outer)
    for (const title of ['P', 'Pa', 'Pay']) history = perform(history, changeFrame('outer', { title }))
    history = perform(history, changeFrame('outer', { color: 'blue' }))
    history = perform(history, collapseFrames(['outer'], true))
    expect(history.past).toHaveLength(3)
    expect(undo(undo(undo(history))).document).toEqual(outer)
  })
})

describe('notes and labels', () => {
  test('a note has a colour and a size', () => {
    const base = applyEdit(chain('a'), addNote({ id: 'n', text: '# Hi', at: { x: 1, y: 2 } })).document
    const painted = applyEdit(base, paintNote('n', 'green')).document
    const sized = applyEdit(painted, resizeNote('n', { x: 1, y: 2, width: 300.4, height: 90 })).document
    expect(sized.notes?.['n']).toEqual({ text: '# Hi', color: 'green' })
    expect(sized.layout?.notes?.['n']).toEqual({ x: 1, y: 2, width: 300, height: 90 })
    expect(applyEdit(painted, paintNote('n', null)).document).toEqual(base)
  })

  test('an empty label is none', () => {
    const id = edgeOf('a', 'b')
    const labelled = applyEdit(chain('a', 'b'), labelEdge(id, 'paid')).document
    expect(labelled.edges[id]?.label).toBe('paid')
    expect(applyEdit(labelled, labelEdge(id, '')).document).toEqual(chain('a', 'b'))
  })

  const cases = [{ title: 'Dutch', when: 'input.country = "NL"' }]
  const guarded = {
    nodes: {
      ...chain('a').nodes,
      ask: { kind: 'if', parameters: { condition: 'input.total > 100' } },
      way: { kind: 'switch', parameters: { cases } },
    },
  }
  test.for([
    ['ask', 'true', 'input.total > 100'],
    ['ask', 'false', 'not (input.total > 100)'],
    ['ask', 'error', null],
    ['way', 'case-1', 'input.country = "NL"'],
    ['way', 'case-2', null],
    ['way', 'default', 'otherwise'],
    ['a', 'out', null],
  ] as const)('what leaves %s by %s is taken when %s', ([node, port, guard]) =>
    expect(guardOf(guarded, link(node, 'x', port))).toBe(guard),
  )
})
