/** Undo, clipboard, delete, selection. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import { edgeId, nodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { beginCurl } from '../../curl/paste-curl.ts'
import type { Designer } from '../../state/designer.ts'
import { importText } from '../../state/files.ts'
import { canEdit, shownDocument } from '../../state/selectors.ts'
import { problemWords } from '../../text/problem-words.ts'
import { toggleBypassed, toggleDisabled } from '../change-node.ts'
import { clipToText, cornerOf, isMeantAsWorkflow, makeClip, paste, textToClip } from '../clip.ts'
import { removeAndHeal, removeElements, removeFromChain } from '../remove.ts'
import { commandsOf } from './app-command.ts'

const hasNodes = (designer: Designer): boolean => designer.view.getState().selection.nodes.length > 0
const hasSelection = (designer: Designer): boolean => {
  const { nodes, edges, notes, scopes, frames, triggers } = designer.view.getState().selection
  const count = nodes.length + edges.length + notes.length + scopes.length
  return count + frames.length + triggers.length > 0
}

/** How far a paste lands from what it was copied from. */
const pasteOffset = 32

export const editCommands = commandsOf('Edit', [
  {
    id: 'edit.undo',
    title: 'Undo',
    isEnabled: (designer) => canEdit(designer) && designer.document.getState().history.past.length > 0,
    run: (designer) => {
      const label = designer.document.getState().history.past.at(-1)?.label ?? ''
      designer.document.getState().undo()
      dropStaleSelection(designer)
      designer.view.getState().announce(`Undone: ${label}.`)
    },
  },
  {
    id: 'edit.redo',
    title: 'Redo',
    isEnabled: (designer) => canEdit(designer) && designer.document.getState().history.future.length > 0,
    run: (designer) => {
      designer.document.getState().redo()
      dropStaleSelection(designer)
    },
  },
  {
    id: 'edit.cut',
    title: 'Cut',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && hasNodes(designer),
    run: (designer) => void cut(designer),
  },
  {
    id: 'edit.copy',
    title: 'Copy',
    scope: 'canvas',
    isEnabled: hasNodes,
    run: (designer) => void copy(designer),
  },
  {
    id: 'edit.paste',
    title: 'Paste',
    scope: 'canvas',
    isEnabled: canEdit,
    run: (designer) => void pasteFromClipboard(designer),
  },
  {
    id: 'edit.duplicate',
    title: 'Duplicate',
    isEnabled: (designer) => canEdit(designer) && hasNodes(designer),
    run: (designer) => {
      const clip = makeClip(shownDocument(designer), designer.view.getState().selection.nodes)
      if (clip !== null) pasteText(designer, clipToText(clip))
    },
  },
  {
    id: 'edit.delete',
    title: 'Delete',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && hasSelection(designer),
    run: (designer) => {
      designer.document.getState().edit(removeFromChain(designer.view.getState().selection))
      designer.view.getState().select({})
    },
  },
  {
    id: 'edit.deleteAndHeal',
    title: 'Delete and heal',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && hasSelection(designer),
    run: (designer) => {
      designer.document.getState().edit(removeAndHeal(designer.view.getState().selection))
      designer.view.getState().select({})
    },
  },
  {
    id: 'edit.selectAll',
    title: 'Select all',
    scope: 'canvas',
    run: (designer) => {
      const { nodes, edges, notes } = shownDocument(designer)
      designer.view.getState().select({
        nodes: Object.keys(nodes).map(nodeId),
        edges: Object.keys(edges).map(edgeId),
        notes: Object.keys(notes ?? {}),
      })
    },
  },
  {
    id: 'edit.toggleDisabled',
    title: 'Switch node on or off',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && hasNodes(designer),
    run: (designer) =>
      designer.document.getState().edit(toggleDisabled(designer.view.getState().selection.nodes)),
  },
  {
    id: 'edit.toggleBypassed',
    title: 'Bypass node or not',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && hasNodes(designer),
    run: (designer) =>
      designer.document.getState().edit(toggleBypassed(designer.view.getState().selection.nodes)),
  },
  {
    id: 'edit.rename',
    title: 'Rename, or label the edge',
    scope: 'canvas',
    isEnabled: (designer) =>
      canEdit(designer) && (hasNodes(designer) || designer.view.getState().selection.edges.length === 1),
    run: rename,
  },
])

