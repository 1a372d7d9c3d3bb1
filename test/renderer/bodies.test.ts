import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { tidyPlaces } from '../../src-renderer/canvas/auto-layout.ts'
import { boxOf, containerAt, overlaps, parentAfterDrop } from '../../src-renderer/canvas/container-box.ts'
import { withBodies } from '../../src-renderer/canvas/drag-bodies.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import { moveInto, setParents } from '../../src-renderer/commands/bodies.ts'
import { makeClip, paste } from '../../src-renderer/commands/clip.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { mayConnect } from '../../src-renderer/rules/connection.ts'
import { modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { chain, invocationRecord, link, runRecord } from './factories.ts'

const specs = taskSpecsByKind
const [a, b, c, each] = ['a', 'b', 'c', 'each'].map(nodeId) as [never, never, never, never]

/** `a → each → c` with `b` alone inside of `each`, and `d` behind it in there. */
function mapped(): WorkflowDocument {
  const before = chain('a', 'each', 'c')
  return {
    ...before,
    nodes: {
      ...before.nodes,
      [each]: { kind: 'map', parameters: {} },
      [b]: { kind: 'noop', parameters: {}, parent: each },
      [nodeId('d')]: { kind: 'noop', parameters: {}, parent: each },
    },
    edges: { ...before.edges, ['b.out-d' as never]: link('b', 'd') },
    layout: {
      nodes: {
        a: { x: 0, y: 0 },
        each: { x: 320, y: 0 },
        b: { x: 352, y: 88 },
        d: { x: 640, y: 88 },
        c: { x: 1200, y: 0 },
      },
    },
  }
}

describe('the frame of a map or loop', () => {
  test('is as large as what is inside it, and has room while it is empty', () => {
    const document = mapped()
    const frame = boxOf(document, each, specs)
    for (const id of ['b', 'd'].map(nodeId)) {
      const inner = boxOf(document, id, specs)
      expect(inner.x).toBeGreaterThan(frame.x)
      expect(inner.y).toBeGreaterThan(frame.y)
      expect(inner.x + inner.width).toBeLessThan(frame.x + frame.width)
      expect(inner.y + inner.height).toBeLessThan(frame.y + frame.height)
    }
    const empty = applyEdit(document, setParents({ b: null, d: null })).document
    expect(boxOf(empty, each, specs).width).toBeGreaterThan(500)
  })

  test('takes the node whose middle is over it, and keeps one that still touches it', () => {
    const document = mapped()
    expect(containerAt(document, { x: 600, y: 120 }, { specs, moved: a })).toBe('each')
    const at = (x: number, y: number) => ({ x, y, width: 240, height: 64 })
    expect(parentAfterDrop(document, { id: a, box: at(500, 100) }, specs)).toBe('each')
    const { x, width } = boxOf(document, each, specs)
    expect(parentAfterDrop(document, { id: b, box: at(x + width - 20, 100) }, specs)).toBe('each')
    expect(parentAfterDrop(document, { id: b, box: at(x + width + 20, 100) }, specs)).toBeNull()
  })

  test('a circle of containers, as only a foreign document has it, is no endless walk', () => {
    const document = chain('a', 'b')
    const nodes = { a: { kind: 'map', parent: b }, b: { kind: 'loop', parent: a } }
    expect(boxOf({ ...document, nodes }, a, specs).width).toBeGreaterThan(0)
  })
})

describe('edits', () => {
  test('entering and leaving a body is one step, and edges that would cross its border go', () => {
    const document = mapped()
    const inside = applyEdit(document, moveInto({ nodes: { c: { x: 500, y: 200 } }, notes: {} }, { c: each }))
    expect(inside.document.nodes[c]?.parent).toBe('each')
    expect(Object.values(inside.document.edges).some(({ to }) => to.node === 'c')).toBe(false)
    const outside = applyEdit(document, setParents({ d: null }))
    expect(outside.document.nodes[nodeId('d')]).not.toHaveProperty('parent')
    expect(Object.values(outside.document.edges).some(({ to }) => to.node === 'd')).toBe(false)
  })

  test('a container can’t enter itself or its own body', () => {
    const document = mapped()
    const nodes = { ...document.nodes, [b]: { kind: 'loop', parent: each } }
    const after = applyEdit({ ...document, nodes }, setParents({ each: b })).document
    expect(after.nodes[each]).not.toHaveProperty('parent')
  })

  test('a node that is added behind one of a body belongs to it', () => {
    const added = { id: nodeId('n'), node: { kind: 'noop' }, at: { x: 0, y: 0 }, title: 'N' }
    const edit = addNode(
      { ...added, outPort: 'out', hasInput: true },
      { kind: 'after', from: { node: b, port: 'out' } },
    )
    expect(applyEdit(mapped(), edit).document.nodes[nodeId('n')]?.parent).toBe('each')
  })

  test('what was in a removed container stays', () => {
    const { document } = applyEdit(mapped(), removeElements({ nodes: [each], edges: [], notes: [] }))
    expect(Object.keys(document.nodes).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(document.nodes[b]).not.toHaveProperty('parent')
    expect(Object.values(document.edges)).toHaveLength(1)
  })

  test('a container is copied with its body', () => {
    const document = mapped()
    const clip = makeClip(document, [each])
    expect(Object.keys(clip?.nodes ?? {}).toSorted()).toEqual(['b', 'd', 'each'])
    if (clip === null) return
    const plan = paste(document, clip, { x: 0, y: 900 })
    const after = applyEdit(document, plan.edit).document
    const copies = plan.ids.map((id) => after.nodes[id]?.parent)
    expect(new Set(copies)).toEqual(
      new Set([undefined, plan.ids.find((id) => after.nodes[id]?.kind === 'map')]),
    )
  })

  test('no edge leads across the border of a body', () => {
    const refusal = mayConnect(mapped(), link('a', 'd'), { specs })
    expect(refusal).toMatchObject({ code: 'border' })
    expect(mayConnect(mapped(), link('a', 'c'), { specs })).toBe(true)
  })
})

describe('drawing', () => {
  test('a dragged container takes along what is inside it', () => {
    const document = mapped()
    const frame = boxOf(document, each, specs)
    const position = { x: frame.x + 80, y: frame.y + 16 }
    const moves = withBodies(document, [{ type: 'position', id: 'each', position, dragging: true }], specs)
    expect(moves).toContainEqual({
      type: 'position',
      id: 'b',
      position: { x: 432, y: 104 },
      dragging: true,
    })
  })

  test('tidying keeps bodies inside their frames and everything else out of them', () => {
    const document = mapped()
    const nodes = tidyPlaces(document, { specs, only: null })
    const tidied = { ...document, layout: { nodes } }
    const frame = boxOf(tidied, each, specs)
    expect(overlaps(frame, boxOf(tidied, a, specs))).toBe(false)
    expect(overlaps(frame, boxOf(tidied, c, specs))).toBe(false)
    expect(boxOf(tidied, b, specs).x).toBeGreaterThan(frame.x)
    expect(boxOf(tidied, nodeId('d'), specs).x).toBeGreaterThan(boxOf(tidied, b, specs).x)
  })

  test('a node of a body shows its newest turn, and how many of them are done', () => {
    const wait = {
      kind: 'items',
      items: { kind: 'inline', json: '[]' },
      count: 10,
      limit: 2,
      tolerated: 0,
    } as const
    const turn = (index: number, finishedAt: number | null) =>
      invocationRecord('b', {
        id: `run-1/each:${index}/b` as never,
        path: `each:${index}`,
        status: finishedAt === null ? 'RUNNING' : 'SUCCESS',
        finishedAt,
      })
    const model = modelOfSnapshot({
      run: runRecord(),
      invocations: [
        invocationRecord('each', { status: 'WAITING', wait }),
        ...[turn(0, 5), turn(1, 6), turn(2, 7), turn(3, null)],
      ],
      skipped: [],
      epoch: 0,
      seq: 9,
    })
    const node = model.nodes.get('b')
    expect(node?.turns).toEqual({ done: 3, total: 10 })
    if (node === undefined) return
    expect(lookOf(node)).toMatchObject({ turns: '3 of 10', style: { label: 'Running' } })
    expect(model.nodes.get('each')?.turns).toBeNull()
  })
})
