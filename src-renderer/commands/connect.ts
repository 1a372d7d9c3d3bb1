/** Connect two ports, or lead an edge somewhere else. */

import type { EdgeId } from '../../src-engine/model/ids.ts'
import type { WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { undoPort } from '../rules/compensation.ts'
import { undoBy } from './compensation.ts'
import { deepFreeze } from './deep-freeze.ts'
import { newEdge, putEdge } from './draft-parts.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/**
 * A new edge, or what undoes a node when it was drawn from there; nothing when it is there already. The rules
 * were asked before.
 */
export function connect(edge: Pick<WorkflowEdge, 'from' | 'to'>): Edit {
  if (edge.from.port === undoPort) return undoBy(edge.from.node, edge.to.node)
  return {
    ...singleEdit('Connect', (draft) => putEdge(draft, edge)),
    changes: ({ edges }) => {
      const made = newEdge(edges, edge)
      if (made === null) return { patches: [], inverse: [] }
      const path = ['edges', made.id]
      deepFreeze(made.edge)
      return { patches: [{ op: 'add', path, value: made.edge }], inverse: [{ op: 'remove', path }] }
    },
  }
}

/** An edge with other ends, keeping its label. */
export function reconnect(id: EdgeId, ends: Pick<WorkflowEdge, 'from' | 'to'>): Edit {
  return singleEdit('Reconnect', (draft) => {
    const edge = draft.edges[id]
    if (edge === undefined) return
    delete draft.edges[id]
    putEdge(draft, { ...edge, ...ends })
  })
}

/** What stands on an edge; an empty text takes it away. Typing is one step. */
export function labelEdge(id: EdgeId, label: string): Edit {
  return {
    label: 'Label edge',
    gesture: `edge:${id}:label`,
    recipe: (draft) => {
      const edge = draft.edges[id]
      if (edge === undefined) return
      if (label === '') delete edge.label
      else edge.label = label
    },
  }
}
