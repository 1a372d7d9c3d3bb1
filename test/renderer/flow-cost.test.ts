/** What React Flow is given after an edit: the cards and edges that it changed, and all others as they were. */

import { describe, expect, test } from 'vitest'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { FlowInput } from '../../src-renderer/canvas/to-flow.ts'
import { createFlowCache } from '../../src-renderer/canvas/to-flow.ts'
import { moveInto } from '../../src-renderer/commands/bodies.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import { putNode } from '../../src-renderer/commands/draft-parts.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { applyEdit, singleEdit } from '../../src-renderer/commands/edit.ts'
import type { History } from '../../src-renderer/commands/history.ts'
import { perform, redo, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { noSelection } from '../../src-renderer/state/view-store.ts'
import { createRandomSource } from '../support/random-source.ts'
import { chain, link as linkOf } from './factories.ts'

const move = (x: number): Edit => moveInto({ nodes: { b: { x, y: 5 } }, notes: {} }, {})
const link = connect({
  from: { node: nodeId('a'), port: 'error' },
  to: { node: nodeId('c'), port: 'in' },
})
const names = ['a', 'b', 'c', 'd', 'e'] as const
const ends = ({ document }: History) => Object.keys(document.edges).map(edgeId)
const added = (id: string, kind: string) =>
  singleEdit('Add', (draft) => putNode(draft, nodeId(id), { kind, parameters: { condition: id } }))
const after = (document: WorkflowDocument, edit: Edit): WorkflowDocument => applyEdit(document, edit).document

/** Specs that count how often a kind is looked up. */
function countedSpecs() {
  const counted = { looks: 0, specs: new Map(taskSpecsByKind) as ReadonlyMap<string, TaskSpec> }
  counted.specs = Object.assign(new Map(taskSpecsByKind), {
    get: (kind: string) => {
      counted.looks += 1
      return taskSpecsByKind.get(kind)
    },
  })
  return counted
}

describe('what React Flow is given', () => {
  const nobodysProblems = new Map()
  const given = (document: WorkflowDocument, parts: Partial<FlowInput> = {}): FlowInput => ({
    ...{ document, selection: noSelection, problemsByNode: nobodysProblems, specs: taskSpecsByKind },
    ...{ isReadOnly: false, dragged: new Map() },
    ...parts,
  })

  test('is the same list of edges while only places change', () => {
    const made = createFlowCache()
    const document = chain('a', 'b', 'c')
    const edges = made.edges(given(document))
    expect(made.edges(given(after(document, move(3))))).toBe(edges)
    const connected = made.edges(given(after(document, link)))
    expect(connected.slice(0, 2)).toEqual(edges)
    for (const edge of edges) expect(connected).toContain(edge)
  })

  test('is the same card for every step that an edit leaves alone, and the same list when it leaves all alone', () => {
    const made = createFlowCache()
    const document: WorkflowDocument = {
      ...chain('a', 'b', 'c'),
      frames: { f: { title: 'Both', nodes: [nodeId('a')] } },
      sagaScopes: { s: { title: 'Together', nodes: [nodeId('c')] } },
    }
    const nodes = made.nodes(given(document))
    expect(made.nodes(given({ ...document, title: 'Other' }))).toBe(nodes)
    expect(made.nodes(given({ ...document, frames: { ...document.frames } }))).toBe(nodes)
    const moved = made.nodes(given(after(document, move(3))))
    expect(moved.filter((node) => !nodes.includes(node)).map(({ id }) => id)).toEqual(['b'])
  })

  test('looks at ports, effects and what undoes a step only when steps or edges change', () => {
    const made = createFlowCache()
    const counted = countedSpecs()
    const document = chain('a', 'b', 'c')
    made.nodes(given(document, { specs: counted.specs }))
    const looks = counted.looks
    made.nodes(given(after(document, move(3)), { specs: counted.specs }))
    // Only the card that was moved is looked at, and made anew.
    expect(counted.looks - looks).toBe(2)
  })

  test('looks at the cards alone that are connected, selected, or have a problem', () => {
    const counted = countedSpecs()
    const { specs } = counted
    const document = chain('a', 'b', 'c')
    const otherThan = (input: FlowInput): readonly string[] => {
      const made = createFlowCache()
      const before = made.nodes(given(document, { specs }))
      counted.looks = 0
      const now = made.nodes(input)
      const changed = now.filter((node) => !before.includes(node)).map(({ id }) => id)
      // Each is looked at twice: whether it is the same, and to be made.
      expect(counted.looks).toBe(2 * changed.length)
      return changed
    }
    expect(otherThan(given(after(document, link), { specs }))).toEqual(['a'])
    const selection = { ...noSelection, nodes: [nodeId('b')] }
    expect(otherThan(given(document, { specs, selection }))).toEqual(['b'])
    const problem = { code: 'missing_parameter', nodeId: nodeId('c') } as unknown as Problem
    const problemsByNode = new Map([['c', [problem]]])
    expect(otherThan(given(document, { specs, problemsByNode }))).toEqual(['c'])
  })

  test('asks after no card but those that an edit touches, and after maps and loops', () => {
    const made = createFlowCache()
    const asked: string[] = []
    class Asked extends Map<string, Point> {
      override get(id: string) {
        asked.push(id)
        return super.get(id)
      }
    }
    const start = chain('a', 'b', 'c', 'd', 'e')
    const nodes = { ...start.nodes, [nodeId('e')]: { kind: 'map', parameters: {} } }
    const first = startHistory({ ...start, nodes })
    const moved = perform(first, move(3))
    const askedAbout = ({ document }: History): readonly string[] => {
      asked.length = 0
      made.nodes(given(document, { dragged: new Asked() }))
      return [...new Set(asked)].toSorted()
    }
    expect(askedAbout(first)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(askedAbout(moved)).toEqual(['b', 'e'])
    expect(askedAbout(undo(moved))).toEqual(['b', 'e'])
    expect(askedAbout(perform(first, link))).toEqual(['a', 'e'])
    expect(askedAbout(first)).toEqual(['a', 'e'])
  })

  test('looks at the edges alone that are drawn, taken away, selected, or lead from a step that changed', () => {
    const made = createFlowCache()
    const read: string[] = []
    const watched = ({ edges, ...rest }: WorkflowDocument): WorkflowDocument => {
      const proxies = Object.entries(edges).map(([id, edge]) => {
        const get = (target: object, key: string) => (read.push(id), Reflect.get(target, key) as unknown)
        return [id, new Proxy(edge, { get })]
      })
      return { ...rest, edges: Object.fromEntries(proxies) as WorkflowDocument['edges'] }
    }
    const document = watched(chain('a', 'b', 'c', 'd'))
    const [first = '', second = '', third = ''] = Object.keys(document.edges)
    const looked = (next: WorkflowDocument, parts: Partial<FlowInput> = {}): readonly string[] => {
      made.edges(given(document))
      read.length = 0
      made.edges(given(next, parts))
      return [...new Set(read)]
    }
    const drawn = { ...document, edges: { ...document.edges, new: { ...linkOf('a', 'd') } } }
    expect(looked(drawn)).toEqual([])
    const { [edgeId(second)]: _, ...left } = document.edges
    expect(looked({ ...document, edges: left })).toEqual([])
    expect(looked(document, { selection: { ...noSelection, edges: [edgeId(third)] } })).toEqual([third])
    const nodes = { ...document.nodes, [nodeId('a')]: { kind: 'if', parameters: { condition: 'yes' } } }
    read.length = 0
    const guarded = made.edges(given({ ...document, nodes }))
    expect(guarded).toHaveLength(3)
    expect(first).toBe('a-out-to-b')
  })

  test('is what it would be from the beginning, whatever was edited', () => {
    const made = createFlowCache()
    let state = startHistory(chain('a', 'b', 'c', 'd', 'e'))
    const random = createRandomSource('edges')
    const { pick } = random
    for (let turn = 0; turn < 300; turn += 1) {
      state = pick<() => History>([
        () => perform(state, connect(linkOf(pick(names), pick(names), pick(['out', 'error'])))),
        () => perform(state, removeElements({ nodes: [], edges: ends(state).slice(0, 1), notes: [] })),
        () => perform(state, removeElements({ nodes: [nodeId(pick(names))], edges: [], notes: [] })),
        () => perform(state, added(pick([...names, '7', '3']), pick(['noop', 'if', 'map']))),
        () => perform(state, move(turn)),
        () => undo(state),
        () => undo(undo(state)),
        () => redo(state),
      ])()
      const { document } = state
      const selection = {
        ...noSelection,
        edges: ends(state).filter(() => random.chance(0.3)),
        nodes: random.chance(0.5) ? [] : [nodeId(pick(names))],
      }
      const problem = { code: 'missing_parameter', nodeId: nodeId('c') } as unknown as Problem
      const problemsByNode = random.chance(0.3) ? new Map([[pick(names), [problem]]]) : nobodysProblems
      const dragged = new Map(random.chance(0.2) ? [[pick(names), { x: turn, y: 1 }]] : [])
      const isReadOnly = random.chance(0.1)
      const folded = {
        ...document.layout,
        frames: { f: { x: 0, y: 0, width: 9, height: 9, collapsed: true } },
      }
      const shown: WorkflowDocument = {
        ...document,
        layout: random.chance(0.1) ? folded : { ...document.layout },
        frames: { f: { title: 'f', nodes: [nodeId('b'), nodeId('c')] } },
      }
      const input = given(shown, { selection, isReadOnly, problemsByNode, dragged })
      const anew = createFlowCache()
      expect(made.edges(input)).toEqual(anew.edges(input))
      expect(made.nodes(input)).toEqual(anew.nodes(input))
    }
  })

  test('shows a kind that was loaded later', () => {
    const made = createFlowCache()
    const document = chain('a')
    const [before] = made.nodes(given(document, { specs: new Map() }))
    const [now] = made.nodes(given(document))
    expect([before?.data['spec'], now?.data['spec']]).toEqual([null, taskSpecsByKind.get('noop')])
  })
})
