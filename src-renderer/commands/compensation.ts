/** Change what undoes a node. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Compensation } from '../../src-engine/model/workflow.ts'
import { putNode } from './draft-parts.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** Says what undoes a node; null takes it back. `field` joins typing into one step. */
export function setUndo(id: NodeId, undo: Compensation | null, field = ''): Edit {
  return {
    label: undo === null ? 'Remove undo' : 'Change undo',
    gesture: field === '' ? null : `undo:${id}:${field}`,
    recipe: (draft) => {
      const node = draft.nodes[id]
      if (node === undefined) return
      if (undo === null) delete node.compensation
      else if (JSON.stringify(node.compensation) !== JSON.stringify(undo))
        putNode(draft, id, { ...node, compensation: undo })
    },
  }
}

/** Has another node undo this one; all else that was said about undoing it stays. */
export function undoBy(of: NodeId, by: NodeId): Edit {
  return singleEdit('Connect undo', (draft) => linkUndo(draft, of, by))
}

/** The same on a draft. */
export function linkUndo(draft: DocumentDraft, of: NodeId, by: NodeId): void {
  const node = draft.nodes[of]
  if (node === undefined) return
  const { task: _task, impossible: _impossible, ...kept } = node.compensation ?? {}
  node.compensation = { ...kept, node: by }
}
