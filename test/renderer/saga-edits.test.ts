import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import { setUndo, undoBy } from '../../src-renderer/commands/compensation.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import {
  changeScope,
  groupNodes,
  joinScope,
  leaveScope,
  scopeOfNode,
  ungroup,
} from '../../src-renderer/commands/saga-scopes.ts'
import {
  mayUndo,
  offeredUndo,
  refusedUndoersOf,
  undoEdgeId,
  undoersOf,
  undoPort,
  undoWayOf,
} from '../../src-renderer/rules/compensation.ts'
import { mayConnect } from '../../src-renderer/rules/connection.ts'
import { undoRefusals } from '../../src-renderer/text/saga-words.ts'
import { chain, link } from './factories.ts'

const specs = new Map(Object.entries(taskSpecs))
const [a, b, c] = [nodeId('a'), nodeId('b'), nodeId('c')]
/** `a` leads to `b`; `c` stands aside. */
const withAside = () => ({ ...chain('a', 'b'), nodes: chain('a', 'b', 'c').nodes })

test('a kind offers what undoes it, where it knows', () => {
  const offered = (kind: string, parameters: JsonObject) => offeredUndo({ kind, parameters }, specs)
  const changes = { changes: '{{ original.output.undo }}' }
  expect(offered('copy-file', {})).toEqual({ kind: 'undo-files', parameters: changes })
  const service = { bucket: 'b', secretKey: '{{ secrets.KEY }}' }
  expect(offered('s3', { ...service, mode: 'put', key: 'a', content: 'x' })).toEqual({
    kind: 's3',
    parameters: { ...service, mode: 'delete', key: '{{ original.output.key }}' },
  })
  expect(offered('sql-statement', { database: { kind: 'sqlite', file: 'a.db' } })).toMatchObject({
    kind: 'sql-statement',
    parameters: { database: { file: 'a.db' } },
  })
  for (const [kind, parameters] of [
    ['s3', { mode: 'get' }],
    ['http-request', {}],
    ['nobody-knows', {}],
  ] as const)
    expect(offered(kind, parameters)).toEqual({ kind: 'noop', parameters: {} })
})

describe('what undoes a node', () => {
  test('a line from the undo port is no edge: it names the node that undoes', () => {
    const { document } = applyEdit(withAside(), connect(link('a', 'c', undoPort)))
    expect(document.nodes[a]?.compensation).toEqual({ node: 'c' })
    expect(Object.keys(document.edges)).toHaveLength(1)
    expect(undoWayOf(document.nodes[a]?.compensation)).toBe('node')
  })

  test('removing the line takes it back, removing the node leaves the name for validation to tell', () => {
    const drawn = applyEdit(withAside(), undoBy(a, c)).document
    const only = { nodes: [], edges: [undoEdgeId('a')], notes: [] }
    expect(applyEdit(drawn, removeElements(only)).document).toEqual(withAside())
    const gone = applyEdit(drawn, removeElements({ nodes: [c], edges: [], notes: [] })).document
    expect(gone.nodes[a]?.compensation).toEqual({ node: 'c' })
  })

  test('drawing to another node keeps all else that was said about undoing', () => {
    const kept = {
      ...{ retry: { maxAttempts: 7 }, input: { id: 1 }, labels: { team: 'billing' }, env: { MODE: 'test' } },
      ...{ pool: 'bank', route: { topic: 'refunds' } },
    }
    const before = applyEdit(withAside(), setUndo(a, { node: b, ...kept })).document
    const { document } = applyEdit(before, undoBy(a, c))
    expect(document.nodes[a]?.compensation).toEqual({ node: 'c', ...kept })
  })

  test.for([
    ['if', 'steers'],
    ['fork', 'steers'],
    ['stop', 'steers'],
    ['approval', 'waits'],
    ['wait-signal', 'waits'],
    ['loop', 'container'],
  ] as const)('%s takes nothing back: it is refused, and people are told why', ([kind, code]) => {
    const document = { ...withAside(), nodes: { ...withAside().nodes, c: { kind } } }
    const verdict = mayUndo(document, { of: a, by: c })
    expect(verdict === true ? null : verdict.code).toBe(code)
    expect(undoersOf(document, a)).toEqual([])
    expect(refusedUndoersOf(document, a)).toEqual([{ id: 'c', message: undoRefusals[code] }])
  })

  test('nodes on the way, of other bodies and the node itself are not told of', () => {
    const nodes = { ...withAside().nodes, d: { kind: 'if', parent: nodeId('each') }, each: { kind: 'map' } }
    const refused = refusedUndoersOf({ ...withAside(), nodes }, a).map(({ id }) => id)
    expect(refused).toEqual(['each'])
  })

  test('only a node beside the way forward may undo another, and only one of the same body', () => {
    const codeOf = (document: ReturnType<typeof chain>, of = a, by = b) => {
      const verdict = mayUndo(document, { of, by })
      return verdict === true ? true : verdict.code
    }
    expect(codeOf(withAside(), a, c)).toBe(true)
    expect(codeOf(withAside(), a, a)).toBe('itself')
    expect(codeOf(withAside(), a, b)).toBe('on-the-way')
    const undone = applyEdit(withAside(), setUndo(c, { impossible: 'gone' })).document
    expect(codeOf(undone, a, c)).toBe('undone-itself')
    const inside = {
      ...withAside().nodes,
      each: { kind: 'map' },
      c: { kind: 'noop', parent: nodeId('each') },
    }
    expect(codeOf({ ...withAside(), nodes: inside }, a, c)).toBe('border')
    expect(codeOf({ ...withAside(), nodes: inside }, a, nodeId('each'))).toBe('container')
  })

  test('nothing leads to or from a node that undoes another', () => {
    const drawn = applyEdit(withAside(), undoBy(a, c)).document
    const verdict = mayConnect(drawn, link('b', 'c'), { specs })
    expect(verdict === true ? null : verdict.code).toBe('undoes')
    expect(mayConnect(drawn, link('b', 'c', undoPort), { specs })).toBe(true)
  })

  test('a node that is added at an undo port undoes that node', () => {
    const added = {
      id: nodeId('x'),
      node: { kind: 'log' },
      at: { x: 0, y: 200 },
      title: 'Log',
      outPort: 'out',
      hasInput: true,
    }
    const { document } = applyEdit(chain('a', 'b'), addNode(added, { kind: 'undo', of: a }))
    expect(document.nodes[a]?.compensation).toEqual({ node: 'x' })
    expect(Object.keys(document.edges)).toHaveLength(1)
  })
})

