/** The op log: what was done and undone, as Immer patches. Pure; the document slice holds it. */

import type { Patch } from 'immer'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { tellChanges } from '../rules/changes.ts'
import { withPatches } from './apply-patches.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { Edit, Step } from './edit.ts'
import { applyEdit } from './edit.ts'

/** More than anybody does in weeks with one document. */
const historyStepsMax = 20_000
/** Patches of all steps: one step of a large workflow may have thousands, and all stay in memory. */
const historyPatchesMax = 400_000
/** Older steps are forgotten by the hundred: what is written of the others stays true in between. */
const forgottenAtOnce = 500

export interface History {
  readonly document: WorkflowDocument
  /** Oldest first. */
  readonly past: readonly Step[]
  /** The next to redo first. */
  readonly future: readonly Step[]
  /** Whether the next edit of the same gesture may join the last step. */
  readonly open: boolean
  /** Patches of all steps together. */
  readonly weight: number
}

/** A document with what can be undone and redone; nothing unless it is given. */
export function startHistory(
  document: WorkflowDocument,
  { past = [], future = [] }: Partial<Pick<History, 'past' | 'future'>> = {},
): History {
  // The first edit would freeze all of it, while somebody waits for it.
  deepFreeze(document)
  return { document, past, future, open: false, weight: weightOf(past) + weightOf(future) }
}

const weightOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { patches, inverse }) => sum + patches.length + inverse.length, 0)

/** The history after an edit; the same object when the edit changed nothing. */
export function perform(history: History, edit: Edit): History {
  const { document, step } = applyEdit(history.document, edit)
  if (step === null) return history
  tellAll(history.document, document, step.patches)
  const last = history.past.at(-1)
  const joins = history.open && last !== undefined && step.gesture !== null && last.gesture === step.gesture
  const [below, top] = joins ? [history.past.slice(0, -1), join(last, step)] : [history.past, step]
  const gone = [...history.future, ...(joins ? [last] : [])]
  const weight = history.weight - weightOf(gone) + weightOf([top])
  return forgetting({ document, past: [...below, top], future: [], open: true, weight })
}

/** Without the oldest steps, when there are too many. */
function forgetting(history: History): History {
  const { past } = history
  const isLong = past.length > historyStepsMax + forgottenAtOnce
  // The newest step stays, however much it does.
  const isHeavy = history.weight > historyPatchesMax && past.length > 1
  if (!isLong && !isHeavy) return history
  const weightMax = isHeavy ? historyPatchesMax * 0.9 : Number.POSITIVE_INFINITY
  let from = isLong ? past.length - historyStepsMax : 0
  let weight = history.weight - weightOf(past.slice(0, from))
  for (; from < past.length - 1 && weight > weightMax; from += 1) {
    weight -= weightOf(past.slice(from, from + 1))
  }
  return { ...history, past: past.slice(from), weight }
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
    ...history,
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
    ...history,
    document: patched(history.document, step.patches),
    past: [...history.past, step],
    future,
    open: false,
  }
}

/** The document as it was at one of its steps; null when that step is unknown, or forgotten. */
export function documentAt(history: History, step: Step | null): WorkflowDocument | null {
  const at = step === null ? 0 : history.past.indexOf(step) + 1
  if (step === null || at > 0) {
    let then = history
    while (then.past.length > at) then = undo(then)
    return then.document
  }
  const ahead = history.future.indexOf(step) + 1
  if (ahead === 0) return null
  let then = history
  while (history.future.length - then.future.length < ahead) then = redo(then)
  return then.document
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
  const now = withPatches(document, patches)
  tellAll(document, now, patches)
  return now
}

/** The records that have thousands of elements. */
function tellAll(before: WorkflowDocument, now: WorkflowDocument, patches: readonly Patch[]): void {
  tellChanges({ before: before.nodes, now: now.nodes }, patches, ['nodes'])
  tellChanges({ before: before.edges, now: now.edges }, patches, ['edges'])
  const places = { before: before.layout?.nodes, now: now.layout?.nodes }
  tellChanges(places, patches, ['layout', 'nodes'])
}
