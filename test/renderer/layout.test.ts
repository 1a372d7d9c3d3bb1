/** Laying out with ELK: whatever the graph, and whatever was placed by hand. The engine is the real one. */

import Elk from 'elkjs/lib/elk.bundled.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { boxOf, overlaps } from '../../src-renderer/canvas/container-box.ts'
import type { Box } from '../../src-renderer/canvas/fit.ts'
import { frameBox } from '../../src-renderer/canvas/frame-box.ts'
import type { LayoutEngine } from '../../src-renderer/canvas/layout/elk-engine.ts'
import { layOut, movesOf, stopLayout } from '../../src-renderer/canvas/layout/lay-out.ts'
import type { LayoutItem } from '../../src-renderer/canvas/layout/layout-tree.ts'
import { layoutTree } from '../../src-renderer/canvas/layout/layout-tree.ts'
import { settle } from '../../src-renderer/canvas/layout/settle.ts'
import { toElk } from '../../src-renderer/canvas/layout/to-elk.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { move } from '../../src-renderer/commands/move.ts'
import { edgeIdOf } from '../../src-renderer/commands/new-ids.ts'
import { hiddenBy } from '../../src-renderer/rules/frames.ts'
import { blankDocument } from '../../src-renderer/state/blank-document.ts'
import { chain, link } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const specs = taskSpecsByKind
const elk = new Elk()

/** The document as the layout leaves it. */
async function laidOut(document: WorkflowDocument, all = false): Promise<WorkflowDocument> {
  const tree = layoutTree(document, { specs, all })
  const places = settle(tree, await elk.layout(toElk(tree)))
  return applyEdit(document, move(movesOf(document, places, specs))).document
}

interface Seed {
  readonly kind: string
  readonly parent: number
  readonly frame: number
  readonly x: number
  readonly y: number
  readonly byHand: boolean
}

const seeds = fc.array(
  fc.record({
    kind: fc.constantFrom('noop', 'log', 'if', 'map', 'loop', 'semaphore', 'unknown-kind'),
    parent: fc.nat(20),
    frame: fc.nat(5),
    x: fc.integer({ min: -2_000, max: 2_000 }),
    y: fc.integer({ min: -2_000, max: 2_000 }),
    byHand: fc.nat(5).map((one) => one === 0),
  }),
  { minLength: 1, maxLength: 24 },
)
const ends = fc.array(fc.tuple(fc.nat(23), fc.nat(23), fc.constantFrom('out', 'true', 'error')), {
  maxLength: 40,
})
const framing = fc.record({
  nested: fc.boolean(),
  collapsed: fc.boolean(),
  held: fc.boolean(),
  scope: fc.nat(6),
})

/** Nodes in bodies, frames in frames, a group, and edges that stay on one side of a body's border. */
function documentOf(
  nodesOf: readonly Seed[],
  edgesOf: readonly (readonly [number, number, string])[],
  how: {
    readonly nested: boolean
    readonly collapsed: boolean
    readonly held: boolean
    readonly scope: number
  },
): WorkflowDocument {
  const ids = nodesOf.map((_, index) => nodeId(`n${index}`))
  const nodes: Record<NodeId, WorkflowNode> = {}
  const places: Record<string, { x: number; y: number; byHand?: boolean }> = {}
  nodesOf.forEach((seed, index) => {
    const around = ids[seed.parent]
    const outer = nodesOf[seed.parent]
    const isBody = seed.parent < index && ['map', 'loop', 'semaphore'].includes(outer?.kind ?? '')
    const id = ids[index] ?? nodeId('')
    nodes[id] = { kind: seed.kind, ...(isBody && around !== undefined ? { parent: around } : {}) }
    places[id] = { x: seed.x, y: seed.y, ...(seed.byHand ? { byHand: true } : {}) }
  })
  const edges: Record<string, WorkflowDocument['edges'][keyof WorkflowDocument['edges']]> = {}
  for (const [from, to, port] of edgesOf) {
    const [source, target] = [ids[from], ids[to]]
    if (source === undefined || target === undefined || from === to) continue
    if (nodes[source]?.parent !== nodes[target]?.parent) continue
    const edge = link(source, target, port)
    edges[edgeIdOf(edge)] = edge
  }
  const loose = ids.filter((id) => nodes[id]?.parent === undefined)
  const inFrame = (frame: number) => loose.filter((id) => nodesOf[ids.indexOf(id)]?.frame === frame)
  const frame = { title: 'A frame' }
  const at = { x: -500, y: 700, width: 900, height: 500 }
  return {
    ...blankDocument('wf_test'),
    nodes,
    edges,
    notes: { memo: { text: 'In a frame' }, free: { text: 'Anywhere' } },
    frames: {
      one: { ...frame, nodes: inFrame(1), notes: ['memo'] },
      two: { ...frame, nodes: inFrame(2), ...(how.nested ? { parent: 'one' } : {}) },
      three: { ...frame, nodes: inFrame(3) },
    },
    sagaScopes: { group: { nodes: loose.slice(how.scope, how.scope + 3) } },
    layout: {
      nodes: places,
      notes: { memo: { x: 40, y: 900 }, free: { x: 5, y: 5 } },
      frames: {
        one: { ...at, ...(how.held ? { byHand: true } : {}) },
        two: at,
        three: { ...at, ...(how.collapsed ? { collapsed: true } : {}) },
      },
    },
  }
}

