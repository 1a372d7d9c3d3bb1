/** Several documents in one window, and the same after a restart. */

import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { changeWorkflow } from '../../src-renderer/commands/change-workflow.ts'
import { runCommand } from '../../src-renderer/commands/registry.ts'
import { placeAt } from '../../src-renderer/panels/tabs/tab-places.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { isDirty } from '../../src-renderer/state/document-store.ts'
import { importFile, newDocument, openPath, saveDocument } from '../../src-renderer/state/files.ts'
import { startTabs } from '../../src-renderer/state/tabs/tab-session.ts'
import { closeTab, showTab } from '../../src-renderer/state/tabs/tabs.ts'
import { chain } from './factories.ts'
import type { FakeDesigner, Machine } from './fake-designer.ts'
import { newMachine, openPage, putFile, settled } from './fake-designer.ts'

const titled = (title: string) => ({ ...chain('a', 'b'), title })
const rename = (title: string) => changeNode(nodeId('a'), { title })
const titleOfA = ({ document }: Designer) => document.getState().history.document.nodes[nodeId('a')]?.title
const titles = ({ tabs }: Designer) => tabs.getState().tabs.map(({ title }) => title)
const front = ({ document }: Designer) => document.getState().history.document.title
const idOf = (designer: Designer, title: string) =>
  designer.tabs.getState().tabs.find((tab) => tab.title === title)?.id ?? ''

/** A window with two files open, the second in front. */
async function twoOpen(): Promise<FakeDesigner & { readonly machine: Machine }> {
  const machine = newMachine()
  putFile(machine, '/w/one.json', titled('One'))
  putFile(machine, '/w/two.json', titled('Two'))
  const page = openPage(machine)
  await startTabs(page.designer)
  await openPath(page.designer, '/w/one.json')
  await openPath(page.designer, '/w/two.json')
  return { ...page, machine }
}

