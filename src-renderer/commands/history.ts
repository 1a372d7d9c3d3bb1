/** The op log: what was done and undone, as Immer patches. Pure; the document slice holds it. */

import type { Patch } from 'immer'
import { applyPatches } from 'immer'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Edit, Step } from './edit.ts'
import { applyEdit } from './edit.ts'

/** Older steps are forgotten: nobody takes back five hundred by hand, and the journal stays small. */
const historyStepsMax = 500

export interface History {
  readonly document: WorkflowDocument
  /** Oldest first. */
  readonly past: readonly Step[]
  /** The next to redo first. */
  readonly future: readonly Step[]
  /** Whether the next edit of the same gesture may join the last step. */
  readonly open: boolean
}

/** A document without anything to undo. */
export function startHistory(document: WorkflowDocument): History {
  return { document, past: [], future: [], open: false }
}

/** The history after an edit; the same object when the edit changed nothing. */
export function perform(history: History, edit: Edit): History {
  const { document, step } = applyEdit(history.document, edit)
  if (step === null) return history
  const last = history.past.at(-1)
  const joins = history.open && last !== undefined && step.gesture !== null && last.gesture === step.gesture
  const past = joins ? [...history.past.slice(0, -1), join(last, step)] : [...history.past, step]
  return { document, past: past.slice(-historyStepsMax), future: [], open: true }
}

/** Ends the running gesture: the next edit is a step of its own. */
export function closeGesture(history: History): History {
  return history.open ? { ...history, open: false } : history
}

/** The history with its last step taken back; the same object when there is none. */
export function undo(history: History): History {
  const step = history.past.at(-1)
  if (step === undefined) return history
  return {
    document: patched(history.document, step.inverse),
    past: history.past.slice(0, -1),
    future: [step, ...history.future],
    open: false,
  }
}

/** The history with the step last undone done again; the same object when there is none. */
export function redo(history: History): History {
  const [step, ...future] = history.future
  if (step === undefined) return history
  return {
    document: patched(history.document, step.patches),
    past: [...history.past, step],
    future,
    open: false,
  }
}

function join(first: Step, second: Step): Step {
  // Typing replaces one place again and again: only where it began and where it ended matters.
  if (replacesSame(first.patches, second.patches)) return { ...second, inverse: first.inverse }
  return {
    label: second.label,
    gesture: second.gesture,
    patches: [...first.patches, ...second.patches],
    inverse: [...second.inverse, ...first.inverse],
  }
}

function replacesSame(first: readonly Patch[], second: readonly Patch[]): boolean {
  const [a, b] = [first[0], second[0]]
  if (first.length !== 1 || second.length !== 1 || a === undefined || b === undefined) return false
  return b.op === 'replace' && a.op === 'replace' && a.path.join('\u0000') === b.path.join('\u0000')
}

function patched(document: WorkflowDocument, patches: readonly Patch[]): WorkflowDocument {
  return applyPatches(document, [...patches])
}
