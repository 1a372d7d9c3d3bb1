/**
 * The draft journal: every edit reaches the engine's disk within a moment, and what can be undone beside it, so
 * that a crash or a reload takes nothing. A draft goes away when its document is saved; its undo steps stay.
 */

import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { changesBetween } from '../../src-engine/model/json-changes.ts'
import type { DraftEntry } from '../../src-engine/protocol/documents.ts'
import { draftChangesMax } from '../../src-engine/protocol/documents.ts'
import { startHistory } from '../commands/history.ts'
import { countOf } from '../rules/found-once.ts'
import { drafts as words } from '../text/disk-words.ts'
import { asDocument } from './blank-document.ts'
import type { Designer } from './designer.ts'
import type { DraftState, OpenFile } from './document-store.ts'
import { isDirty, lastStep } from './document-store.ts'
import { readUndo, readySum, writeUndo } from './undo/undo-journal.ts'

/** A workflow with more steps than this is got ready for its first edit, once it has been drawn and checked. */
const largeFrom = 400
const readyDelayMs = 2_000

/** An edit waits this long for the next one before it is written. */
const journalDelayMs = 300
/** What couldn't be kept is tried again after so long, also where nobody edits on. */
const retryDelayMs = 5_000
const draftFormat = 'sagasmith.draft'

/** Starts journaling; returns the way to stop. */
export function startJournal(designer: Designer): () => void {
  let cancel = (): void => undefined
  let cancelReady = (): void => undefined
  const { state: line } = designer.connection
  const tell = createTelling(designer)
  let isAsked = false
  let isBehind = false
  const write = async (): Promise<void> => {
    const problem = await writeDraft(designer)
    isBehind = problem !== null
    tell(problem)
    if (isBehind && !isAsked && line.getState().status === 'open') later(retryDelayMs)
  }
  const later = (delayMs: number): void => {
    cancel()
    isAsked = true
    cancel = designer.ambient.after(delayMs, () => {
      isAsked = false
      void write()
    })
  }
  const stop = designer.document.subscribe((state, before) => {
    if (state.generation !== before.generation || !state.isOpen) cancelReady()
    if (!state.isOpen) return
    const { document } = state.history
    if (state.generation !== before.generation && countOf(document.nodes) > largeFrom) {
      cancelReady = designer.ambient.after(readyDelayMs, () => {
        cancelReady = readySum(designer, document)
      })
    }
    if (state.history.document === before.history.document && state.savedStep === before.savedStep) return
    later(journalDelayMs)
  })
  const stopLine = line.subscribe(({ status }) => {
    if (status === 'open' && isBehind && !isAsked) later(journalDelayMs)
  })
  return () => {
    cancel()
    cancelReady()
    stop()
    stopLine()
  }
}

/** Writes the draft now, or removes it when the file has everything; gives why that could not be done. */
async function writeDraft(designer: Designer): Promise<ErrorRecord | null> {
  const state = designer.document.getState()
  if (!state.isOpen) return null
  try {
    await keepDraft(designer, state)
    return null
  } catch (error) {
    // The next write is of the whole draft again.
    return recordOfThrown(error)
  }
}

/** Tells once that edits aren't kept, and that they are again. While the engine is away its line says so. */
function createTelling({ connection, view }: Designer): (problem: ErrorRecord | null) => void {
  let isTold = false
  return (problem) => {
    const { toast } = view.getState()
    if (problem === null && isTold) toast({ tone: 'good', message: words.keptAgain, hint: null })
    if (problem === null) isTold = false
    if (problem === null || isTold || connection.state.getState().status !== 'open') return
    isTold = true
    toast({ tone: 'bad', message: words.notKept, hint: `${problem.message} ${problem.hint}` })
  }
}

/** The last write of each designer: the next one waits for it, so that an older state never comes last. */
const writing = new WeakMap<Designer, Promise<unknown>>()

/** The same for a document that may not be in front any more. Rejects when the engine is away. */
export function keepDraft(designer: Designer, state: DraftState): Promise<unknown> {
  const write = async (): Promise<unknown> => {
    // First, for a draft without its steps can be had: they are found by the document that they belong to.
    await writeUndo(designer, state).catch(() => undefined)
    return isDirty(state) ? sendDraft(designer, draftOf(state)) : dropDraft(designer, state.draftId)
  }
  const mine = (writing.get(designer) ?? Promise.resolve()).catch(() => undefined).then(write)
  writing.set(designer, mine)
  return mine
}

/** What the engine has of a draft, as it said last. */
interface Sent {
  readonly document: JsonObject
  readonly revision: string
}

/** By draft: those of this page. */
const sentBy = new WeakMap<Designer, Map<string, Sent>>()

function sentOf(designer: Designer): Map<string, Sent> {
  const known = sentBy.get(designer) ?? new Map<string, Sent>()
  sentBy.set(designer, known)
  return known
}

/** Tells the engine what differs from what it has; all of it where it has something else. */
async function sendDraft(designer: Designer, draft: Omit<DraftEntry, 'savedAt'>): Promise<void> {
  const { connection } = designer
  const sent = sentOf(designer)
  const known = sent.get(draft.id)
  // Who is not answered doesn't know what was written.
  sent.delete(draft.id)
  const { document, ...head } = draft
  const changes = known === undefined ? [] : changesBetween(known.document, document)
  const isFew = known !== undefined && changes.length <= draftChangesMax
  const changed = isFew
    ? await connection.call('drafts.change', { ...head, revision: known.revision, changes })
    : null
  const { revision } = changed ?? (await connection.call('drafts.save', draft))
  sent.set(draft.id, { document, revision })
}

async function dropDraft(designer: Designer, id: string): Promise<void> {
  sentOf(designer).delete(id)
  await designer.connection.call('drafts.remove', { id })
}

/** The draft as the engine keeps it: the document stands for itself, what can be undone lies beside it. */
function draftOf(state: DraftState): Omit<DraftEntry, 'savedAt'> {
  const { document } = state.history
  // A document is JSON data.
  const journal = { format: draftFormat, document } as unknown as JsonObject
  return { id: state.draftId, title: document.title, path: state.path, etag: state.etag, document: journal }
}

/** The state that a draft was written from, with its undo steps where they can be had. */
export async function restoredDraft(designer: Designer, entry: DraftEntry): Promise<DraftState> {
  const { document: json, path, etag, id } = entry
  const inner = json['document']
  const document = asDocument(json['format'] === draftFormat && isJsonObject(inner) ? inner : json)
  const undo = await readUndo(designer, id, document)
  const history = undo?.history ?? startHistory(document)
  return { path, etag, draftId: id, history, savedStep: undo === null ? 'never' : undo.saved }
}

/** The state of a file that this window had open, with its undo steps where they can be had. */
export async function restoredFile(designer: Designer, id: string, file: OpenFile): Promise<DraftState> {
  const undo = await readUndo(designer, id, file.document)
  const history = undo?.history ?? startHistory(file.document)
  return { path: file.path, etag: file.etag, draftId: id, history, savedStep: lastStep({ history }) }
}
