/**
 * An edit: the only way the document changes. A recipe works on an Immer draft; what it changed is kept as
 * patches in both directions, so undo needs no second implementation of anything.
 */

import type { Draft, Patch } from 'immer'
import { enablePatches, produceWithPatches } from 'immer'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

enablePatches()

export type DocumentDraft = Draft<WorkflowDocument>

/** One named change of the document. */
export interface Edit {
  /** What the undo menu calls it: `Add HTTP request`. */
  readonly label: string
  /** Edits of the same gesture that follow each other are one undo step; null is a step of its own. */
  readonly gesture: string | null
  readonly recipe: (draft: DocumentDraft) => void
}

/** What an edit did, in both directions; plain data that survives in the journal. */
export interface Step {
  readonly label: string
  readonly gesture: string | null
  readonly patches: readonly Patch[]
  readonly inverse: readonly Patch[]
}

export interface Applied {
  readonly document: WorkflowDocument
  /** Null when nothing changed. */
  readonly step: Step | null
}

/** The document after an edit, and the step that takes it back. */
export function applyEdit(document: WorkflowDocument, edit: Edit): Applied {
  const [next, patches, inverse] = produceWithPatches(document, (draft) => {
    edit.recipe(draft)
  })
  if (patches.length === 0) return { document, step: null }
  return { document: next, step: { label: edit.label, gesture: edit.gesture, patches, inverse } }
}

/** An edit that is an undo step of its own. */
export function singleEdit(label: string, recipe: Edit['recipe']): Edit {
  return { label, gesture: null, recipe }
}
