/** New, open, save: through the desktop's dialogs where there are any, else through the engine's library. */

import { recordOfThrown, SagasmithError } from '../../src-engine/model/errors.ts'
import { withoutWorkflowEnding, workflowFileEndings } from '../../src-engine/model/workflow-file.ts'
import type { DraftEntry } from '../../src-engine/protocol/documents.ts'
import { answered } from '../bridge/desktop.ts'
import { fill } from '../text/messages.ts'
import { problemWords } from '../text/problem-words.ts'
import { takeInDocument } from './arriving.ts'
import { asDocument, blankDocument, freeTitle, newWorkflowId } from './blank-document.ts'
import { keepSaved } from './checkpoints.ts'
import type { Designer } from './designer.ts'
import { attempt, tellError } from './designer.ts'
import type { DraftState, OpenFile } from './document-store.ts'
import { draftStateOf, isDirty, lastStep } from './document-store.ts'
import { takeFromDisk } from './follow-disk.ts'
import { keepDraft, restoredDraft } from './journal.ts'
import { readDesktopFile, readFile, writeFile } from './read-files.ts'
import { isRunFile, openRunFile } from './run-files.ts'
import { heldKeys } from './tabs/tab-session.ts'
import { openInTab, restoreInTab, showTabOf } from './tabs/tabs.ts'
import { tabOf } from './tabs/tabs-store.ts'
import { claimDocuments } from './window-session.ts'

/** Names that are tried for a copy. */
const copiesMax = 99

/**
 * Whoever asks for a document wants to see it. Left when it is asked for: a page that is opened while a file is read
 * stays.
 */
const leavePages = (designer: Designer): void => designer.view.getState().setEnginePage(null)

/** An empty workflow, not saved anywhere yet. */
export function newDocument(designer: Designer): void {
  leavePages(designer)
  // An untouched new one makes room for this one.
  const staying = designer.tabs.getState().tabs.filter(({ isDirty, path }) => isDirty || path !== null)
  const title = freeTitle(staying.map((tab) => tab.title))
  const document = blankDocument(newWorkflowId(designer.ambient), title)
  openInTab(designer, { document, path: null, etag: null }, { isSaved: true })
}

/** Opens a workflow of the library, or brings the tab that has it to the front. */
export async function openPath(designer: Designer, path: string): Promise<void> {
  leavePages(designer)
  if (showTabOf(designer, path)) return
  await attempt(designer, async () => {
    if (await isOurs(designer, path)) openFile(designer, await readFile(designer, path))
  })
}

/** Opens a sample: a copy of it in the workspace. False when it could not be. */
export async function openSample(designer: Designer, name: string): Promise<boolean> {
  leavePages(designer)
  const opened = await attempt(designer, async () => {
    const { document, path, etag } = await designer.connection.call('samples.open', { name })
    if (!(await isOurs(designer, path ?? name))) return false
    openFile(designer, { document: asDocument(document), path, etag })
    return true
  })
  return opened === true
}

/** Lets the person choose what to open. */
export async function openWithDialog(designer: Designer): Promise<void> {
  const { desktop, view } = designer
  if (desktop === null) return view.getState().setDialog('open')
  await attempt(designer, async () => {
    const file = await answered(desktop.openWorkflowDialog())
    if (file === null) return
    leavePages(designer)
    if (await isOurs(designer, file.path)) openFile(designer, readDesktopFile(file))
  })
}

/** Saves to where it came from; asks for a place when there is none. */
export async function saveDocument(designer: Designer): Promise<void> {
  const { path, etag } = designer.document.getState()
  if (path === null) return saveAs(designer)
  await saveTo(designer, { path, etag })
}

/** Lets the person choose where to save. */
export async function saveAs(designer: Designer): Promise<void> {
  const { desktop, view, document } = designer
  if (desktop === null) return view.getState().setDialog('save-as')
  await attempt(designer, async () => {
    const target = await answered(
      desktop.saveWorkflowDialog(fileNameOf(document.getState().history.document.title)),
    )
    if (target !== null) await saveTo(designer, target)
  })
}

