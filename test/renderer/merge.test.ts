/** Two changes of one document brought together, node by node; and the file that another program changes. */

import { describe, expect, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { changeNode, setParameters } from '../../src-renderer/commands/change-node.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { move } from '../../src-renderer/commands/move.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import { mergeDocuments } from '../../src-renderer/merge/merge-documents.ts'
import { isDirty } from '../../src-renderer/state/document-store.ts'
import { openPath, saveDocument } from '../../src-renderer/state/files.ts'
import { applyMerge, lookAtDisk } from '../../src-renderer/state/follow-disk.ts'
import { chain, link } from './factories.ts'
import { newMachine, openPage, putFile } from './fake-designer.ts'

const [a, b, c] = [nodeId('a'), nodeId('b'), nodeId('c')]
const base = applyEdit(chain('a', 'b', 'c'), setParameters(a, { url: 'u', tries: 1 })).document
const edited = (...edits: readonly Edit[]): WorkflowDocument =>
  edits.reduce((document, edit) => applyEdit(document, edit).document, base)
const without = (...ids: readonly ReturnType<typeof nodeId>[]) =>
  removeElements({ nodes: ids, edges: [], notes: [] })
const merged = (
  mine: WorkflowDocument,
  theirs: WorkflowDocument,
  choices?: ReadonlyMap<string, 'mine' | 'theirs'>,
) => mergeDocuments({ base, mine, theirs }, choices)

describe('a merge', () => {
  test('what only one side changed is taken, down to the field', () => {
    const mine = edited(changeNode(b, { title: 'Mine' }), setParameters(a, { url: 'u', tries: 5 }))
    const theirs = edited(changeNode(c, { title: 'Theirs' }), setParameters(a, { url: 'v', tries: 1 }))
    const { document, conflicts, taken } = merged(mine, theirs)
    expect(conflicts).toEqual([])
    expect(document.nodes).toMatchObject({
      a: { parameters: { url: 'v', tries: 5 } },
      b: { title: 'Mine' },
      c: { title: 'Theirs' },
    })
    expect(taken).toBe(2)
    expect(merged(theirs, mine).document).toEqual(document)
  })

  test('what both changed is a conflict of that field alone, and either can be chosen', () => {
    const mine = edited(setParameters(a, { url: 'mine', tries: 2 }))
    const theirs = edited(setParameters(a, { url: 'theirs', tries: 1 }))
    const { document, conflicts } = merged(mine, theirs)
    expect(conflicts).toMatchObject([
      { path: ['nodes', 'a', 'parameters', 'url'], mine: 'mine', theirs: 'theirs' },
    ])
    expect(document.nodes[a]?.parameters).toEqual({ url: 'mine', tries: 2 })
    const chosen = merged(mine, theirs, new Map([[conflicts[0]?.key ?? '', 'theirs']]))
    expect(chosen.document.nodes[a]?.parameters).toEqual({ url: 'theirs', tries: 2 })
  })

  test('a node that one side took away and the other changed is one conflict', () => {
    const { conflicts, document } = merged(edited(without(b)), edited(changeNode(b, { title: 'New' })))
    expect(conflicts.map(({ path, mine }) => [path, mine])).toEqual([[['nodes', 'b'], undefined]])
    expect(document.nodes[b]).toBeUndefined()
  })

  test('an edge to a node that only the other side took away goes with it', () => {
    const mine = edited(connect(link('a', 'c')))
    const { document, conflicts } = merged(mine, edited(without(c)))
    expect([Object.keys(document.nodes), Object.keys(document.edges)]).toEqual([
      ['a', 'b'],
      Object.keys(edited(without(c)).edges),
    ])
    expect(conflicts).toEqual([])
  })

  test('where things stand is never a question', () => {
    const at = (x: number) => edited(move({ nodes: { a: { x, y: 0 } }, notes: {} }))
    expect(merged(at(5), at(9))).toMatchObject({ conflicts: [], taken: 0 })
    expect(merged(at(5), at(9)).document.layout?.nodes?.['a']).toEqual({ x: 5, y: 0 })
  })

  test('without a common past nothing counts as taken away', () => {
    const { document } = mergeDocuments({ base: null, mine: edited(without(b)), theirs: edited(without(c)) })
    expect(Object.keys(document.nodes).toSorted()).toEqual(['a', 'b', 'c'])
  })
})

describe('a file that another program changes', () => {
  async function opened() {
    const machine = newMachine()
    putFile(machine, '/w/a.json', base)
    machine.methods['library.look'] = ({ path, etag }: { readonly path: string; readonly etag: string }) => {
      const file = machine.files.get(path)
      return { changed: file === undefined || file.etag === etag ? null : file }
    }
    const { designer } = openPage(machine)
    await openPath(designer, '/w/a.json')
    const state = () => designer.document.getState()
    const titles = () => Object.values(state().history.document.nodes).map(({ title }) => title)
    return {
      designer,
      machine,
      state,
      titles,
      disk: (document: object) => putFile(machine, '/w/a.json', document),
    }
  }

  test('without edits it is taken over, and stays saved; undo gives back what was there', async () => {
    const { designer, state, titles, disk } = await opened()
    disk(edited(changeNode(b, { title: 'Theirs' })))
    await lookAtDisk(designer)
    expect([titles(), isDirty(state())]).toEqual([[undefined, 'Theirs', undefined], false])
    expect(designer.view.getState().toasts).toHaveLength(1)
    state().undo()
    expect([titles(), isDirty(state())]).toEqual([[undefined, undefined, undefined], true])
  })

  test('edits stay on top of it: undone once they leave the file, undone twice it is as before', async () => {
    const { designer, state, titles, disk, machine } = await opened()
    state().edit(changeNode(a, { title: 'Mine' }))
    disk(edited(changeNode(b, { title: 'Theirs' })))
    await lookAtDisk(designer)
    expect([titles(), isDirty(state())]).toEqual([['Mine', 'Theirs', undefined], true])
    // A second change by the other program finds what both come from.
    disk(edited(changeNode(b, { title: 'Theirs' }), changeNode(c, { title: 'Again' })))
    await lookAtDisk(designer)
    expect(titles()).toEqual(['Mine', 'Theirs', 'Again'])
    for (const expected of [
      [undefined, 'Theirs', 'Again'],
      ['Mine', 'Theirs', undefined],
    ]) {
      state().undo()
      expect(titles()).toEqual(expected)
    }
    state().redo()
    state().redo()
    await saveDocument(designer)
    expect(JSON.stringify(machine.files.get('/w/a.json')?.document)).toContain('Mine')
  })

  test('what both changed waits for an answer, and nothing else is touched meanwhile', async () => {
    const { designer, state, titles, disk } = await opened()
    state().edit(changeNode(a, { title: 'Mine' }))
    disk(edited(changeNode(a, { title: 'Theirs' }), changeNode(b, { title: 'Beside' })))
    await lookAtDisk(designer)
    expect([titles(), designer.view.getState().dialog]).toEqual([['Mine', undefined, undefined], null])
    const file = state().disk
    if (file === null) throw new Error('Nothing waits.')
    applyMerge(designer, file, new Map([['["nodes","a","title"]', 'theirs']]))
    expect([titles(), state().disk]).toEqual([['Theirs', 'Beside', undefined], null])
  })

  test('saving merges first, and asks only about what both changed', async () => {
    const { designer, machine, state, disk } = await opened()
    machine.methods['library.save'] = (input: {
      readonly path: string
      readonly document: never
      readonly etag: string
    }) => {
      const now = machine.files.get(input.path)
      if (now?.etag !== input.etag) throw new SagasmithError('document_changed_on_disk')
      machine.files.set(input.path, { document: input.document, etag: `${input.etag}+` })
      return { path: input.path, etag: `${input.etag}+` }
    }
    state().edit(changeNode(a, { title: 'Mine' }))
    disk(edited(changeNode(b, { title: 'Theirs' })))
    await saveDocument(designer)
    expect(isDirty(state())).toBe(false)
    expect(JSON.stringify(machine.files.get('/w/a.json')?.document)).toMatch(/Mine.*Theirs/)
    state().edit(changeNode(a, { title: 'Mine again' }))
    disk(edited(changeNode(a, { title: 'Other' })))
    await saveDocument(designer)
    expect([designer.view.getState().dialog, isDirty(state())]).toEqual(['conflict', true])
  })
})
