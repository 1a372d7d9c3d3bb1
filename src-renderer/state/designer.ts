/** The designer without its looks: stores, connection and the services between them. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import type { EngineConnection } from '../bridge/connection.ts'
import { readSelected, writeSelected } from '../clusters/selected-cluster.ts'
import { restrictedWords } from '../text/restricted-words.ts'
import { blankDocument } from './blank-document.ts'
import type { BreakpointsStore } from './breakpoints-store.ts'
import { createBreakpointsStore } from './breakpoints-store.ts'
import type { CanvasSlot } from './canvas-handle.ts'
import type { CustomTasksStore } from './custom-tasks-store.ts'
import { createCustomTasksStore } from './custom-tasks-store.ts'
import type { DocumentStore } from './document-store.ts'
import { createDocumentStore } from './document-store.ts'
import type { FollowingStore } from './following-store.ts'
import { createFollowingStore } from './following-store.ts'
import type { GhostsStore } from './ghosts-store.ts'
import { createGhostsStore } from './ghosts-store.ts'
import type { InboxStore } from './inbox-store.ts'
import { createInboxStore } from './inbox-store.ts'
import type { LeasesStore } from './leases-store.ts'
import { createLeasesStore } from './leases-store.ts'
import type { LettersStore } from './letters-store.ts'
import { createLettersStore } from './letters-store.ts'
import type { LogsStore } from './logs-store.ts'
import { createLogsStore } from './logs-store.ts'
import type { RecordsStore } from './records-store.ts'
import { createRecordsStore } from './records-store.ts'
import type { RehearsalStore } from './rehearsal-store.ts'
import { createRehearsalStore } from './rehearsal-store.ts'
import { readKeyMap, readNavigation, readPanels, readTheme, rememberView } from './remembered-view.ts'
import type { RewindStore } from './rewind-store.ts'
import { createRewindStore } from './rewind-store.ts'
import type { RunViewsStore } from './run-views-store.ts'
import { createRunViewsStore } from './run-views-store.ts'
import type { RunsStore } from './runs-store.ts'
import { createRunsStore } from './runs-store.ts'
import type { SecretsStore } from './secrets-store.ts'
import { createSecretsStore } from './secrets-store.ts'
import type { Services } from './services.ts'
import type { SelectedCluster } from './site.ts'
import type { SitesStore } from './sites-store.ts'
import { createSitesStore } from './sites-store.ts'
import type { StartedStore } from './started-store.ts'
import { createStartedStore } from './started-store.ts'
import type { TabsStore } from './tabs/tabs-store.ts'
import { createTabsStore } from './tabs/tabs-store.ts'
import type { TestsStore } from './tests-store.ts'
import { createTestsStore } from './tests-store.ts'
import type { TriggersStore } from './triggers-store.ts'
import { createTriggersStore } from './triggers-store.ts'
import type { TrustStore } from './trust-store.ts'
import { createTrustStore } from './trust-store.ts'
import type { ViewStore } from './view-store.ts'
import { createViewStore } from './view-store.ts'

export interface Designer extends Services {
  readonly document: DocumentStore
  readonly tabs: TabsStore
  readonly view: ViewStore
  readonly runs: RunsStore
  readonly breakpoints: BreakpointsStore
  readonly leases: LeasesStore
  readonly runViews: RunViewsStore
  readonly letters: LettersStore
  readonly logs: LogsStore
  readonly inbox: InboxStore
  readonly following: FollowingStore
  readonly ghosts: GhostsStore
  readonly rehearsal: RehearsalStore
  readonly tests: TestsStore
  readonly rewind: RewindStore
  readonly secrets: SecretsStore
  readonly customTasks: CustomTasksStore
  readonly triggers: TriggersStore
  readonly records: RecordsStore
  readonly sites: SitesStore
  /** Whether the document in front may be run here. */
  readonly trust: TrustStore
  readonly started: StartedStore
  /** Lines to other places than the page's own, by the cluster's name. */
  readonly lines: Map<string, EngineConnection>
  readonly canvas: CanvasSlot
  /** Who holds written text for a moment: asked to hand it over before another document comes to the front. */
  readonly settle: Set<() => void>
  /** What the last copy took, for pages that may not read the clipboard. */
  readonly clipboard: { text: string }
  /** What everything but the document is about; null for this computer. */
  readonly cluster: SelectedCluster | null
  /** Starts the page again on a cluster, or on this computer; what is open comes back. */
  readonly switchCluster: (cluster: ClusterEntry | null) => void
}

/** Stores and services, nothing opened yet. */
export function createDesigner(services: Services): Designer {
  const { memory } = services
  const view = createViewStore({
    panels: readPanels(memory),
    theme: readTheme(memory),
    keyMap: readKeyMap(memory),
    navigation: readNavigation(memory),
  })
  rememberView(view, memory)
  const customTasks = createCustomTasksStore(services.specs)
  return {
    ...services,
    customTasks,
    // What is known by now; components hear of others through `useDesigner`.
    get specs() {
      return customTasks.getState().specs
    },
    document: createDocumentStore(blankDocument('blank')),
    tabs: createTabsStore(),
    view,
    runs: createRunsStore(),
    breakpoints: createBreakpointsStore(memory),
    leases: createLeasesStore(),
    runViews: createRunViewsStore(memory),
    letters: createLettersStore(),
    logs: createLogsStore(),
    inbox: createInboxStore(),
    following: createFollowingStore(),
    ghosts: createGhostsStore(),
    rehearsal: createRehearsalStore(),
    tests: createTestsStore(),
    rewind: createRewindStore(),
    secrets: createSecretsStore(),
    triggers: createTriggersStore(),
    records: createRecordsStore(),
    sites: createSitesStore(),
    trust: createTrustStore(),
    started: createStartedStore(),
    lines: new Map(),
    canvas: { current: null },
    settle: new Set(),
    clipboard: { text: '' },
    cluster: readSelected(memory),
    switchCluster: (cluster) => {
      writeSelected(memory, cluster)
      services.restart()
    },
  }
}

/** Runs something that may fail, and tells the person when it does. Resolves with null then. */
export async function attempt<T>(designer: Designer, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    tellError(designer, error)
    return null
  }
}

/** Shows an error as a toast: what happened and what to do next. */
export function tellError(designer: Designer, error: unknown): void {
  const record = recordOfThrown(error)
  const { toast, setDialog } = designer.view.getState()
  const action = { label: restrictedWords.review, run: () => setDialog('trust') }
  // One that it starts is looked at where it is opened.
  const isAsked =
    record.code === 'document_not_trusted' &&
    record.details['workflowId'] === designer.document.getState().history.document.id
  toast({ tone: 'bad', message: record.message, hint: record.hint, ...(isAsked ? { action } : {}) })
}
