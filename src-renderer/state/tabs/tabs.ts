/** Several documents in one window: each keeps its undo steps, its selection, its view and the run on it. */

import { fill } from '../../text/messages.ts'
import { tabWords as words } from '../../text/tab-words.ts'
import { blankDocument, newWorkflowId } from '../blank-document.ts'
import type { Designer } from '../designer.ts'
import { attempt } from '../designer.ts'
import type { DocumentState, DraftState, OpenFile } from '../document-store.ts'
import { draftStateOf, isDirty } from '../document-store.ts'
import { leaveRun, showRunAgain } from '../follow-runs.ts'
import { keepDraft, restoredDraft, restoredFile } from '../journal.ts'
import { readFile } from '../read-files.ts'
import type { ShownRun } from '../runs-store.ts'
import { noSelection } from '../view-store.ts'
import type { ClosedTab, ParkedDocument, Tab, TabView } from './tabs-store.ts'
import { tabOf } from './tabs-store.ts'

/** Nothing selected, all of it in view. */
const freshView: TabView = { selection: noSelection, sight: null }

/** Puts a document in front, in a tab of its own. An untouched new one makes room for it. */
export function openInTab(designer: Designer, file: OpenFile, { isSaved }: { isSaved: boolean }): void {
  const id = designer.ambient.newId()
  arrive(designer, { id, title: file.document.title, path: file.path, view: freshView }, () =>
    designer.document.getState().open(file, { draftId: id, isSaved }),
  )
}

/** Puts a draft in front, undo steps included, in a tab of its own. */
export function restoreInTab(designer: Designer, draft: DraftState): void {
  const { draftId: id, path, history } = draft
  arrive(designer, { id, title: history.document.title, path, view: freshView }, () =>
    designer.document.getState().restore(draft),
  )
}

/** Brings the tab of a file or a draft to the front; false when there is none. */
export function showTabOf(designer: Designer, key: string): boolean {
  const tab = tabOf(designer.tabs.getState(), key)
  if (tab === null) return false
  void showTab(designer, tab.id)
  return true
}

/** Brings a tab to the front, and the workflow with it; one that sleeps is read first. */
export const showTab = (designer: Designer, id: string): Promise<void> =>
  bringToFront(designer, id, () => designer.view.getState().setEnginePage(null))

/** The same at a start: a page of the engine that a person opened meanwhile stays. */
export const bringBack = (designer: Designer, id: string): Promise<void> =>
  bringToFront(designer, id, () => undefined)

async function bringToFront(designer: Designer, id: string, leavePage: () => void): Promise<void> {
  const wish = wishFor(designer)
  const tab = tabOf(designer.tabs.getState(), id)
  if (tab === null) return
  if (designer.tabs.getState().active === id) return leavePage()
  const parked = tab.parked ?? (await attempt(designer, () => awake(designer, tab)))
  // Something else was put in front, or the tab was closed, while it was read.
  if (parked === null || wishes.get(designer) !== wish) return
  leavePage()
  putInFront(designer, tab, parked)
}

/** Shows the start page; the tabs stay. */
export function showStartPage(designer: Designer): void {
  wishFor(designer)
  designer.view.getState().setEnginePage(null)
  park(designer)
  designer.tabs.getState().setActive(null)
  // Nobody's view.
  designer.view.getState().lookAt(freshView)
  designer.document.getState().close()
}

/** Closes a tab. What isn't saved is in the journal before it goes, or it stays. */
export async function closeTab(designer: Designer, id: string): Promise<void> {
  const { tabs, active } = designer.tabs.getState()
  const at = tabs.findIndex((tab) => tab.id === id)
  const tab = tabs[at]
  if (tab === undefined) return
  if (active === id) settle(designer)
  const open = active === id ? designer.document.getState() : (tab.parked?.draft ?? null)
  const isLost = open !== null && isDirty(open)
  if (isLost && (await attempt(designer, async () => (await keepDraft(designer, open), true))) === null)
    return
  const isKept = isLost || tab.isDirty || tab.path !== null
  const next = tabs[at + 1] ?? tabs[at - 1]
  const isInFront = designer.tabs.getState().active === id
  if (isInFront && next !== undefined) await showTab(designer, next.id)
  if (designer.tabs.getState().active === id) showStartPage(designer)
  designer.tabs.getState().remove(id, { isKept })
  if (isLost || tab.isDirty) tellKept(designer, tab.title)
}

/** Nothing is asked and nothing is lost. */
function tellKept(designer: Designer, title: string): void {
  designer.view.getState().toast({
    tone: 'neutral',
    message: fill(words.kept, { title }),
    hint: words.keptHint,
    action: { label: words.reopen, run: () => void reopenClosed(designer) },
  })
}