/** `taken`: a new file was wanted, and there is one of that name. `refused`: the person was told why. */
export type SaveOutcome = 'saved' | 'taken' | 'refused'

export interface SaveTarget {
  readonly path: string
  readonly etag: string | null
  /** Says why it was refused; in a corner of the page when absent. */
  readonly tell?: (error: unknown) => void
}

/** Writes the document there; another program's change in between opens the conflict dialog. */
export async function saveTo(designer: Designer, target: SaveTarget): Promise<SaveOutcome> {
  const state = draftStateOf(designer.document.getState())
  const other = tabOf(designer.tabs.getState(), target.path)
  try {
    if (other !== null && other.id !== state.draftId) throw openElsewhere(target.path)
    wasSaved(designer, state, await writeFile(designer, state.history.document, target))
    keepSaved(designer, state.history.document)
    designer.view.getState().announce('Saved.')
    return 'saved'
  } catch (error) {
    const isOther = error instanceof SagasmithError && error.code === 'document_changed_on_disk'
    if (isOther && target.path === state.path) return mergeAndSave(designer, target.path)
    if (isOther && target.etag === null) return 'taken'
    if (target.tell !== undefined) target.tell(error)
    else tellUnsaved(designer, error)
    return 'refused'
  }
}

/** What may not be written there can be written elsewhere. */
function tellUnsaved(designer: Designer, error: unknown): void {
  const { code, message, hint } = recordOfThrown(error)
  if (code !== 'file_not_accessible') return tellError(designer, error)
  const action = { label: problemWords.saveAs, run: () => void saveAs(designer) }
  designer.view.getState().toast({ tone: 'bad', message, hint, action })
}

/** Brings the document and the file together, and writes that, unless a person has to choose first. */
async function mergeAndSave(designer: Designer, path: string): Promise<SaveOutcome> {
  const file = await attempt(designer, () => readIfThere(designer, path))
  // A file that is gone holds nothing that could be lost.
  if (file === 'gone') return saveTo(designer, { path, etag: null })
  // Another document is in front by now: it is merged when it comes back.
  if (file === null || designer.document.getState().path !== path) return 'refused'
  takeFromDisk(designer, file)
  const { disk } = designer.document.getState()
  if (disk === null) return saveTo(designer, { path, etag: file.etag })
  designer.view.getState().setDialog('conflict')
  return 'refused'
}

async function readIfThere(designer: Designer, path: string): Promise<OpenFile | 'gone'> {
  try {
    return await readFile(designer, path)
  } catch (error) {
    if (error instanceof SagasmithError && error.code === 'file_not_found') return 'gone'
    throw error
  }
}

/** Notes it where the document is by now: another tab may have come to the front meanwhile. */
function wasSaved(
  designer: Designer,
  written: DraftState,
  file: { readonly path: string; readonly etag: string },
): void {
  const { draftId } = written
  const savedStep = lastStep(written)
  const { document, tabs } = designer
  const parked = tabOf(tabs.getState(), draftId)?.parked ?? null
  if (document.getState().draftId === draftId) document.getState().saved(file, savedStep)
  else if (parked !== null) {
    const draft = { ...parked.draft, ...file, savedStep }
    tabs
      .getState()
      .change(draftId, { path: file.path, isDirty: isDirty(draft), parked: { ...parked, draft } })
  }
  // At once: a draft left behind by a quick end would hide the file behind an older state.
  const now = tabOf(tabs.getState(), draftId)?.parked?.draft ?? document.getState()
  void keepDraft(designer, now).catch(() => undefined)
}

const openElsewhere = (path: string): SagasmithError =>
  new SagasmithError('bad_request', {
    message: `${path} is open in another tab.`,
    hint: 'Close that tab first, or choose another name.',
  })

/** Saves over the file of that name, because the person said so. */
export async function replaceFile(designer: Designer, path: string): Promise<SaveOutcome> {
  const now = await attempt(designer, () => readFile(designer, path))
  return now === null ? 'refused' : saveTo(designer, { path, etag: now.etag })
}

