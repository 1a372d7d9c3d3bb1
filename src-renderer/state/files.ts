/** New, open, save: through the desktop's dialogs where there are any, else through the engine's library. */

import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { readDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { withoutWorkflowEnding, workflowFileEndings } from '../../src-engine/model/workflow-file.ts'
import type { DraftEntry } from '../../src-engine/protocol/api.ts'
import type { DesktopFile } from '../../src-engine/protocol/desktop-api.ts'
import { answered } from '../bridge/desktop.ts'
import { asDocument, asJson, blankDocument } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt, tellError } from './designer.ts'
import type { OpenFile } from './document-store.ts'
import { isDirty, lastStep } from './document-store.ts'
import { leaveRun } from './follow-runs.ts'
import { restoredDraft, writeDraft } from './journal.ts'
import { claimDocument, readSession, writeSession } from './window-session.ts'

/** Names that are tried for a copy. */
const copiesMax = 99

/** An empty workflow, not saved anywhere yet. */
export async function newDocument(designer: Designer): Promise<void> {
  await leaveDocument(designer)
  const document = blankDocument(`wf_${designer.ambient.newId()}`)
  show(designer, { document, path: null, etag: null }, true)
}

/** Opens a workflow of the library. */
export async function openPath(designer: Designer, path: string): Promise<void> {
  await attemptClaimed(designer, path, async () => {
    const { desktop } = designer
    const file =
      desktop === null
        ? await readFromLibrary(designer, path)
        : readDesktopFile(await answered(desktop.readWorkflowFile(path)))
    await leaveDocument(designer)
    show(designer, file, true)
  })
}

