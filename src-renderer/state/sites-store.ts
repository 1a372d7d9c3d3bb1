/** The clusters that runs can be sent to, and what is under way towards one of them. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import type { PushPreview } from '../../src-engine/protocol/push.ts'
import type { Site } from './site.ts'

/** What a cluster says to a version that is to be pushed. */
export type PushView =
  | { readonly status: 'asking' }
  | { readonly status: 'failed'; readonly error: ErrorRecord }
  | {
      readonly status: 'known'
      readonly preview: PushPreview
      /** The newest version there; null when there is none. */
      readonly before: WorkflowDocument | null
      /** The document that the preview is of. */
      readonly after: WorkflowDocument
    }

/** A push that a person looks at. */
export interface PushPlan {
  /** Null until a cluster was picked. */
  readonly cluster: Site
  /** Whether a run is to begin afterwards. */
  readonly isForRun: boolean
  readonly view: PushView
}

export interface SitesState {
  /** Null until they were asked for. */
  readonly clusters: readonly ClusterEntry[] | null
  /** Names of the clusters that were picked for documents, by the document's id; empty for this computer. */
  readonly picked: Readonly<Record<string, string>>
  readonly isMenuOpen: boolean
  /** The cluster that is being asked whether it has the version; null when none is. */
  readonly asked: string | null
  /** What the dialog of pushing is about. */
  readonly push: PushPlan | null
  /** Where the run begins that the dialog of starting is about. */
  readonly startAt: Site
  /** The run that is being copied here; null while none is. */
  readonly pulling: RunId | null
  readonly setClusters: (clusters: readonly ClusterEntry[]) => void
  readonly pick: (document: string, cluster: string) => void
  readonly setMenuOpen: (isMenuOpen: boolean) => void
  readonly setAsked: (asked: string | null) => void
  /** What publishing on this computer would change; null while nobody is asked. */
  readonly publishing: Extract<PushView, { readonly status: 'known' }> | null
  readonly setPublishing: (view: SitesState['publishing']) => void
  readonly setPush: (push: PushPlan | null) => void
  readonly setStartAt: (startAt: Site) => void
  readonly setPulling: (pulling: RunId | null) => void
}

export type SitesStore = StoreApi<SitesState>

/** No cluster known, nothing under way. */
export function createSitesStore(): SitesStore {
  return createStore<SitesState>((set, get) => ({
    clusters: null,
    picked: {},
    isMenuOpen: false,
    asked: null,
    push: null,
    publishing: null,
    startAt: null,
    pulling: null,
    setClusters: (clusters) => set({ clusters }),
    pick: (document, cluster) => set({ picked: { ...get().picked, [document]: cluster } }),
    setMenuOpen: (isMenuOpen) => set({ isMenuOpen }),
    setAsked: (asked) => set({ asked }),
    setPush: (push) => set({ push }),
    setPublishing: (publishing) => set({ publishing }),
    setStartAt: (startAt) => set({ startAt }),
    setPulling: (pulling) => set({ pulling }),
  }))
}