describe('groups that are undone together', () => {
  test('a node is in one group: another takes it, and an empty one goes', () => {
    const one = applyEdit(chain('a', 'b', 'c'), groupNodes('g1', [a])).document
    const two = applyEdit(one, groupNodes('g2', [a, b])).document
    expect(two.sagaScopes).toEqual({ g2: { nodes: ['a', 'b'] } })
    expect(scopeOfNode(two, a)).toBe('g2')
    const three = applyEdit(two, joinScope('g2', [b, c])).document
    expect(three.sagaScopes?.['g2']?.nodes).toEqual(['a', 'b', 'c'])
    expect(applyEdit(three, leaveScope([a, b, c])).document.sagaScopes).toBeUndefined()
  })

  test('what is usual is left out, and undone edits give the same document', () => {
    const grouped = applyEdit(chain('a', 'b'), groupNodes('g', [a, b])).document
    const changed = applyEdit(
      grouped,
      changeScope('g', { title: 'Payment', order: 'parallel', onFailure: 'stop' }),
    ).document
    expect(changed.sagaScopes?.['g']).toEqual({
      nodes: ['a', 'b'],
      title: 'Payment',
      order: 'parallel',
      onFailure: 'stop',
    })
    const back = applyEdit(
      changed,
      changeScope('g', { title: '', order: 'reverse', onFailure: 'ask' }),
    ).document
    expect(back.sagaScopes?.['g']).toEqual({ nodes: ['a', 'b'] })
    expect(applyEdit(back, ungroup(['g'])).document).toEqual(chain('a', 'b'))
  })

  test('deleting a group keeps its nodes, deleting its last node takes it along', () => {
    const grouped = applyEdit(chain('a', 'b'), groupNodes('g', [a])).document
    const without = applyEdit(grouped, removeElements({ nodes: [], edges: [], notes: [], scopes: ['g'] }))
    expect(without.document).toEqual(chain('a', 'b'))
    expect(without.step?.label).toBe('Ungroup')
    const gone = applyEdit(grouped, removeElements({ nodes: [a], edges: [], notes: [] })).document
    expect(gone.sagaScopes).toBeUndefined()
  })
})