/** Opens a sample: a copy of it in the workspace. False when it could not be. */
export async function openSample(designer: Designer, name: string): Promise<boolean> {
  const opened = await attempt(designer, async () => {
    const opened = await designer.connection.call('samples.open', { name })
    const { path, etag } = opened
    await attemptClaimed(designer, path ?? name, async () => {
      await leaveDocument(designer)
      show(designer, { document: asDocument(opened.document), path, etag }, true)
    })
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
    await attemptClaimed(designer, file.path, async () => {
      await leaveDocument(designer)
      show(designer, readDesktopFile(file), true)
    })
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

/** Writes the document there; another program's change in between opens the conflict dialog. */
export async function saveTo(
  designer: Designer,
  target: { readonly path: string; readonly etag: string | null },
): Promise<SaveOutcome> {
  const state = designer.document.getState()
  const at = lastStep(state)
  const { document } = state.history
  try {
    const saved = await write(designer, document, target)
    designer.document.getState().saved(saved, at)
    remember(designer)
    await claimDocument(designer, openKey(designer))
    // At once: a draft left behind by a quick end would hide the file behind an older state.
    await writeDraft(designer)
    designer.view.getState().announce('Saved.')
    return 'saved'
  } catch (error) {
    const isOther = error instanceof SagasmithError && error.code === 'document_changed_on_disk'
    if (isOther && target.path === state.path) designer.view.getState().setDialog('conflict')
    else if (isOther && target.etag === null) return 'taken'
    else tellError(designer, error)
    return 'refused'
  }
}

/** Saves over the file of that name, because the person said so. */
export async function replaceFile(designer: Designer, path: string): Promise<SaveOutcome> {
  const now = await attempt(designer, () => readFromLibrary(designer, path))
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

/** After a conflict: takes the file as it is now; the own version stays in the journal as a draft. */
export async function reloadFromDisk(designer: Designer): Promise<void> {
  const { path } = designer.document.getState()
  if (path !== null) await openPath(designer, path)
}

/** After a conflict: writes over what somebody else wrote, because the person said so. */
export async function overwriteOnDisk(designer: Designer): Promise<void> {
  const { path } = designer.document.getState()
  if (path === null) return
  await attempt(designer, async () => {
    const now =
      designer.desktop === null
        ? await readFromLibrary(designer, path)
        : readDesktopFile(await answered(designer.desktop.readWorkflowFile(path)))
    await saveTo(designer, { path, etag: now.etag })
  })
}

/** Takes in a file from outside the workspace as a new document. */
export async function importDocument(designer: Designer): Promise<void> {
  await attempt(designer, async () => {
    const picked = await designer.exchange.pick()
    if (picked !== null) await takeIn(designer, picked.bytes)
  })
}

/** Opens the workflow of a file that was dropped: JSON, generated TypeScript, or a picture. */
export async function importBytes(designer: Designer, bytes: Uint8Array): Promise<void> {
  await attempt(designer, () => takeIn(designer, bytes))
}

async function takeIn(designer: Designer, bytes: Uint8Array): Promise<void> {
  // Reading code and pictures is loaded by those who bring some.
  const { workflowInFile } = await import('../../src-engine/model/picture/workflow-in-file.ts')
  const { read } = workflowInFile(bytes, (part) => new TextDecoder().decode(part))
  if (!read.ok) throw read.error
  await leaveDocument(designer)
  show(designer, { document: read.value.document, path: null, etag: null }, false)
}

/** Back to the start page; what is not saved stays in the journal. */
export async function goHome(designer: Designer): Promise<void> {
  await leaveDocument(designer)
  leaveRun(designer)
  writeSession(designer, '')
  designer.document.getState().close()
  await claimDocument(designer, openKey(designer))
}

/** Brings a draft back, undo steps included. */
export async function openDraft(designer: Designer, entry: DraftEntry): Promise<void> {
  await attemptClaimed(designer, entry.path ?? entry.id, async () => {
    designer.document.getState().restore(restoredDraft(entry))
    remember(designer)
  })
}

/** What was open when the page was left: its draft, or its file. */
export async function reopenLast(designer: Designer): Promise<void> {
  try {
    const [draftId = '', path = ''] = (await readSession(designer)).split('\n')
    if (draftId === '' && path === '') return
    const drafts = await designer.connection.call('drafts.list', {})
    const draft = drafts.find(({ id }) => id === draftId)
    if (draft !== undefined) await openDraft(designer, draft)
    else if (path !== '') await openPath(designer, path)
  } catch {
    // The engine is away: the start page lists drafts and files as soon as it is back.
  }
}

/** The name of a file for a title: `orders-to-report.json`. */
export function fileNameOf(title: string): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${base === '' ? 'workflow' : base}.json`
}

/** Opens a document, unless another window has it; one that can't be opened leaves things as they were. */
async function attemptClaimed(designer: Designer, key: string, open: () => Promise<void>): Promise<void> {
  await attempt(designer, async () => {
    if (await claimDocument(designer, key)) await open()
  })
  await attempt(designer, () => claimDocument(designer, openKey(designer)))
}

/** The open document as windows know it. */
function openKey({ document }: Designer): string | null {
  const { isOpen, path, draftId } = document.getState()
  return isOpen ? (path ?? draftId) : null
}

function show(designer: Designer, file: OpenFile, isSaved: boolean): void {
  leaveRun(designer)
  designer.view.getState().select({})
  designer.document.getState().open(file, { draftId: designer.ambient.newId(), isSaved })
  remember(designer)
  void attempt(designer, () => claimDocument(designer, openKey(designer)))
}

function remember(designer: Designer): void {
  const { draftId, path } = designer.document.getState()
  writeSession(designer, `${draftId}\n${path ?? ''}`)
}

/** Before another document takes its place, everything of this one is in the journal. */
async function leaveDocument(designer: Designer): Promise<void> {
  const state = designer.document.getState()
  if (state.isOpen && isDirty(state)) await writeDraft(designer)
}

async function readFromLibrary(designer: Designer, path: string): Promise<OpenFile> {
  const opened = await designer.connection.call('library.read', { path })
  return { document: asDocument(opened.document), path: opened.path, etag: opened.etag }
}

function readDesktopFile(file: DesktopFile): OpenFile {
  return { document: parsed(file.text), path: file.path, etag: file.etag }
}

function parsed(text: string): WorkflowDocument {
  const read = readDocument(text)
  if (!read.ok) throw read.error
  return read.value.document
}

async function write(
  designer: Designer,
  document: WorkflowDocument,
  target: { readonly path: string; readonly etag: string | null },
) {
  const { path, etag } = target
  if (designer.desktop === null)
    return designer.connection.call('library.save', { path, document: asJson(document), etag })
  const saved = await answered(
    designer.desktop.saveWorkflowFile({ path, text: canonicalDocument(document), etag }),
  )
  return { path, etag: saved.etag }
}
