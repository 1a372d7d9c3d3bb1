/** What an edit of a large workflow doesn't do: look at all that it left alone. */

import { createDraft } from 'immer'
import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { moveInto } from '../../src-renderer/commands/bodies.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { perform, redo, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { countOf, foundOnce } from '../../src-renderer/rules/found-once.ts'
import { startJournal } from '../../src-renderer/state/journal.ts'
import { effectsOf } from '../../src-renderer/state/saga-effects.ts'
import { startValidation } from '../../src-renderer/state/validation.ts'
import { createRandomSource } from '../support/random-source.ts'
import { chain } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const move = (x: number): Edit => moveInto({ nodes: { b: { x, y: 5 } }, notes: {} }, {})
const link = connect({
  from: { node: nodeId('a'), port: 'error' },
  to: { node: nodeId('c'), port: 'in' },
})
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

describe('the recipe of an edit', () => {
  /** The names of edges and nodes that a recipe took out of its draft: each is wrapped for it. */
  function wrapped(document: WorkflowDocument, edit: Edit): readonly string[] {
    const draft = createDraft<WorkflowDocument>(document)
    const taken: string[] = []
    const watched = (record: 'nodes' | 'edges') =>
      new Proxy(draft[record], {
        get: (target, key) => {
          if (typeof key === 'string') taken.push(key)
          return Reflect.get(target, key) as unknown
        },
      })
    const [nodes, edges] = [watched('nodes'), watched('edges')]
    edit.recipe(
      new Proxy(draft, {
        get: (target, key) =>
          key === 'nodes' ? nodes : key === 'edges' ? edges : (Reflect.get(target, key) as unknown),
      }),
    )
    return taken
  }

  test('that moves a step takes no step and no edge', () => {
    expect(wrapped(chain('a', 'b', 'c'), move(7))).toEqual([])
  })

  test('that connects takes no other edge', () => {
    expect(wrapped(chain('a', 'b', 'c', 'd'), link)).toEqual([])
  })

  test('that connects is told by what it changes, which is what the recipe does', () => {
    const random = createRandomSource('connecting')
    const names = ['a', 'b', 'c', '7', 'e.f'].map(nodeId)
    let document = startHistory(chain(...names)).document
    for (let turn = 0; turn < 200; turn += 1) {
      const ends = { from: { node: random.pick(names), port: random.pick(['out', 'error', 'x y', 'x_y']) } }
      const edit = connect({ ...ends, to: { node: random.pick(names), port: 'in' } })
      const { changes, ...asRecipe } = edit
      expect(changes).toBeDefined()
      const [told, made] = [applyEdit(document, edit), applyEdit(document, asRecipe)]
      expect(told).toEqual(made)
      expect(Object.keys(told.document.edges)).toEqual(Object.keys(made.document.edges))
      for (const edge of Object.values(told.document.edges)) expect(Object.isFrozen(edge.from)).toBe(true)
      const back = undo(perform(startHistory(document), edit)).document
      expect(told.step === null ? document : back).toEqual(document)
      document = turn % 40 === 39 ? chain(...names) : told.document
    }
  })

  test('that removes a step takes what belongs to it alone', () => {
    const edit = removeElements({ nodes: [nodeId('b')], edges: [], notes: [] })
    expect(wrapped(chain('a', 'b', 'c', 'd'), edit)).toEqual(['b'])
  })

  test('meets a document that is frozen already: the first one needn’t', () => {
    const { document } = startHistory(chain('a', 'b'))
    expect(Object.values(document.edges).every((edge) => Object.isFrozen(edge.from))).toBe(true)
  })

  test('that changes a body drops the edges that would cross its border', () => {
    const document: WorkflowDocument = {
      ...chain('a', 'b', 'c'),
      nodes: {
        ...chain('a', 'b', 'c').nodes,
        [nodeId('each')]: { kind: 'map', parameters: { items: '[]' } },
      },
    }
    const edit = moveInto({ nodes: {}, notes: {} }, { b: nodeId('each') })
    expect(after(document, edit).edges).toEqual({})
  })
})

describe('what could be undone', () => {
  const find = () => null

  test('is not looked at again while only places and edges change', () => {
    const counted = countedSpecs()
    const document = chain('a', 'b', 'c')
    const told = effectsOf(document, counted.specs, find)
    const { looks } = counted
    expect(effectsOf(after(document, move(9)), counted.specs, find)).toBe(told)
    expect(effectsOf(after(document, link), counted.specs, find)).toBe(told)
    expect(counted.looks).toBe(looks)
  })

  test('is looked at again when a step, the settings or what can be found changes', () => {
    const { specs } = countedSpecs()
    const document = chain('a', 'b', 'c')
    const told = effectsOf(document, specs, find)
    const others = [
      effectsOf(after(document, removeElements({ nodes: [nodeId('a')], edges: [], notes: [] })), specs, find),
      effectsOf({ ...document, settings: { rollbackOn: ['cancelled'] } }, specs, find),
      effectsOf(document, specs, () => document),
    ]
    for (const other of others) expect(other).not.toBe(told)
    expect(others.map(({ rollsBack }) => rollsBack)).toEqual([true, false, true])
  })
})