describe('tabs', () => {
  test('each document keeps its undo steps, its selection and where a person looked', async () => {
    const { designer } = await twoOpen()
    const { view, document } = designer
    document.getState().edit(rename('second'))
    view.getState().select({ nodes: [nodeId('b')] })
    view.getState().setSight({ x: 1, y: 2, zoom: 0.5 })
    await showTab(designer, idOf(designer, 'One'))
    expect([front(designer), titleOfA(designer)]).toEqual(['One', undefined])
    expect(view.getState()).toMatchObject({ selection: { nodes: [] }, sight: null })
    document.getState().undo()
    await showTab(designer, idOf(designer, 'Two'))
    expect(titleOfA(designer)).toBe('second')
    expect(view.getState()).toMatchObject({ selection: { nodes: ['b'] }, sight: { x: 1, y: 2, zoom: 0.5 } })
    document.getState().undo()
    expect(titleOfA(designer)).toBeUndefined()
  })

  test('a file is opened once: the second time its tab comes to the front', async () => {
    const { designer } = await twoOpen()
    await openPath(designer, '/w/one.json')
    expect([titles(designer), front(designer)]).toEqual([['One', 'Two'], 'One'])
  })

  test('a document that is asked for comes in front of the engine’s pages, and so does the start page', async () => {
    const { designer } = await twoOpen()
    const { view } = designer
    const page = () => view.getState().enginePage
    const bytes = new TextEncoder().encode(JSON.stringify(titled('From elsewhere')))
    const ways = [
      () => void runCommand(designer, 'file.new'),
      () => importFile(designer, { name: 'x.json', bytes }),
      () => openPath(designer, '/w/one.json'),
      () => void runCommand(designer, 'file.home'),
    ]
    for (const open of ways) {
      view.getState().setEnginePage('settings')
      await open()
      expect(page()).toBeNull()
    }
    // The start page is behind the page already.
    view.getState().setEnginePage('settings')
    expect(runCommand(designer, 'file.home')).toBe(true)
    expect(page()).toBeNull()
    expect(runCommand(designer, 'file.home')).toBe(false)
  })

  test('a page of the engine that is opened while a file is read stays', async () => {
    const { designer } = await twoOpen()
    await closeTab(designer, idOf(designer, 'One'))
    const opening = openPath(designer, '/w/one.json')
    designer.view.getState().setEnginePage('pools')
    await opening
    expect([front(designer), designer.view.getState().enginePage]).toEqual(['One', 'pools'])
  })

  test('the file of the open workflow is shown in its folder, where there is a system to show it', async () => {
    const { designer } = await twoOpen()
    expect(runCommand(designer, 'file.reveal')).toBe(false)
    const shown: string[] = []
    const revealInFolder = (path: string) => {
      shown.push(path)
      return Promise.resolve({ ok: true, value: null })
    }
    const inApp = { ...designer, desktop: { revealInFolder } } as unknown as Designer
    expect(runCommand(inApp, 'file.reveal')).toBe(true)
    expect(shown).toEqual(['/w/two.json'])
    newDocument(designer)
    expect(runCommand(inApp, 'file.reveal')).toBe(false)
  })

  test('new workflows are told from each other by their titles', async () => {
    const { designer } = await twoOpen()
    for (const _ of [1, 2, 3]) {
      newDocument(designer)
      designer.document.getState().edit(changeWorkflow({ description: 'Begun' }))
    }
    expect(titles(designer).slice(2)).toEqual([
      'Untitled workflow',
      'Untitled workflow 2',
      'Untitled workflow 3',
    ])
  })

  test('an untouched new workflow makes room for what is opened; one with edits stays', async () => {
    const { designer } = await twoOpen()
    newDocument(designer)
    expect(titles(designer)).toEqual(['One', 'Two', 'Untitled workflow'])
    newDocument(designer)
    expect(titles(designer)).toHaveLength(3)
    designer.document.getState().edit(changeWorkflow({ title: 'Mine' }))
    newDocument(designer)
    await openPath(designer, '/w/one.json')
    expect([titles(designer), front(designer)]).toEqual([['One', 'Two', 'Mine', 'Untitled workflow'], 'One'])
  })

  test('a save that ends after another tab came to the front is noted where it belongs', async () => {
    const { designer } = await twoOpen()
    designer.document.getState().edit(rename('second'))
    const saving = saveDocument(designer)
    await showTab(designer, idOf(designer, 'One'))
    await saving
    expect(isDirty(designer.document.getState())).toBe(false)
    expect(designer.document.getState().path).toBe('/w/one.json')
    expect(designer.tabs.getState().tabs.map(({ isDirty: dirty }) => dirty)).toEqual([false, false])
    await showTab(designer, idOf(designer, 'Two'))
    expect(isDirty(designer.document.getState())).toBe(false)
  })

  test('what is written in a field is handed over before another tab comes to the front', async () => {
    const { designer } = await twoOpen()
    designer.settle.add(() => designer.document.getState().edit(rename('typed')))
    await showTab(designer, idOf(designer, 'One'))
    designer.settle.clear()
    expect(titleOfA(designer)).toBeUndefined()
    await showTab(designer, idOf(designer, 'Two'))
    expect(titleOfA(designer)).toBe('typed')
  })

  test('a closed tab with edits is a draft, and comes back with them', async () => {
    const { designer, machine } = await twoOpen()
    designer.document.getState().edit(rename('kept'))
    await closeTab(designer, idOf(designer, 'Two'))
    expect([titles(designer), front(designer)]).toEqual([['One'], 'One'])
    expect(machine.drafts.size).toBe(1)
    expect(runCommand(designer, 'tab.reopen')).toBe(true)
    await settled()
    expect([titles(designer), titleOfA(designer)]).toEqual([['One', 'Two'], 'kept'])
    designer.document.getState().undo()
    expect(titleOfA(designer)).toBeUndefined()
  })

  test('without the engine a tab with edits stays open: they could not be kept', async () => {
    const { designer, machine } = await twoOpen()
    designer.document.getState().edit(rename('kept'))
    machine.isUp = false
    await closeTab(designer, idOf(designer, 'Two'))
    expect(titles(designer)).toEqual(['One', 'Two'])
    expect(designer.view.getState().toasts).toHaveLength(1)
  })

  test('with the last tab closed the start page is there, and the keys of tabs go around', async () => {
    const { designer } = await twoOpen()
    runCommand(designer, 'tab.next')
    expect(front(designer)).toBe('One')
    runCommand(designer, 'tab.previous')
    expect(front(designer)).toBe('Two')
    runCommand(designer, 'tab.moveLeft')
    expect(titles(designer)).toEqual(['Two', 'One'])
    runCommand(designer, 'file.home')
    expect(designer.document.getState().isOpen).toBe(false)
    runCommand(designer, 'tab.previous')
    expect(front(designer)).toBe('One')
    await closeTab(designer, idOf(designer, 'One'))
    await closeTab(designer, idOf(designer, 'Two'))
    expect(designer.document.getState().isOpen).toBe(false)
    expect(runCommand(designer, 'tab.next')).toBe(false)
  })
})

