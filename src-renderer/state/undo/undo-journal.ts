/** Undo steps on the engine's disk, beside drafts and files: they outlive a restart, and a save. */

import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { Step } from '../../commands/edit.ts'
import type { History } from '../../commands/history.ts'
import { startHistory } from '../../commands/history.ts'
import type { Designer } from '../designer.ts'
import type { DraftState, SavedStep } from '../document-store.ts'
import { inSlices } from '../in-slices.ts'
import type { DocumentSum } from './document-sum.ts'
import { documentName, sumOf, sumPrefix, sumSteps } from './document-sum.ts'
import type { LogWriter, Stacks } from './undo-log.ts'
import { newWriter, nextLine, stacksIn } from './undo-log.ts'

/** A longer log is written anew, without what was undone and done again meanwhile. */
const logCharsMax = 24_000_000
/** What is kept of the steps then, the newest first. */
const keptCharsMax = 12_000_000
/** Steps of one line of a new log: a damaged line costs these and what is older. */
const stepsOfLine = 100

interface Journal {
  readonly log: LogWriter
  /** Lines on the disk; 0 before this page has written any. */
  held: number
  chars: number
}

/** By designer and draft. */
const journals = new WeakMap<Designer, Map<string, Journal>>()

/** Writes what was done and undone since the last time. Rejects when the engine is away. */
export async function writeUndo(designer: Designer, state: DraftState): Promise<void> {
  const { history, savedStep, draftId } = state
  const known = journals.get(designer) ?? new Map<string, Journal>()
  journals.set(designer, known)
  const journal = known.get(draftId)
  const { past, future } = history
  if (journal === undefined && past.length + future.length === 0) return
  const stacks: Stacks = { past, future, saved: savedStep }
  known.delete(draftId)
  const written = (await added(designer, { draftId, journal, stacks, document: history.document })) ?? null
  if (written !== null) known.set(draftId, written)
}

interface Writing {
  readonly draftId: string
  readonly journal: Journal | undefined
  readonly stacks: Stacks
  readonly document: WorkflowDocument
}

async function added(designer: Designer, writing: Writing): Promise<Journal | null> {
  const { draftId: id, journal, stacks, document } = writing
  if (journal === undefined || journal.chars > logCharsMax) return rewritten(designer, writing)
  const line = nextLine(journal.log, stacks, nameOf(designer, document))
  if (line === null) return journal
  const { held } = await designer.connection.call('undo.append', { id, after: journal.held, lines: [line] })
  // Somebody else has written: another page, or a disk that lost something.
  if (held !== journal.held + 1) return rewritten(designer, writing)
  return { log: journal.log, held, chars: journal.chars + line.length }
}

async function rewritten(designer: Designer, { draftId: id, stacks, document }: Writing): Promise<Journal> {
  const { past } = stacks
  const from = firstKept(past)
  // The first line says how many steps there are below it that nobody knows.
  const log = newWriter(past.slice(0, from))
  const lines: string[] = []
  for (let count = from + stepsOfLine; count < past.length; count += stepsOfLine) {
    const part = { past: past.slice(0, count), future: [], saved: 'never' as const }
    lines.push(nextLine(log, part, '') ?? '')
  }
  lines.push(nextLine(log, stacks, nameOf(designer, document)) ?? '')
  const { held } = await designer.connection.call('undo.append', { id, after: 0, lines })
  return { log, held, chars: lines.reduce((sum, line) => sum + line.length, 0) }
}

/** Of the newest steps that fit, the oldest. */
function firstKept(past: readonly Step[]): number {
  let chars = 0
  let from = past.length
  while (from > 0 && chars < keptCharsMax) {
    from -= 1
    chars += JSON.stringify(past[from]).length
  }
  return from
}

/** What can be undone of a document that was read, and which step of it the file has. */
export async function readUndo(
  { connection, ambient }: Pick<Designer, 'connection' | 'ambient'>,
  id: string,
  document: WorkflowDocument,
): Promise<{ readonly history: History; readonly saved: SavedStep } | null> {
  try {
    const { lines } = await connection.call('undo.read', { id })
    if (lines.length === 0) return null
    const stacks = stacksIn(lines, await namesOf({ ambient }, document, lines))
    return stacks === null ? null : { history: startHistory(document, stacks), saved: stacks.saved }
  } catch {
    // The document is what counts: it opens without its steps.
    return null
  }
}

/** By the page's clock, which each page has one of: what was summed up last. */
const summed = new WeakMap<Designer['ambient'], DocumentSum>()

/** What is written of an edit names the document: a large one is summed up before the first edit. */
export function readySum({ ambient }: Pick<Designer, 'ambient'>, document: WorkflowDocument): () => void {
  return inSlices(ambient, {
    steps: sumSteps(document),
    done: (sum) => {
      // Of an edit meanwhile more is known already.
      if (summed.get(ambient)?.document.id !== document.id) summed.set(ambient, sum)
    },
  })
}

/** Tells documents apart, whatever the order of their keys. */
function nameOf({ ambient }: Pick<Designer, 'ambient'>, document: WorkflowDocument): string {
  const last = summed.get(ambient)
  // To take all of another workflow out would be as much as to put all of this one in.
  const sum = sumOf(document, last?.document.id === document.id ? last : null)
  summed.set(ambient, sum)
  return documentName(sum)
}

/** The names that lines may have for a document: those of earlier versions have the digest of its text. */
async function namesOf(
  { ambient }: Pick<Designer, 'ambient'>,
  document: WorkflowDocument,
  lines: readonly (string | null)[],
): Promise<readonly string[]> {
  const name = nameOf({ ambient }, document)
  const isOld = lines.some((line) => line !== null && !line.startsWith(`{"digest":"${sumPrefix}`))
  return isOld ? [name, await ambient.digest(canonicalDocument(document))] : [name]
}