describe('checking the document', () => {
  test('is no part of an edit, and what was found before stays until it is over', async () => {
    const counted = countedSpecs()
    const { designer, pass } = openPage(newMachine(), counted.specs)
    startValidation(designer)
    const { open, edit, setProblems } = designer.document.getState()
    open({ document: chain('a', 'b'), path: null, etag: null }, { draftId: 'd', isSaved: true })
    await pass()
    const { looks } = counted
    const known = designer.document.getState().problems
    edit(link)
    designer.document.getState().undo()
    expect(counted.looks).toBe(looks)
    expect(designer.document.getState().problems).toBe(known)
    await pass()
    expect(counted.looks).toBeGreaterThan(looks)
    // The same mistakes are the same list: nothing is drawn for them.
    expect(designer.document.getState().problems).toBe(known)
    setProblems([])
  })

  test('is no matter of places: a step that is moved, or moved back, is not checked again', async () => {
    const counted = countedSpecs()
    const { designer, pass } = openPage(newMachine(), counted.specs)
    startValidation(designer)
    const { open, edit, undo } = designer.document.getState()
    open({ document: chain('a', 'b'), path: null, etag: null }, { draftId: 'd', isSaved: true })
    await pass()
    const { looks } = counted
    edit(move(40))
    await pass()
    undo()
    await pass()
    expect(counted.looks).toBe(looks)
    // What waits to be checked still is, however much is moved meanwhile.
    edit(link)
    edit(move(80))
    await pass()
    expect(counted.looks).toBeGreaterThan(looks)
  })

  test('is given up when the document is closed', async () => {
    const counted = countedSpecs()
    const { designer, pass } = openPage(newMachine(), counted.specs)
    startValidation(designer)
    const { open, close } = designer.document.getState()
    open({ document: chain('a', 'b'), path: null, etag: null }, { draftId: 'd', isSaved: true })
    close()
    await pass()
    expect(counted.looks).toBe(0)
  })
})

describe('what is found once', () => {
  test('is found anew for another part, and always for one that still changes', () => {
    let made = 0
    const count = foundOnce((nodes: object) => {
      made += 1
      return Object.keys(nodes).length
    })
    const [first, second] = [Object.freeze({ a: 1 }), Object.freeze({ a: 1, b: 2 })]
    expect([count(first), count(first), count(second), count(first), made]).toEqual([1, 1, 2, 1, 2])
    const open: Record<string, number> = {}
    const before = count(open)
    open['a'] = 1
    expect([before, count(open)]).toEqual([0, 1])
  })

  test('serves a document after an edit, and after it was undone', () => {
    const edited = perform(
      startHistory(chain('a', 'b', 'c')),
      removeElements({ nodes: [nodeId('b')], edges: [], notes: [] }),
    )
    for (const { document } of [edited, undo(edited), redo(undo(edited))]) {
      expect(Object.isFrozen(document.nodes)).toBe(true)
      expect(Object.isFrozen(document.edges)).toBe(true)
      expect(countOf(document.nodes)).toBe(Object.keys(document.nodes).length)
    }
  })
})

describe('what is selected', () => {
  test('is the same while the same is selected, and so is each list of it', () => {
    const { view } = openPage(newMachine()).designer
    const { select } = view.getState()
    select({ nodes: [nodeId('a')], notes: ['n'] })
    const { selection } = view.getState()
    select({ nodes: [nodeId('a')], notes: ['n'], edges: [] })
    expect(view.getState().selection).toBe(selection)
    select({ nodes: [nodeId('a')] })
    const { nodes, edges, notes } = view.getState().selection
    expect([nodes, edges]).toEqual([selection.nodes, selection.edges])
    expect([nodes === selection.nodes, edges === selection.edges, notes]).toEqual([true, true, []])
  })
})

describe('the sum that tells documents apart', () => {
  test('is got ready once a large workflow was opened, and not for a small one', async () => {
    const reads = async (count: number): Promise<number> => {
      const { designer, pass } = openPage(newMachine())
      startJournal(designer)
      const document = chain(...Array.from({ length: count }, (_, at) => `n${at}`))
      let read = 0
      const nodes = Object.fromEntries(
        Object.entries(document.nodes).map(([id, node]) => {
          const ownKeys = (target: object) => {
            read += 1
            return Reflect.ownKeys(target)
          }
          return [id, new Proxy(node, { ownKeys })]
        }),
      ) as WorkflowDocument['nodes']
      const file = { document: { ...document, nodes }, path: null, etag: null }
      designer.document.getState().open(file, { draftId: 'd', isSaved: true })
      read = 0
      await pass()
      return read
    }
    expect(await reads(3)).toBe(0)
    expect(await reads(500)).toBeGreaterThanOrEqual(500)
  })
})
