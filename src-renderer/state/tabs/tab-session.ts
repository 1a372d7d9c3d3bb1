/** The tabs of a window over a restart: which there are, in which order, and how each is looked at. */

import { z } from 'zod'
import { edgeId, nodeId } from '../../../src-engine/model/ids.ts'
import type { Designer } from '../designer.ts'
import { isDirty } from '../document-store.ts'
import { claimDocuments, readSession, writeSession } from '../window-session.ts'
import { bringBack, viewOf } from './tabs.ts'
import type { ClosedTab, Tab, TabsState } from './tabs-store.ts'

/** Looking around is written down once it has come to rest. */
const lookDelayMs = 250
/** A larger selection isn't worth its room. */
const selectedMax = 200

/** Brings back the tabs of the last time, then keeps what is written of them true. */
export async function startTabs(designer: Designer): Promise<void> {
  followDocument(designer)
  const kept = await remembered(designer)
  designer.tabs.getState().restore(kept)
  followTabs(designer)
  // What was opened meanwhile stays in front.
  if (kept.active !== null && designer.tabs.getState().active === null) await bringBack(designer, kept.active)
}

/** The name of a document among windows: its file, or its draft where it has none. */
const keyOf = ({ path, id }: Pick<Tab, 'path' | 'id'>): string => path ?? id

/** The documents that this window has, and another one that it wants. */
export function heldKeys({ tabs }: Designer, wanted: string | null = null): readonly string[] {
  const keys = tabs.getState().tabs.map(keyOf)
  return wanted === null || keys.includes(wanted) ? keys : [...keys, wanted]
}

/** The tab in front says what the document says. */
function followDocument({ document, tabs }: Designer): void {
  document.subscribe((state) => {
    if (!state.isOpen) return
    const { history, path, draftId: id } = state
    const { title } = history.document
    const dirty = isDirty(state)
    const tab = tabs.getState().tabs.find((one) => one.id === id)
    if (tab === undefined || (tab.title === title && tab.path === path && tab.isDirty === dirty)) return
    tabs.getState().change(id, { title, path, isDirty: dirty })
  })
}

function followTabs(designer: Designer): void {
  const { ambient, tabs, view } = designer
  let written = ''
  let held = ''
  const write = (): void => {
    const text = sessionText(designer)
    if (text !== written) writeSession(designer, text)
    written = text
    const keys = heldKeys(designer)
    if (keys.join('\n') !== held) void claimDocuments(designer, keys).catch(() => undefined)
    held = keys.join('\n')
  }
  let cancel = (): void => undefined
  tabs.subscribe(write)
  view.subscribe((state, before) => {
    if (state.selection === before.selection && state.sight === before.sight) return
    cancel()
    cancel = ambient.after(lookDelayMs, write)
  })
  write()
}

/** What a window leaves for its next start. */
function sessionText(designer: Designer): string {
  const { tabs, active, closed } = designer.tabs.getState()
  const kept = tabs.map((tab) => ({
    ...reopened(tab.id === active ? { ...tab, view: viewOf(designer) } : tab),
    isDirty: tab.isDirty,
  }))
  return JSON.stringify({ active, tabs: kept, closed: closed.map(reopened) })
}

function reopened({ id, title, path, view }: ClosedTab): ClosedTab {
  const { selection, sight } = view
  const cut = Object.entries(selection).map(([kind, ids]) => [kind, ids.slice(0, selectedMax)])
  return { id, title, path, view: { sight, selection: Object.fromEntries(cut) } }
}

const names = z.array(z.string())
const view = z.object({
  selection: z.object({
    nodes: names.transform((ids) => ids.map(nodeId)),
    edges: names.transform((ids) => ids.map(edgeId)),
    notes: names,
    scopes: names,
    frames: names,
    triggers: names,
  }),
  sight: z.object({ x: z.number(), y: z.number(), zoom: z.number().positive() }).nullable(),
})
const closedTab = z.object({ id: z.string(), title: z.string(), path: z.string().nullable(), view })
const session = z.object({
  active: z.string().nullable(),
  tabs: z.array(closedTab.extend({ isDirty: z.boolean() })),
  closed: z.array(closedTab),
})

/** What was left the last time; nothing when there is nothing that can be read. */
async function remembered(designer: Designer): Promise<Pick<TabsState, 'tabs' | 'active' | 'closed'>> {
  const read = session.safeParse(parsed(await readSession(designer)))
  if (!read.success) return { tabs: [], active: null, closed: [] }
  const { tabs, ...rest } = read.data
  return { ...rest, tabs: tabs.map((tab) => ({ ...tab, parked: null })) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Nothing was left yet, or it is somebody else's text.
    return null
  }
}
