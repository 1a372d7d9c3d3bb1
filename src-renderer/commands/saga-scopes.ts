/** Groups of nodes that are undone together. A node is in at most one of them. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { SagaScope } from '../../src-engine/model/workflow.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** A new group of these nodes; they leave the groups that they were in. */
export function groupNodes(id: string, nodes: readonly NodeId[]): Edit {
  return singleEdit('Group to be undone together', (draft) => {
    leaveScopes(draft, new Set(nodes))
    draft.sagaScopes ??= {}
    draft.sagaScopes[id] = { nodes: [...nodes] }
  })
}

/** Puts nodes into a group that is there. */
export function joinScope(id: string, nodes: readonly NodeId[]): Edit {
  return singleEdit('Put into group', (draft) => {
    const scope = draft.sagaScopes?.[id]
    if (scope === undefined) return
    const others = nodes.filter((node) => !scope.nodes.includes(node))
    leaveScopes(draft, new Set(others))
    scope.nodes.push(...others)
  })
}

/** Takes nodes out of their groups; a group that nothing is left of goes. */
export function leaveScope(nodes: readonly NodeId[]): Edit {
  return singleEdit('Take out of group', (draft) => leaveScopes(draft, new Set(nodes)))
}

/** Another title, order or answer to a failure; the default is left out. Typing is one step. */
export function changeScope(id: string, changes: Pick<SagaScope, 'title' | 'order' | 'onFailure'>): Edit {
  return {
    label: 'Change group',
    gesture: `scope:${id}:${Object.keys(changes).join(',')}`,
    recipe: (draft) => {
      const scope = draft.sagaScopes?.[id]
      if (scope === undefined) return
      const { title, order, onFailure } = { ...scope, ...changes }
      if (title === undefined || title === '') delete scope.title
      else scope.title = title
      if (order === undefined || order === 'reverse') delete scope.order
      else scope.order = order
      if (onFailure === undefined || onFailure === 'ask') delete scope.onFailure
      else scope.onFailure = onFailure
    },
  }
}

/** Removes a group; its nodes stay. */
export function ungroup(ids: readonly string[]): Edit {
  return singleEdit('Ungroup', (draft) => dropScopes(draft, ids))
}

/** The group that a node is in; null for none. */
export function scopeOfNode(
  { sagaScopes }: { readonly sagaScopes?: Readonly<Record<string, SagaScope>> },
  node: NodeId,
): string | null {
  return Object.entries(sagaScopes ?? {}).find(([, scope]) => scope.nodes.includes(node))?.[0] ?? null
}

/** Removes groups from a draft; their nodes stay. */
export function dropScopes(draft: DocumentDraft, ids: readonly string[]): void {
  if (draft.sagaScopes === undefined) return
  for (const id of ids) delete draft.sagaScopes[id]
  if (Object.keys(draft.sagaScopes).length === 0) delete draft.sagaScopes
}

/** Takes nodes of a draft out of their groups; a group of nothing would stand nowhere. */
export function leaveScopes(draft: DocumentDraft, nodes: ReadonlySet<string>): void {
  const empty: string[] = []
  for (const [id, scope] of Object.entries(draft.sagaScopes ?? {})) {
    if (!scope.nodes.some((node) => nodes.has(node))) continue
    scope.nodes = scope.nodes.filter((node) => !nodes.has(node))
    if (scope.nodes.length === 0) empty.push(id)
  }
  dropScopes(draft, empty)
}