/** A card is renamed in place, in the list when that has the keyboard; an edge in the inspector. */
function rename(designer: Designer): void {
  const { selection, setRenaming, setRenamingRow, setPanels } = designer.view.getState()
  const [node] = selection.nodes
  if (node !== undefined) {
    const isInList = globalThis.document.activeElement?.closest('[data-row]') instanceof Element
    if (isInList) setRenamingRow(node)
    else setRenaming(node)
    return
  }
  setPanels({ isInspectorOpen: true })
  designer.ambient.onFrame(() =>
    globalThis.document.querySelector<HTMLElement>('[data-testid="edge-label"]')?.focus(),
  )
}

/** The text of the selected nodes for the clipboard; null when none is selected. */
export function clipboardText(designer: Designer): string | null {
  const clip = makeClip(shownDocument(designer), designer.view.getState().selection.nodes)
  return clip === null ? null : clipToText(clip)
}

/**
 * Pastes a text if it is a clip, or a curl command: a request. A whole workflow is opened, as its file would be. False
 * when it is something else.
 */
export function pasteText(designer: Designer, text: string): boolean {
  const clip = textToClip(text)
  if (clip === null && isMeantAsWorkflow(text)) {
    void importText(designer, text)
    return true
  }
  if (clip === null) return beginCurl(designer, text, null)
  if (!canEdit(designer)) return false
  const { history, edit } = designer.document.getState()
  const corner = cornerOf(clip)
  const isOverItself = Object.keys(clip.nodes).some((id) => id in history.document.nodes)
  const middle = designer.canvas.current?.middle() ?? corner
  const at = isOverItself ? besides(history.document, corner) : middle
  const plan = paste(history.document, clip, at)
  // Not copied here: what reaches further by it is asked about.
  if (text !== designer.clipboard.text) designer.trust.getState().doubt()
  edit(plan.edit)
  designer.view.getState().select({ nodes: plan.ids })
  return true
}

/** The first place along the diagonal that no node has as its corner. */
function besides(document: WorkflowDocument, corner: { readonly x: number; readonly y: number }) {
  const taken = new Set(Object.values(document.layout?.nodes ?? {}).map(({ x, y }) => `${x},${y}`))
  let at = { x: corner.x + pasteOffset, y: corner.y + pasteOffset }
  while (taken.has(`${at.x},${at.y}`)) at = { x: at.x + pasteOffset, y: at.y + pasteOffset }
  return at
}

async function copy(designer: Designer): Promise<void> {
  const text = clipboardText(designer)
  if (text === null) return
  designer.clipboard.text = text
  // A page without the permission still pastes within itself.
  await navigator.clipboard?.writeText(text).catch(() => undefined)
}

async function cut(designer: Designer): Promise<void> {
  const { nodes } = designer.view.getState().selection
  await copy(designer)
  designer.document.getState().edit(removeElements({ nodes, edges: [], notes: [] }))
  designer.view.getState().select({})
}

async function pasteFromClipboard(designer: Designer): Promise<void> {
  const outside = (await navigator.clipboard?.readText().catch(() => '')) ?? ''
  if (pasteText(designer, outside) || pasteText(designer, designer.clipboard.text)) return
  tellNotPasted(designer)
}

/** Says that nothing came of it: who pressed the keys would look for it on the canvas. */
export function tellNotPasted(designer: Designer): void {
  const { notPasted: message, notPastedHint: hint } = problemWords
  designer.view.getState().toast({ tone: 'neutral', message, hint })
}

/** After undo, what is no longer there can't stay selected. */
function dropStaleSelection(designer: Designer): void {
  const { selection, select } = designer.view.getState()
  const { nodes, edges, notes, sagaScopes, frames, triggers } = designer.document.getState().history.document
  const alive = (ids: readonly NodeId[]) => ids.filter((id) => nodes[id] !== undefined)
  select({
    nodes: alive(selection.nodes),
    edges: selection.edges.filter((id) => edges[id] !== undefined),
    scopes: selection.scopes.filter((id) => sagaScopes?.[id] !== undefined),
    notes: selection.notes.filter((id) => notes?.[id] !== undefined),
    frames: selection.frames.filter((id) => frames?.[id] !== undefined),
    triggers: selection.triggers.filter((id) => triggers?.[id] !== undefined),
  })
}