/** Saves beside the file of that name, under the next name that is free. */
export async function saveBeside(designer: Designer, path: string): Promise<SaveOutcome> {
  let name = nextName(path)
  let outcome = await saveTo(designer, { path: name, etag: null })
  for (let tries = 0; outcome === 'taken' && tries < copiesMax; tries += 1) {
    name = nextName(name)
    outcome = await saveTo(designer, { path: name, etag: null })
  }
  return outcome
}

/** `orders.json` → `orders-2.json` → `orders-3.json`. */
export function nextName(name: string): string {
  const base = withoutWorkflowEnding(name)
  const ending = name.slice(base.length) || workflowFileEndings[0]
  const number = /-(\d+)$/.exec(base)?.[1]
  return number === undefined
    ? `${base}-2${ending}`
    : `${base.slice(0, -number.length)}${Number(number) + 1}${ending}`
}

/** Takes in a file from outside the workspace as a new document. */
export async function importDocument(designer: Designer): Promise<void> {
  await attempt(designer, async () => {
    const picked = await designer.exchange.pick()
    if (picked !== null) await takeIn(designer, picked)
  })
}

/** Opens what a file that was dropped has: a workflow as JSON, generated TypeScript or a picture, or a run. */
export async function importFile(designer: Designer, file: NamedBytes): Promise<void> {
  await attempt(designer, () => takeIn(designer, file))
}

/** The same of a text that was pasted: nobody has to find a file that was never there. */
export async function importText(designer: Designer, text: string): Promise<void> {
  try {
    await takeIn(designer, { name: '', bytes: new TextEncoder().encode(text) })
  } catch (error) {
    const { message } = recordOfThrown(error)
    designer.view.getState().toast({ tone: 'bad', message, hint: problemWords.pastedHint })
  }
}

interface NamedBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

async function takeIn(designer: Designer, { name, bytes }: NamedBytes): Promise<void> {
  if (isRunFile(bytes)) return openRunFile(designer, name, bytes)
  leavePages(designer)
  // Reading code and pictures is loaded by those who bring some.
  const { workflowInFile } = await import('../../src-engine/model/picture/workflow-in-file.ts')
  const { read } = workflowInFile(bytes, (part) => new TextDecoder().decode(part))
  if (!read.ok) throw read.error
  await takeInDocument(designer, read.value.document)
}

/** Has the system show the file of the open workflow among its neighbors. */
export async function showInFolder(designer: Designer): Promise<void> {
  const { desktop, document } = designer
  const { path } = document.getState()
  if (desktop !== null && path !== null)
    await attempt(designer, async () => answered(desktop.revealInFolder(path)))
}

/** Leads to the file of a custom task: among its neighbors where a system can show it, else with its path to paste. */
export async function showTaskFile(designer: Designer, path: string): Promise<void> {
  const { desktop, view } = designer
  await attempt(designer, async () => {
    if (desktop !== null) return answered(desktop.revealInFolder(path))
    await navigator.clipboard.writeText(path)
    view.getState().toast({ tone: 'good', message: fill(problemWords.copied, { path }), hint: null })
    return undefined
  })
}

/** Brings a draft back, undo steps included. */
export async function openDraft(designer: Designer, entry: DraftEntry): Promise<void> {
  leavePages(designer)
  if (showTabOf(designer, entry.id)) return
  await attempt(designer, async () => {
    if (await isOurs(designer, entry.path ?? entry.id))
      restoreInTab(designer, await restoredDraft(designer, entry))
  })
}

/** The name of a file for a title: `orders-to-report.json`. */
export function fileNameOf(title: string): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${base === '' ? 'workflow' : base}.json`
}

/** Whether this window may open a document: else the window that has it comes to the front. */
const isOurs = (designer: Designer, key: string): Promise<boolean> =>
  claimDocuments(designer, heldKeys(designer, key))

/** In a tab of its own, unless one has it. */
function openFile(designer: Designer, file: OpenFile): void {
  if (file.path === null || !showTabOf(designer, file.path)) openInTab(designer, file, { isSaved: true })
}