/** Opens the tab that was closed last, as it was left. */
export async function reopenClosed(designer: Designer): Promise<void> {
  const closed = designer.tabs.getState().takeClosed()
  if (closed === null) return
  const wish = wishFor(designer)
  const parked = await attempt(designer, () => awake(designer, closed))
  if (parked === null || wishes.get(designer) !== wish || showTabOf(designer, closed.path ?? closed.id))
    return
  designer.tabs.getState().add(asTab(closed))
  designer.view.getState().setEnginePage(null)
  putInFront(designer, closed, parked)
}

/** Goes so many tabs on, around the end. */
export function stepTab(designer: Designer, by: number): void {
  const { tabs, active } = designer.tabs.getState()
  const at = tabs.findIndex(({ id }) => id === active)
  const from = at === -1 && by < 0 ? 0 : at
  const next = tabs[(from + by + tabs.length) % tabs.length]
  if (next !== undefined) void showTab(designer, next.id)
}

/** Moves the tab in front so many places on, as far as there are any. */
export function shiftTab(designer: Designer, by: number): void {
  const { tabs, active, move } = designer.tabs.getState()
  const at = tabs.findIndex(({ id }) => id === active)
  if (at === -1 || active === null) return
  move(active, Math.max(0, Math.min(tabs.length - 1, at + by)))
}

/** How the document in front is looked at. */
export function viewOf({ view }: Designer): TabView {
  const { selection, sight } = view.getState()
  return { selection, sight }
}

/** The newest wish for what is to be in front: an older one that comes late is not heard. */
const wishes = new WeakMap<Designer, symbol>()

function wishFor(designer: Designer): symbol {
  const wish = Symbol('wish')
  wishes.set(designer, wish)
  return wish
}

const asTab = (tab: ClosedTab): Tab => ({ isDirty: false, parked: null, ...tab })

function arrive(designer: Designer, tab: ClosedTab, open: () => void): void {
  wishFor(designer)
  const { active } = designer.tabs.getState()
  const untouched = isUntouched(designer.document.getState()) ? active : null
  park(designer)
  designer.tabs.getState().add(asTab(tab))
  // Before it is in front: what is looked at is written down as the view of that tab.
  designer.view.getState().lookAt(tab.view)
  designer.tabs.getState().setActive(tab.id)
  open()
  if (untouched !== null) designer.tabs.getState().remove(untouched, { isKept: false })
}

function putInFront(designer: Designer, { id, view }: ClosedTab, { draft, run }: ParkedDocument): void {
  wishFor(designer)
  park(designer)
  const { setActive, change } = designer.tabs.getState()
  designer.view.getState().lookAt(view)
  setActive(id)
  change(id, { parked: null })
  designer.document.getState().restore(draft)
  if (run !== null) showRunAgain(designer, run)
}

/** Everything of the document in front is kept with its tab, and in the journal. */
function park(designer: Designer): void {
  settle(designer)
  const { active, change } = designer.tabs.getState()
  const state = designer.document.getState()
  if (state.isOpen && active !== null) {
    const draft = draftStateOf(state)
    change(active, { view: viewOf(designer), parked: { draft, run: shownRun(designer) } })
    // Without the engine it stays here, and is written with its next edit.
    void keepDraft(designer, draft).catch(() => undefined)
  }
  leaveRun(designer)
}

function settle(designer: Designer): void {
  for (const handOver of designer.settle) handOver()
}

function shownRun({ runs }: Designer): ShownRun | null {
  const { current } = runs.getState()
  if (current === null) return null
  const { runId, site, overlay, hash, shownOn } = current
  return { runId, site, overlay, hash, shownOn }
}

/** A new document in which nobody has done anything. */
function isUntouched({ isOpen, path, savedStep, history }: DocumentState): boolean {
  const { document, past, future } = history
  const isEmpty = Object.keys(document.nodes).length === 0
  return isOpen && path === null && savedStep === null && isEmpty && past.length + future.length === 0
}

/** Reads what a tab that sleeps holds: its draft, else its file; with neither, nothing was ever done in it. */
export async function awake(designer: Designer, { id, path, title }: ClosedTab): Promise<ParkedDocument> {
  const drafts = await designer.connection.call('drafts.list', {})
  const entry = drafts.find((draft) => draft.id === id)
  if (entry !== undefined) return { draft: await restoredDraft(designer, entry), run: null }
  const blank = { document: blankDocument(newWorkflowId(designer.ambient), title), path: null, etag: null }
  const file: OpenFile = path === null ? blank : await readFile(designer, path)
  return { draft: await restoredFile(designer, id, file), run: null }
}
