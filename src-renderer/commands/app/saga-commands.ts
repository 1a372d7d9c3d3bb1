/** Groups of nodes that are undone together, and what undoes a node, by keyboard. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import { undoingNodes } from '../../rules/compensation.ts'
import type { Designer } from '../../state/designer.ts'
import { canEdit } from '../../state/selectors.ts'
import { fill } from '../../text/messages.ts'
import { scopes as words } from '../../text/saga-words.ts'
import { freeScopeId } from '../new-ids.ts'
import { groupNodes, joinScope, leaveScope, scopeOfNode, ungroup } from '../saga-scopes.ts'
import { commandsOf } from './app-command.ts'

export const sagaCommands = commandsOf('Edit', [
  {
    id: 'edit.group',
    title: 'Undo the selected nodes together',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && groupable(designer).length > 1,
    run: group,
  },
  {
    id: 'edit.ungroup',
    title: 'Ungroup, or take out of the group',
    scope: 'canvas',
    isEnabled: (designer) =>
      canEdit(designer) && (selectedScopes(designer).length > 0 || grouped(designer).length > 0),
    run: (designer) => {
      const ids = selectedScopes(designer)
      const edit = ids.length > 0 ? ungroup(ids) : leaveScope(grouped(designer))
      designer.document.getState().edit(edit)
      designer.view.getState().select({ nodes: designer.view.getState().selection.nodes })
    },
  },
  {
    id: 'edit.undoOf',
    title: 'Say how the node is undone',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && designer.view.getState().selection.nodes.length === 1,
    run: (designer) => {
      designer.view.getState().setPanels({ isInspectorOpen: true, inspectorTab: 'undo' })
      designer.ambient.onFrame(() =>
        globalThis.document.querySelector<HTMLElement>('[data-testid="undo-way"]')?.focus(),
      )
    },
  },
])

const documentOf = (designer: Designer) => designer.document.getState().history.document
const selectedScopes = (designer: Designer): readonly string[] => designer.view.getState().selection.scopes

/** The selected nodes that run on the way forward: what undoes others is in no group. */
function groupable(designer: Designer): readonly NodeId[] {
  const document = documentOf(designer)
  const undoing = undoingNodes(document)
  return designer.view
    .getState()
    .selection.nodes.filter((id) => document.nodes[id] !== undefined && !undoing.has(id))
}

/** The selected nodes that are in a group. */
function grouped(designer: Designer): readonly NodeId[] {
  const document = documentOf(designer)
  return designer.view.getState().selection.nodes.filter((id) => scopeOfNode(document, id) !== null)
}

/** Nodes of one group and others: those others join it. Else a new group. */
function group(designer: Designer): void {
  const document = documentOf(designer)
  const nodes = groupable(designer)
  const known = new Set(nodes.map((id) => scopeOfNode(document, id)))
  known.delete(null)
  const [only, another] = [...known]
  const isJoining = only !== undefined && only !== null && another === undefined
  const hasOthers = nodes.some((id) => scopeOfNode(document, id) === null)
  const { edit } = designer.document.getState()
  if (isJoining && hasOthers) {
    edit(joinScope(only, nodes))
    designer.view.getState().select({ scopes: [only] })
  } else {
    const id = freeScopeId(new Set(Object.keys(document.sagaScopes ?? {})))
    edit(groupNodes(id, nodes))
    designer.view.getState().select({ scopes: [id] })
  }
  designer.view.getState().setPanels({ isInspectorOpen: true })
  designer.view.getState().announce(fill(words.grouped, { count: nodes.length }))
}
