import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { blankDocument } from '../../src-renderer/state/blank-document.ts'
import { createDocumentStore, isDirty, lastStep } from '../../src-renderer/state/document-store.ts'
import { draftOf, restoredDraft } from '../../src-renderer/state/journal.ts'
import { chain } from './factories.ts'

function opened() {
  const store = createDocumentStore(blankDocument('blank'))
  store
    .getState()
    .open({ document: chain('a', 'b'), path: '/w/a.json', etag: 'e1' }, { draftId: 'd1', isSaved: true })
  return store
}

const rename = (title: string) => changeNode(nodeId('a'), { title })

/** Through the engine's disk and back, as text. */
const reloaded = (store: ReturnType<typeof opened>) => {
  const entry = JSON.parse(JSON.stringify({ ...draftOf(store.getState()), savedAt: 1 }))
  const next = createDocumentStore(blankDocument('blank'))
  next.getState().restore(restoredDraft(entry))
  return next
}

describe('journal', () => {
  test('undo and redo survive a reload', () => {
    const store = opened()
    const { document } = store.getState().history
    store.getState().edit(rename('one'))
    store.getState().endGesture()
    store.getState().edit(rename('two'))
    store.getState().undo()
    const next = reloaded(store)
    expect(next.getState().history.document).toEqual(store.getState().history.document)
    next.getState().redo()
    expect(next.getState().history.document.nodes[nodeId('a')]?.title).toBe('two')
    next.getState().undo()
    next.getState().undo()
    expect(next.getState().history.document).toEqual(document)
    expect(isDirty(next.getState())).toBe(false)
  })

  test('undoing back to what was saved makes it clean, also after a reload', () => {
    const store = opened()
    store.getState().edit(rename('one'))
    store.getState().saved({ path: '/w/a.json', etag: 'e2' }, lastStep(store.getState()))
    expect(isDirty(store.getState())).toBe(false)
    store.getState().edit(rename('two'))
    expect(isDirty(store.getState())).toBe(true)
    const next = reloaded(store)
    expect(isDirty(next.getState())).toBe(true)
    next.getState().undo()
    expect(isDirty(next.getState())).toBe(false)
  })

  test('a bare document is a draft without undo steps', () => {
    const restored = restoredDraft({
      id: 'd',
      title: 't',
      path: null,
      etag: null,
      savedAt: 1,
      document: JSON.parse(JSON.stringify(chain('a'))),
    })
    expect(restored.history.past).toEqual([])
    expect(restored.savedStep).toBe('never')
  })
})
