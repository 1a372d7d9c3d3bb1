/** How the person looks at things: selection, panels, theme, what floats above the canvas. Nothing durable. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { EdgeId, NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { Point } from '../../src-engine/model/workflow.ts'
import type { Navigation } from '../canvas/navigation.ts'
import { sameLists } from '../canvas/remembering.ts'
import type { KeyMap } from '../commands/key-map.ts'
import { usualKeys } from '../commands/key-map.ts'
import type { PastedCurl } from '../curl/curl-request.ts'
import type { DraggedValue } from '../forms/value-drag.ts'
import type { Arriving } from './arriving-wish.ts'
import type { EnginePageId } from './engine-page-id.ts'
import type { ExportWish } from './export-wish.ts'
import type { FieldActions, MeantFields } from './field-actions.ts'
import { fieldActions, noFieldMeant } from './field-actions.ts'
import type { Fresh, FreshTrigger } from './fresh.ts'
import { nothingFresh, stillFresh } from './fresh.ts'
import type { Panels } from './panels.ts'
import { defaultPanels } from './panels.ts'
import type { Site } from './site.ts'
import type { Toast } from './toasts.ts'
import { withToast } from './toasts.ts'
import type { TurnChoice } from './turns.ts'

export interface Selection {
  readonly nodes: readonly NodeId[]
  readonly edges: readonly EdgeId[]
  readonly notes: readonly string[]
  /** Groups of nodes that are undone together. */
  readonly scopes: readonly string[]
  /** Frames around what is drawn together. */
  readonly frames: readonly string[]
  /** What starts the workflow: cards at the canvas' edge. */
  readonly triggers: readonly string[]
}