describe('after a restart', () => {
  test('tabs, their order, edits, selection and view are as they were', async () => {
    const { designer, machine, pass } = await twoOpen()
    designer.document.getState().edit(rename('unsaved'))
    designer.view.getState().select({ nodes: [nodeId('b')] })
    designer.view.getState().setSight({ x: 4, y: 5, zoom: 2 })
    runCommand(designer, 'tab.moveLeft')
    await showTab(designer, idOf(designer, 'One'))
    designer.view.getState().select({ nodes: [nodeId('a')] })
    await pass()
    // No moment between two tabs is one in which a view is written down as another's.
    await showTab(designer, idOf(designer, 'Two'))
    await showTab(designer, idOf(designer, 'One'))

    const { designer: next } = openPage(machine)
    await startTabs(next)
    expect([titles(next), front(next)]).toEqual([['Two', 'One'], 'One'])
    expect(next.view.getState().selection.nodes).toEqual(['a'])
    expect(next.tabs.getState().tabs.map((tab) => tab.isDirty)).toEqual([true, false])
    await showTab(next, idOf(next, 'Two'))
    expect(titleOfA(next)).toBe('unsaved')
    expect(next.view.getState()).toMatchObject({
      selection: { nodes: ['b'] },
      sight: { x: 4, y: 5, zoom: 2 },
    })
    next.document.getState().undo()
    expect(isDirty(next.document.getState())).toBe(false)
  })

  test('a page of the engine that is opened before they are back stays open', async () => {
    const { machine } = await twoOpen()
    const { designer } = openPage(machine)
    const started = startTabs(designer)
    designer.view.getState().setEnginePage('runners')
    await started
    expect([front(designer), designer.view.getState().enginePage]).toEqual(['Two', 'runners'])
    await showTab(designer, idOf(designer, 'One'))
    expect(designer.view.getState().enginePage).toBeNull()
  })

  test('a file that is gone is told when its tab is looked at, and the tab stays', async () => {
    const { machine } = await twoOpen()
    machine.files.delete('/w/two.json')
    const { designer } = openPage(machine)
    await startTabs(designer)
    expect(titles(designer)).toEqual(['One', 'Two'])
    expect(designer.document.getState().isOpen).toBe(false)
    expect(designer.view.getState().toasts[0]?.message).toContain('/w/two.json is gone')
    await showTab(designer, idOf(designer, 'One'))
    expect(front(designer)).toBe('One')
  })

  test('tabs are not forgotten when the engine is away at the start', async () => {
    const { machine } = await twoOpen()
    machine.isUp = false
    await startTabs(openPage(machine).designer)
    machine.isUp = true
    const { designer } = openPage(machine)
    await startTabs(designer)
    expect(titles(designer)).toEqual(['One', 'Two'])
  })

  test('a text that is no session starts a window without tabs', async () => {
    const machine = newMachine()
    machine.memory.set('sagasmith.open', '{"tabs":[{}]}')
    const { designer } = openPage(machine)
    await startTabs(designer)
    expect(designer.tabs.getState()).toMatchObject({ tabs: [], active: null, closed: [] })
  })
})

test('a dragged tab changes places past the middle of its neighbour', () => {
  const boxes = [0, 100, 200].map((left) => ({ left, width: 100 }))
  expect([140, 160].map((x) => placeAt(boxes, 0, x))).toEqual([0, 1])
  expect([60, 40].map((x) => placeAt(boxes, 1, x))).toEqual([1, 0])
  expect(placeAt(boxes, 2, 900)).toBe(2)
})