const isAnchored = ({ isHeld, inside }: LayoutItem): boolean => isHeld || inside?.some(isAnchored) === true

/** Of each level, the pairs that cover each other though the layout placed one of them. */
function collisions(items: readonly LayoutItem[]): readonly string[] {
  const own = items.flatMap((left, index) =>
    items
      .slice(index + 1)
      .filter((right) => !(isAnchored(left) && isAnchored(right)) && overlaps(left.box, right.box))
      .map((right) => `${left.id} and ${right.id}`),
  )
  return [...own, ...items.flatMap(({ inside }) => collisions(inside ?? []))]
}

/** What isn't inside of the box that it belongs to. */
function outside(items: readonly LayoutItem[], around: Box | null): readonly string[] {
  return items.flatMap(({ id, box, inside }) => {
    const isIn =
      around === null ||
      (box.x >= around.x &&
        box.y >= around.y &&
        box.x + box.width <= around.x + around.width &&
        box.y + box.height <= around.y + around.height)
    return [...(isIn ? [] : [id]), ...outside(inside ?? [], box)]
  })
}

/** All places by hand. What a collapsed frame stands for goes along with it, and isn't placed itself. */
function held(document: WorkflowDocument): unknown {
  const hidden = hiddenBy(document).nodes
  const own = (places: Readonly<Record<string, { readonly byHand?: boolean }>> | undefined) =>
    Object.entries(places ?? {}).filter(([id, { byHand }]) => byHand === true && !hidden.has(id))
  return [own(document.layout?.nodes), own(document.layout?.notes), own(document.layout?.frames)]
}

describe('any workflow', () => {
  test('nothing covers what was laid out, all is inside of its box, what was placed stays, and twice is the same', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, ends, framing, async (nodes, edges, how) => {
        const document = documentOf(nodes, edges, how)
        const after = await laidOut(document)
        const { items } = layoutTree(after, { specs, all: false })
        expect(collisions(items)).toEqual([])
        expect(outside(items, null)).toEqual([])
        expect(held(after)).toEqual(held(document))
        expect(after.layout?.notes?.['free']).toEqual({ x: 5, y: 5 })
        expect(await laidOut(document)).toEqual(after)
      }),
      { numRuns: 60, seed: 7 },
    )
  }, 120_000)

  test('asked for all, nothing is held, and the marks are gone', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, ends, framing, async (nodes, edges, how) => {
        const after = await laidOut(documentOf(nodes, edges, how), true)
        expect(collisions(layoutTree(after, { specs, all: true }).items)).toEqual([])
        expect(held({ ...after, layout: { ...after.layout } })).toEqual([[], [], []])
      }),
      { numRuns: 30, seed: 8 },
    )
  }, 120_000)
})