/** Where on the canvas a person looks: its corner in pixels, and how large things are. */
export interface Sight {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

const noTurns: TurnChoice = {}
export const noSelection: Selection = {
  nodes: [],
  edges: [],
  notes: [],
  scopes: [],
  frames: [],
  triggers: [],
}

export type ThemeChoice = 'system' | 'light' | 'dark'

/** The search box that adds a node where a gesture ended. */
export interface QuickAdd {
  /** Where the new node comes to stand, in the canvas's own coordinates. */
  readonly at: Point
  /** Where the box opens, in pixels of the window. */
  readonly screen: Point
  readonly attach:
    | { readonly kind: 'none' }
    | { readonly kind: 'after'; readonly from: { readonly node: NodeId; readonly port: string } }
    | { readonly kind: 'before'; readonly to: { readonly node: NodeId; readonly port: string } }
    | { readonly kind: 'splice'; readonly edge: EdgeId }
    | { readonly kind: 'undo'; readonly of: NodeId }
}

/** Connecting by keyboard: from a port to one of the candidates. */
export interface ConnectMode {
  readonly from: { readonly node: NodeId; readonly port: string }
  readonly ports: readonly string[]
  readonly candidates: readonly NodeId[]
  readonly index: number
  /** What to type to pick one at once, by node, and what was typed of it. */
  readonly labels: ReadonlyMap<string, string>
  readonly typed: string
}

/** Letters on the cards that are seen: typing one goes there. */
export interface JumpMode {
  readonly labels: ReadonlyMap<string, string>
  readonly typed: string
}

/** Finding on the canvas: what is looked for, what fits, and which of those is looked at. */
export interface Finding {
  readonly query: string
  readonly hits: readonly { readonly kind: keyof Selection; readonly id: string }[]
  /** Ids of the nodes among the hits. */
  readonly nodes: ReadonlySet<string>
  readonly index: number
}

/** The menu of what was pressed with the other button, or is selected. */
export interface CanvasMenu {
  /** In pixels of the window. */
  readonly screen: Point
  readonly about: 'canvas' | 'node' | 'nodes' | 'edge' | 'note' | 'scope' | 'frame'
}

/** Which runs are laid side by side; `before` is null while there is no other one. */
export interface ComparedRuns {
  readonly before: RunId | null
  readonly after: RunId
  readonly site: Site
}

export type Dialog =
  | 'start'
  | 'open'
  | 'save-as'
  | 'cheat-sheet'
  | 'command-palette'
  | 'conflict'
  | 'history'
  | 'publish'
  | 'rehearse'
  | 'keep-test'
  | 'rerun'
  | 'retry'
  | 'push'
  | 'replay'
  | 'resume'
  | 'here'
  | 'fire'
  | 'breakpoint'
  | 'breakpoints'
  | 'try-step'
  | 'run-to'
  | 'fork'
  | 'crash'
  | 'compare'
  | 'extract'
  | 'save-task'
  | 'migrate-tasks'
  | 'trust'
  | 'paste-curl'
  | 'export'
  | 'match-secrets'
  | 'arriving'

export interface ViewState extends Fresh, MeantFields, FieldActions {
  readonly selection: Selection
  /** Null while all of the workflow is fitted into view. */
  readonly sight: Sight | null
  readonly panels: Panels
  readonly theme: ThemeChoice
  readonly keyMap: KeyMap
  /** How mouse and trackpad move the canvas. */
  readonly navigation: Navigation
  /** Whether the window was opened for one run, beside another: how it looks is not remembered. */
  readonly isAside: boolean
  readonly quickAdd: QuickAdd | null
  readonly connectMode: ConnectMode | null
  readonly canvasMenu: CanvasMenu | null
  readonly jump: JumpMode | null
  readonly finding: Finding | null
  /** Whether the next drag on the canvas draws an outline around what it selects. */
  readonly isLassoing: boolean
  /** Whether a part of the workflow is out of view, in a window that has room for a map. */
  readonly isMapUseful: boolean
  readonly dialog: Dialog | null
  /** The step that the dialog of retrying is about; null for what failed. */
  readonly retryFrom: NodeId | null
  /** What the dialog of comparing is about; null before the first time. */
  readonly comparing: ComparedRuns | null
  /** The curl command that a dialog asks about. */
  readonly pastedCurl: PastedCurl | null
  /** What was to be handed over when secrets were found in it. */
  readonly exporting: ExportWish | null
  /** What was taken in while another workflow has its id. */
  readonly arriving: Arriving | null
  /** Null while the workflow is shown. */
  readonly enginePage: EnginePageId | null
  readonly toasts: readonly Toast[]
  /** The node whose title is being edited in place. */
  readonly renaming: NodeId | null
  /** The same in the list of steps. */
  readonly renamingRow: NodeId | null
  /** The note that is being written. */
  readonly writingNote: string | null
  /** The value for which a field is being chosen. */
  readonly valueToPlace: DraggedValue | null
  /** The set of mocks that test runs and previews use; null for none. */
  readonly mockSet: string | null
  /** By field, the unit in ms in which a person wrote its span. */
  readonly durationUnits: Readonly<Record<string, number>>
  /** What the shown run did with a step: is to be shown with the next one that is chosen, or is shown for that reason. */
  readonly runLook: 'due' | 'taken' | null
  /** The turns of maps and loops that are looked at instead of the newest. */
  readonly turns: TurnChoice
  /** Edges on which the value that went along them last is kept in sight. */
  readonly probes: readonly string[]
  /** Whether what is at work is kept in view, until the person moves the view. */
  readonly isFollowing: boolean
  /** How many cards are being laid out, or that they are on their way to their new places. */
  readonly layout: number | 'gliding' | null
  /** Said to screen readers, politely. */
  readonly announcement: string
  readonly select: (selection: Partial<Selection>) => void
  readonly setSight: (sight: Sight | null) => void
  /** Another document is looked at: what floated above the last one ends. */
  readonly lookAt: (look: Pick<ViewState, 'selection' | 'sight'>) => void
  /** Who asks for a part of the inspector has it from then on. */
  readonly setPanels: (panels: Partial<Panels>) => void
  readonly newRunIsThere: () => void
  readonly setTheme: (theme: ThemeChoice) => void
  readonly setKeyMap: (keyMap: KeyMap) => void
  readonly setNavigation: (navigation: Navigation) => void
  readonly setQuickAdd: (quickAdd: QuickAdd | null) => void
  readonly setConnectMode: (mode: ConnectMode | null) => void
  readonly setCanvasMenu: (menu: CanvasMenu | null) => void
  readonly setJump: (jump: JumpMode | null) => void
  readonly setFinding: (finding: Finding | null) => void
  readonly setLassoing: (isLassoing: boolean) => void
  readonly setMapUseful: (isMapUseful: boolean) => void
  readonly setDialog: (dialog: Dialog | null) => void
  readonly askRetry: (from: NodeId | null) => void
  readonly askCompare: (runs: ComparedRuns) => void
  readonly askCurl: (pasted: PastedCurl | null) => void
  readonly askArriving: (arriving: Arriving | null) => void
  readonly askExport: (wish: ExportWish | null) => void
  readonly setEnginePage: (page: EnginePageId | null) => void
  readonly setFresh: (node: NodeId | null) => void
  readonly setFreshTrigger: (trigger: FreshTrigger) => void
  readonly setRenaming: (node: NodeId | null) => void
  readonly setRenamingRow: (node: NodeId | null) => void
  readonly setWritingNote: (note: string | null) => void
  readonly setValueToPlace: (dragged: DraggedValue | null) => void
  readonly setMockSet: (mockSet: string | null) => void
  readonly chooseUnit: (field: string, unitMs: number) => void
  readonly chooseTurn: (scope: string, index: number | null) => void
  readonly lookAtNewest: () => void
  readonly toggleProbe: (edge: EdgeId) => void
  readonly setFollowing: (isFollowing: boolean) => void
  readonly setLayout: (layout: ViewState['layout']) => void
  readonly announce: (text: string) => void
  readonly toast: (toast: Omit<Toast, 'id'>) => void
  readonly dismiss: (id: number) => void
}

export type ViewStore = StoreApi<ViewState>

/** What is about the document on the canvas alone. */
const nothingFloats = {
  quickAdd: null,
  connectMode: null,
  canvasMenu: null,
  jump: null,
  finding: null,
  isLassoing: false,
  ...nothingFresh,
  renaming: null,
  renamingRow: null,
  writingNote: null,
  ...noFieldMeant,
  valueToPlace: null,
  mockSet: null,
  runLook: null,
  turns: noTurns,
}

/** What a page begins with. */
const nothingYet = {
  isMapUseful: false,
  dialog: null,
  retryFrom: null,
  comparing: null,
  pastedCurl: null,
  exporting: null,
  arriving: null,
  enginePage: null,
  toasts: [],
  durationUnits: {},
  probes: [],
  isFollowing: false,
  layout: null,
  announcement: '',
}

/** Whether the map is shown now. */
export function isMapShown({ panels, isMapUseful }: Pick<ViewState, 'panels' | 'isMapUseful'>): boolean {
  return panels.map === 'auto' ? isMapUseful : panels.map === 'shown'
}

/** The view as it was left: panels and theme are remembered by the caller. */
export function createViewStore(remembered: {
  readonly panels: Partial<Panels>
  readonly theme: ThemeChoice
  readonly keyMap?: KeyMap
  readonly navigation?: Navigation
}): ViewStore {
  return createStore<ViewState>((set, get) => ({
    selection: noSelection,
    sight: null,
    panels: { ...defaultPanels, ...remembered.panels },
    theme: remembered.theme,
    keyMap: remembered.keyMap ?? usualKeys,
    navigation: remembered.navigation ?? 'trackpad',
    isAside: false,
    ...nothingFloats,
    ...nothingYet,
    select: (selection) => {
      const chosen = sameLists(get().selection, { ...noSelection, ...selection })
      set({ selection: chosen, ...stillFresh(get(), selection) })
    },
    setSight: (sight) => set({ sight }),
    lookAt: (look) => set({ ...nothingFloats, ...look }),
    setPanels: (panels) => {
      const runLook = panels.inspectorTab === undefined ? get().runLook : null
      set({ panels: { ...get().panels, ...panels }, runLook })
    },
    newRunIsThere: () => set({ runLook: 'due' }),
    setTheme: (theme) => set({ theme }),
    setKeyMap: (keyMap) => set({ keyMap }),
    setNavigation: (navigation) => set({ navigation }),
    setQuickAdd: (quickAdd) => set({ quickAdd }),
    setConnectMode: (connectMode) => set({ connectMode }),
    setCanvasMenu: (canvasMenu) => set({ canvasMenu }),
    setJump: (jump) => set({ jump }),
    setFinding: (finding) => set({ finding }),
    setLassoing: (isLassoing) => set({ isLassoing }),
    setMapUseful: (isMapUseful) => set({ isMapUseful }),
    setDialog: (dialog) => set({ dialog }),
    askRetry: (retryFrom) => set({ dialog: 'retry', retryFrom }),
    askCompare: (comparing) => set({ dialog: 'compare', comparing }),
    askCurl: (pastedCurl) => set({ dialog: pastedCurl === null ? null : 'paste-curl', pastedCurl }),
    askArriving: (arriving) => set({ dialog: arriving === null ? null : 'arriving', arriving }),
    askExport: (exporting) => set({ dialog: exporting === null ? null : 'export', exporting }),
    setEnginePage: (enginePage) => set({ enginePage }),
    setFresh: (fresh) => set({ ...nothingFresh, fresh }),
    setFreshTrigger: (freshTrigger) => set({ ...nothingFresh, freshTrigger }),
    setRenaming: (renaming) => set({ renaming }),
    setRenamingRow: (renamingRow) => set({ renamingRow }),
    setWritingNote: (writingNote) => set({ writingNote }),
    ...fieldActions({ set, get }),
    setValueToPlace: (valueToPlace) => set({ valueToPlace }),
    setMockSet: (mockSet) => set({ mockSet }),
    chooseUnit: (field, unitMs) => set({ durationUnits: { ...get().durationUnits, [field]: unitMs } }),
    chooseTurn: (scope, index) => {
      const { [scope]: _, ...others } = get().turns
      set({ turns: index === null ? others : { ...others, [scope]: index } })
    },
    lookAtNewest: () => set({ turns: noTurns }),
    setFollowing: (isFollowing) => set({ isFollowing }),
    setLayout: (layout) => set({ layout }),
    toggleProbe: (edge) => {
      const { probes } = get()
      set({ probes: probes.includes(edge) ? probes.filter((id) => id !== edge) : [...probes, edge] })
    },
    ...sayings({ set, get }),
  }))
}

interface Access {
  readonly set: ViewStore['setState']
  readonly get: ViewStore['getState']
}

/** What the person is told. */
function sayings({ set, get }: Access): Pick<ViewState, 'announce' | 'toast' | 'dismiss'> {
  let lastToast = 0
  return {
    announce: (announcement) => set({ announcement }),
    toast: (toast) => set({ toasts: withToast(get().toasts, { ...toast, id: ++lastToast }) }),
    dismiss: (id) => set({ toasts: get().toasts.filter((toast) => toast.id !== id) }),
  }
}
