/**
 * The documents that a window has open, in the order of their tabs. The one in front lives in the document
 * store; the others are kept here as they were left, or sleep on the engine's disk until they are looked at.
 */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { DraftState } from '../document-store.ts'
import type { ShownRun } from '../runs-store.ts'
import type { Selection, Sight } from '../view-store.ts'

/** How a document is looked at. */
export interface TabView {
  readonly selection: Selection
  /** Null: all of it, fitted. */
  readonly sight: Sight | null
}

/** A document that was looked at in this window, as it was left. */
export interface ParkedDocument {
  readonly draft: DraftState
  readonly run: ShownRun | null
}

export interface Tab {
  /** Of the document's draft. */
  readonly id: string
  readonly title: string
  readonly path: string | null
  readonly isDirty: boolean
  readonly view: TabView
  /** Null for the one in front, and for those that sleep. */
  readonly parked: ParkedDocument | null
}

/** What it takes to open a tab again. */
export type ClosedTab = Pick<Tab, 'id' | 'title' | 'path' | 'view'>

export interface TabsState {
  readonly tabs: readonly Tab[]
  /** The one in front; null for the start page. */
  readonly active: string | null
  /** The last to be closed first. */
  readonly closed: readonly ClosedTab[]
  /** Adds a tab behind the one in front. */
  readonly add: (tab: Tab) => void
  readonly change: (id: string, change: Partial<Omit<Tab, 'id'>>) => void
  readonly setActive: (id: string | null) => void
  /** What is `kept` can be opened again. */
  readonly remove: (id: string, options: { readonly isKept: boolean }) => void
  readonly move: (id: string, index: number) => void
  /** What was remembered of the last time, before what was opened meanwhile. */
  readonly restore: (state: Pick<TabsState, 'tabs' | 'closed'>) => void
  /** The tab that was closed last, which is forgotten as closed. */
  readonly takeClosed: () => ClosedTab | null
}

export type TabsStore = StoreApi<TabsState>

/** Closed tabs that can be opened again. */
const closedMax = 20

/** A window without tabs. */
export function createTabsStore(): TabsStore {
  return createStore<TabsState>((set, get) => ({
    tabs: [],
    active: null,
    closed: [],
    add: (tab) => {
      const { tabs, active, closed } = get()
      const at = tabs.findIndex(({ id }) => id === active)
      set({
        tabs: tabs.toSpliced(at === -1 ? tabs.length : at + 1, 0, tab),
        closed: closed.filter(({ id }) => id !== tab.id),
      })
    },
    change: (id, change) =>
      set({ tabs: get().tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)) }),
    setActive: (active) => set({ active }),
    remove: (id, { isKept }) => {
      const { tabs, closed } = get()
      const gone = tabs.filter((tab) => isKept && tab.id === id)
      const known = gone.map(({ title, path, view }) => ({ id, title, path, view }))
      set({
        tabs: tabs.filter((tab) => tab.id !== id),
        closed: [...known, ...closed].slice(0, closedMax),
      })
    },
    move: (id, index) => {
      const { tabs } = get()
      const from = tabs.findIndex((tab) => tab.id === id)
      const tab = tabs[from]
      if (tab !== undefined) set({ tabs: tabs.toSpliced(from, 1).toSpliced(index, 0, tab) })
    },
    restore: ({ tabs: kept, closed }) => {
      const { tabs } = get()
      const others = kept.filter((tab) => tabOf({ tabs }, tab.path ?? tab.id) === null)
      set({ tabs: [...others, ...tabs], closed })
    },
    takeClosed: () => {
      const [last = null, ...closed] = get().closed
      set({ closed })
      return last
    },
  }))
}

/** The tab of a document: by its file, or by its draft. */
export function tabOf({ tabs }: Pick<TabsState, 'tabs'>, key: string): Tab | null {
  return tabs.find(({ id, path }) => path === key || id === key) ?? null
}
