/**
 * An edit: the only way the document changes. A recipe works on an Immer draft; what it changed is kept as
 * patches in both directions, so undo needs no second implementation of anything.
 */

import type { Draft, Patch } from 'immer'
import { enablePatches, produceWithPatches } from 'immer'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { withPatches } from './apply-patches.ts'

enablePatches()

export type DocumentDraft = Draft<WorkflowDocument>

/** One named change of the document. */
export interface Edit {
  /** What the undo menu calls it: `Add HTTP request`. */
  readonly label: string
  /** Edits of the same gesture that follow each other are one undo step; null is a step of its own. */
  readonly gesture: string | null
  readonly recipe: (draft: DocumentDraft) => void
  /**
   * What the recipe does, where an edit that people wait for can say it beforehand: of one thing among thousands Immer
   * copies all, and looks through them.
   */
  readonly changes?: (document: WorkflowDocument) => Changes
}

/** What an edit changes, in both directions. */
export type Changes = Pick<Step, 'patches' | 'inverse'>

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
  const { label, gesture } = edit
  if (edit.changes !== undefined) {
    const { patches, inverse } = edit.changes(document)
    if (patches.length === 0) return { document, step: null }
    return { document: withPatches(document, patches), step: { label, gesture, patches, inverse } }
  }
  const [next, patches, inverse] = produceWithPatches(document, (draft) => {
    edit.recipe(draft)
  })
  if (patches.length === 0) return { document, step: null }
  return { document: next, step: { label, gesture, patches, inverse } }
}

/** An edit that is an undo step of its own. */
export function singleEdit(label: string, recipe: Edit['recipe']): Edit {
  return { label, gesture: null, recipe }
}