describe('a layout', () => {
  test('goes from left to right, begins where the workflow began, and stands on the grid', async () => {
    const document = chain('a', 'b', 'c')
    const scattered = {
      ...document,
      layout: { nodes: { a: { x: 900, y: 40 }, b: { x: 96, y: 800 }, c: { x: 500, y: 500 } } },
    }
    const { nodes = {} } = (await laidOut(scattered)).layout ?? {}
    const [a, b, c] = [nodes['a'], nodes['b'], nodes['c']]
    expect(a).toEqual({ x: 96, y: 40 })
    expect(b?.x).toBeGreaterThan((a?.x ?? 0) + 240)
    expect(c?.x).toBeGreaterThan((b?.x ?? 0) + 240)
    expect(b?.y).toBe(40)
    expect([b, c].every((at) => (at?.x ?? 1) % 8 === 0)).toBe(true)
  })

  test('keeps the lanes of a branch in the order of its ports, however the edges are listed', async () => {
    const switchNode = {
      kind: 'switch',
      parameters: {
        cases: [
          { name: 'one', when: 'true' },
          { name: 'two', when: 'true' },
          { name: 'three', when: 'true' },
        ],
      },
    }
    const ways =
      specs
        .get('switch')
        ?.outputs(switchNode.parameters)
        .map(({ id }) => id) ?? []
    expect(ways.length).toBeGreaterThan(2)
    const nodes = Object.fromEntries([
      ['s', switchNode],
      ...ways.map((way) => [`at-${way}`, { kind: 'noop' }]),
    ])
    const edges = Object.fromEntries(
      ways.toReversed().map((way) => [`e-${way}`, link('s', `at-${way}`, way)]),
    )
    const after = await laidOut({ ...blankDocument('wf_test'), nodes, edges })
    const tops = ways.map((way) => after.layout?.nodes?.[`at-${way}`]?.y ?? 0)
    expect(tops).toEqual(tops.toSorted((left, right) => left - right))
    expect(new Set(tops).size).toBe(ways.length)
  })

  test('brings what follows a card to where a person put that card', async () => {
    const document = chain('a', 'b', 'c')
    const layout = {
      nodes: {
        a: { x: 0, y: 0, byHand: true },
        b: { x: 2_000, y: 1_000, byHand: true },
        c: { x: 10, y: 10 },
      },
    }
    const { nodes = {} } = (await laidOut({ ...document, layout })).layout ?? {}
    expect(nodes['a']).toEqual(layout.nodes.a)
    expect(nodes['b']).toEqual(layout.nodes.b)
    expect(nodes['c']).toEqual({ x: 2_312, y: 1_000 })
  })

  test('gives way below to what was put where it would stand', async () => {
    const document = chain('a', 'b')
    const nodes = { ...document.nodes, stone: { kind: 'noop' } }
    const layout = {
      nodes: { a: { x: 0, y: 0, byHand: true }, b: { x: 10, y: 10 }, stone: { x: 320, y: 0, byHand: true } },
    }
    const after = await laidOut({ ...document, nodes, layout })
    expect(boxOf(after, nodeId('b'), specs).y).toBeGreaterThan(64)
    expect(overlaps(boxOf(after, nodeId('b'), specs), boxOf(after, nodeId('stone'), specs))).toBe(false)
  })

  test('moves what a collapsed frame stands for along with it', async () => {
    const document = chain('a', 'b', 'c')
    const frames = { f: { title: 'F', nodes: [nodeId('b')] } }
    const layout = {
      nodes: { a: { x: 0, y: 0 }, b: { x: 1_030, y: 560 }, c: { x: 0, y: 900 } },
      frames: { f: { x: 1_000, y: 500, width: 320, height: 200, collapsed: true } },
    }
    const after = await laidOut({ ...document, frames, layout })
    const frame = frameBox(after, 'f', specs)
    expect(frame.x).toBeGreaterThan(240)
    const moved = after.layout?.nodes?.['b']
    expect({ x: (moved?.x ?? 0) - frame.x, y: (moved?.y ?? 0) - frame.y }).toEqual({ x: 30, y: 60 })
  })
})

