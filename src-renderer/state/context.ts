/** The designer in React: one context, and hooks that subscribe to the narrowest value. */

import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { ConnectionState, EngineConnection } from '../bridge/connection.ts'
import type { BreakpointsState } from './breakpoints-store.ts'
import type { CustomTasksState } from './custom-tasks-store.ts'
import type { Designer } from './designer.ts'
import type { DocumentState } from './document-store.ts'
import type { FollowingState } from './following-store.ts'
import type { GhostsState } from './ghosts-store.ts'
import type { InboxState } from './inbox-store.ts'
import type { LeasesState } from './leases-store.ts'
import type { LettersState } from './letters-store.ts'
import type { LogsState } from './logs-store.ts'
import type { RecordsState } from './records-store.ts'
import type { RehearsalState } from './rehearsal-store.ts'
import type { RunViewsState } from './run-views-store.ts'
import type { RunsState } from './runs-store.ts'
import type { SecretsState } from './secrets-store.ts'
import type { SitesState } from './sites-store.ts'
import type { TabsState } from './tabs/tabs-store.ts'
import type { TestsState } from './tests-store.ts'
import type { TriggersState } from './triggers-store.ts'
import type { TrustState } from './trust-store.ts'
import type { ViewState } from './view-store.ts'

const kindsOf = ({ specs }: CustomTasksState) => specs

export const DesignerContext = createContext<Designer | null>(null)

/** The designer this component belongs to; it is drawn again when there are other kinds of tasks. */
export function useDesigner(): Designer {
  const designer = useStores()
  useStore(designer.customTasks, kindsOf)
  return designer
}

/** The same for who asks one store: to follow the kinds of tasks as well would double what each of these hooks costs. */
function useStores(): Designer {
  const designer = useContext(DesignerContext)
  if (designer === null) throw new Error('A component of the designer was used outside of it.')
  return designer
}

/** A value of the open document's state. */
export function useDocument<T>(select: (state: DocumentState) => T): T {
  return useStore(useStores().document, select)
}

/** A value of the open tabs. */
export function useTabs<T>(select: (state: TabsState) => T): T {
  return useStore(useStores().tabs, select)
}

/** A value of the view. */
export function useView<T>(select: (state: ViewState) => T): T {
  return useStore(useStores().view, select)
}

/** A value of the runs. */
export function useRuns<T>(select: (state: RunsState) => T): T {
  return useStore(useStores().runs, select)
}

/** A value of the claims of the shown run. */
export function useLeases<T>(select: (state: LeasesState) => T): T {
  return useStore(useStores().leases, select)
}

/** A value of what the page of runs is narrowed to, and its views. */
export function useRunViews<T>(select: (state: RunViewsState) => T): T {
  return useStore(useStores().runViews, select)
}

/** A value of what the page of logs is narrowed to. */
export function useLogFilter<T>(select: (state: LogsState) => T): T {
  return useStore(useStores().logs, select)
}

/** A value of the dead letters. */
export function useLetters<T>(select: (state: LettersState) => T): T {
  return useStore(useStores().letters, select)
}

/** A value of what waits for a decision. */
export function useInbox<T>(select: (state: InboxState) => T): T {
  return useStore(useStores().inbox, select)
}

/** A value of what is followed. */
export function useFollowing<T>(select: (state: FollowingState) => T): T {
  return useStore(useStores().following, select)
}

/** A value of what the last runs did. */
export function useGhosts<T>(select: (state: GhostsState) => T): T {
  return useStore(useStores().ghosts, select)
}

/** A value of the last rehearsal. */
export function useRehearsal<T>(select: (state: RehearsalState) => T): T {
  return useStore(useStores().rehearsal, select)
}

/** A value of the open workflow's tests. */
export function useTests<T>(select: (state: TestsState) => T): T {
  return useStore(useStores().tests, select)
}

/** A value of what the vault keeps. */
export function useSecrets<T>(select: (state: SecretsState) => T): T {
  return useStore(useStores().secrets, select)
}

/** A value of what the shown workflow's triggers do. */
export function useTriggers<T>(select: (state: TriggersState) => T): T {
  return useStore(useStores().triggers, select)
}

/** A value of which records of triggers are looked at. */
export function useRecords<T>(select: (state: RecordsState) => T): T {
  return useStore(useStores().records, select)
}

/** A value of where runs can be done. */
export function useSites<T>(select: (state: SitesState) => T): T {
  return useStore(useStores().sites, select)
}

/** A value of whether the document in front may be run. */
export function useTrust<T>(select: (state: TrustState) => T): T {
  return useStore(useStores().trust, select)
}

/** The line that a part of the page asks; the page's own where nothing says otherwise. */
export const LineContext = createContext<EngineConnection | null>(null)

/** The line to ask. */
export function useLine(): EngineConnection {
  const { connection } = useStores()
  return useContext(LineContext) ?? connection
}

/** The state of the line to the page's engine. */
export function useConnectionState(): ConnectionState {
  return useStore(useStores().connection.state)
}

/** A value of where runs are to stop. */
export function useBreakpoints<T>(select: (state: BreakpointsState) => T): T {
  return useStore(useStores().breakpoints, select)
}