describe('the command', () => {
  const begin = (document: WorkflowDocument) => {
    const page = openPage(newMachine(), specs)
    page.designer.document
      .getState()
      .open({ document, path: null, etag: null }, { draftId: 'd', isSaved: true })
    return page
  }
  const real = (): LayoutEngine => ({ layout: (graph) => elk.layout(graph), stop: () => undefined })
  const messages = (page: ReturnType<typeof begin>) =>
    page.designer.view.getState().toasts.map(({ message }) => message)
  const never = (stopped: { count: number }) => (): LayoutEngine => ({
    layout: () => new Promise(() => undefined),
    stop: () => {
      stopped.count += 1
    },
  })

  test('is one step to undo', async () => {
    const page = begin({ ...chain('a', 'b'), layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 0, y: 0 } } } })
    const before = page.designer.document.getState().history.document
    await layOut(page.designer, { all: false, open: real })
    const { history, undo } = page.designer.document.getState()
    expect(history.past.map(({ label }) => label)).toEqual(['Tidy layout'])
    expect(history.document.layout?.nodes?.['b']?.x).toBeGreaterThan(240)
    undo()
    expect(page.designer.document.getState().history.document).toEqual(before)
    expect(messages(page)).toEqual([])
  })

  test('two thousand cards that branch have places of their own, in one step to undo', async () => {
    const many = 2_000
    const ids = Array.from({ length: many }, (_, index) => `n${index}`)
    const branches = ids.slice(1).map((id, index) => link(`n${index - (index % 7)}`, id))
    const page = begin({
      ...blankDocument('wf_test'),
      nodes: Object.fromEntries(ids.map((id) => [id, { kind: 'noop', parameters: {} }])),
      edges: Object.fromEntries(branches.map((edge) => [edgeIdOf(edge), edge])),
      layout: { nodes: Object.fromEntries(ids.map((id) => [id, { x: 0, y: 0 }])) },
    })
    const before = page.designer.document.getState().history.document
    await layOut(page.designer, { all: false, open: real })
    const { history, undo } = page.designer.document.getState()
    const placed = history.document.layout?.nodes ?? {}
    expect(new Set(Object.values(placed).map(({ x, y }) => `${x} ${y}`)).size).toBe(many)
    expect(placed['n1']?.x).toBeGreaterThan(placed['n0']?.x ?? 0)
    undo()
    expect(page.designer.document.getState().history.document).toEqual(before)
  })

  test('says what stayed, and lays that out, too, when asked to', async () => {
    const page = begin({
      ...chain('a', 'b'),
      layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 0, y: 900, byHand: true } } },
    })
    await layOut(page.designer, { all: false, open: real })
    expect(messages(page)).toEqual(['The one that you placed stays where it is.'])
    const { document } = page.designer.document.getState().history
    expect(document.layout?.nodes?.['b']).toEqual({ x: 0, y: 900, byHand: true })
    await layOut(page.designer, { all: true, open: real })
    expect(page.designer.document.getState().history.document.layout?.nodes?.['b']).not.toHaveProperty(
      'byHand',
    )
  })

  test('moves nothing where everything was placed by hand', async () => {
    const page = begin({ ...chain('a'), layout: { nodes: { a: { x: 3, y: 0, byHand: true } } } })
    await layOut(page.designer, { all: false, open: real })
    expect(messages(page)).toEqual(['You placed everything here by hand, so it stays.'])
    expect(page.designer.document.getState().history.past).toEqual([])
  })

  test('is stopped at once, and its worker with it', async () => {
    const page = begin(chain('a', 'b'))
    const stopped = { count: 0 }
    const done = layOut(page.designer, { all: false, open: never(stopped) })
    expect(page.designer.view.getState().layout).toBe(2)
    expect(stopLayout(page.designer)).toBe(true)
    await done
    expect(stopped.count).toBe(1)
    expect(page.designer.view.getState().layout).toBeNull()
    expect(page.designer.document.getState().history.past).toEqual([])
    expect(stopLayout(page.designer)).toBe(false)
  })

  test('gives up after a while, and says so', async () => {
    const page = begin(chain('a', 'b'))
    const stopped = { count: 0 }
    const done = layOut(page.designer, { all: false, open: never(stopped) })
    await page.pass()
    await done
    expect(stopped.count).toBe(1)
    expect(messages(page)).toEqual(['The layout took longer than 120 seconds and was stopped.'])
    expect(page.designer.document.getState().history.past).toEqual([])
  })

  test('loses nothing when the engine breaks', async () => {
    const page = begin(chain('a', 'b'))
    await layOut(page.designer, {
      all: false,
      open: () => ({ layout: () => Promise.reject(new Error('no memory')), stop: () => undefined }),
    })
    expect(messages(page)).toEqual(['The layout could not be computed.'])
    expect(page.designer.view.getState().layout).toBeNull()
    expect(page.designer.document.getState().history.past).toEqual([])
  })

  test('leaves a workflow alone that changed meanwhile', async () => {
    const page = begin(chain('a', 'b'))
    const answer = Promise.withResolvers<void>()
    const open = (): LayoutEngine => ({
      layout: async (graph) => {
        await answer.promise
        return elk.layout(graph)
      },
      stop: () => undefined,
    })
    const done = layOut(page.designer, { all: false, open })
    page.designer.document.getState().edit(move({ nodes: { a: { x: 40, y: 40, byHand: true } }, notes: {} }))
    answer.resolve()
    await done
    expect(messages(page)).toEqual(['The workflow changed while it was laid out.'])
    expect(page.designer.document.getState().history.past.map(({ label }) => label)).toEqual(['Move'])
  })
})
