/**
 * What the desktop app offers its pages as `window.sagasmithDesktop`: types only. A browser has no such
 * object, and that is how the designer tells the two apart.
 */

import type { ErrorRecord } from '../model/errors.ts'
import type { Result } from '../model/result.ts'
import type { Instant } from '../model/time.ts'
import type { DeepLink } from './deep-link.ts'
import type { Notice, RunNotices } from './notices.ts'

/** Every answer is a value: an exception would lose the error's code on its way between processes. */
export type DesktopAnswer<T> = Promise<Result<T, ErrorRecord>>

/** The engine's process as its supervisor sees it. */
export type EngineProcessState =
  | { readonly status: 'starting' }
  | { readonly status: 'running' }
  /** It ended unexpectedly and starts again after `delayMs`. */
  | { readonly status: 'restarting'; readonly delayMs: number; readonly crashCount: number }
  /** It stays down until `restartEngine` is called. */
  | { readonly status: 'stopped'; readonly error: ErrorRecord }

/** A workflow file as text; parsing and validating it is the engine's work. */
export interface DesktopFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string
  /** Identity of the content when it was read: sha256 of its bytes, hex. */
  readonly etag: string
}

/** Where a document is to be saved, and what lies there now. */
export interface SaveTarget {
  readonly path: string
  /** Null: there is no such file yet. */
  readonly etag: string | null
}

export interface SaveRequest {
  readonly path: string
  readonly text: string
  /**
   * What the file is expected to hold. Another content is refused with `document_changed_on_disk`; null
   * means that there must be no such file.
   */
  readonly etag: string | null
}

/** What is handed over to other programs: a file of its own, which the app doesn't come back to. */
export interface HandedOver {
  /** With the ending that says what it is. */
  readonly name: string
  readonly content: string | Uint8Array
}

/** What is to be chosen. */
export interface PathWish {
  readonly kind: 'file' | 'folder'
  readonly from: string | null
}

export interface RecentFile {
  readonly path: string
  readonly openedAt: Instant
}

export type ThemeChoice = 'system' | 'light' | 'dark'

export interface DesktopSettings {
  readonly theme: ThemeChoice
  /** Which runs the system tells of while no window of the app is in front. */
  readonly runNotices: RunNotices
  /** Whether windows come back with what was open in them. */
  readonly reopensLastFile: boolean
  /** Whether the engine goes on in the background once the last window is closed. */
  readonly keepsRunning: boolean
}

/** What the app was asked to show from outside: by the system, a second start, a link, a notice. */
export type OpenRequest =
  | { readonly kind: 'file'; readonly path: string }
  /** One that the window has open, by its key. */
  | { readonly kind: 'document'; readonly key: string }
  /** The window was opened for that alone, beside the one that asked. */
  | { readonly kind: 'aside'; readonly link: DeepLink }
  | DeepLink

/** The state of one menu command, by its id. */
export interface MenuCommandState {
  readonly id: string
  readonly isEnabled: boolean
}

/** Editing a text field from the menu is the browser's own work. */
export type TextEdit = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'delete' | 'selectAll'

/** The `data` of the window message that carries the engine's port in `ports[0]`. */
export interface EnginePortMessage {
  readonly kind: 'sagasmith.engine-port'
  readonly requestId: string
}

export interface DesktopVersions {
  readonly app: string
  readonly electron: string
  readonly chrome: string
  readonly node: string
}

/** Stops what a subscription began. */
export type Unsubscribe = () => void

export interface DesktopApi {
  readonly platform: string
  /**
   * Asks for a line to the engine. On success the port arrives as a `message` event of `window` whose
   * `source` is the window itself and whose data is an `EnginePortMessage` with this id. A port that
   * closes means that the engine ended; ask for a new one when its state says `running`.
   */
  readonly openEnginePort: (requestId: string) => DesktopAnswer<null>
  /** The state now. Ask once at start: what was pushed before the page listened is lost. */
  readonly engineState: () => DesktopAnswer<EngineProcessState>
  readonly onEngineState: (listener: (state: EngineProcessState) => void) => Unsubscribe
  /** Starts an engine that is `stopped`. */
  readonly restartEngine: () => DesktopAnswer<null>

  /** Lets the person choose a workflow file and reads it; null when they change their mind. */
  readonly openWorkflowDialog: () => DesktopAnswer<DesktopFile | null>
  /** Lets the person choose where to save; null when they change their mind. */
  readonly saveWorkflowDialog: (suggestedName: string) => DesktopAnswer<SaveTarget | null>
  /**
   * Lets the person choose a file or folder that a step is to use; null when they change their mind. Nothing
   * of it is read. `from` is the workflow's file, whose folder is shown first.
   */
  readonly choosePathDialog: (wish: PathWish) => DesktopAnswer<string | null>
  /** Lets the person choose a place for a file of any kind and writes it there; false when they change their mind. */
  readonly handOverFile: (file: HandedOver) => DesktopAnswer<boolean>
  /** Reads a file the person chose before: by dialog, from the recent list or on the command line. */
  readonly readWorkflowFile: (path: string) => DesktopAnswer<DesktopFile>
  /** What such a file holds now; null when it is what the etag says. */
  readonly lookAtWorkflowFile: (path: string, etag: string) => DesktopAnswer<DesktopFile | null>
  /** Writes atomically; gives the new etag. */
  readonly saveWorkflowFile: (request: SaveRequest) => DesktopAnswer<{ readonly etag: string }>
  /** Newest first. */
  readonly recentFiles: () => DesktopAnswer<readonly RecentFile[]>
  readonly forgetRecentFile: (path: string) => DesktopAnswer<null>
  readonly revealInFolder: (path: string) => DesktopAnswer<null>
  /** What this window was asked to show from outside, once; null when there is nothing. */
  readonly takeOpenRequest: () => DesktopAnswer<OpenRequest | null>
  /** Says that there is something to take with `takeOpenRequest`. */
  readonly onOpenRequest: (listener: () => void) => Unsubscribe

  readonly getSettings: () => DesktopAnswer<DesktopSettings>
  readonly setSettings: (change: Partial<DesktopSettings>) => DesktopAnswer<DesktopSettings>
  /**
   * Shows a notice of the system, unless a window of the app is in front or another one has told the same
   * news. A click brings the window to the front and has it asked for where the notice leads.
   */
  readonly notify: (notice: Notice) => DesktopAnswer<null>
  /** How much waits for the person, on the app's icon where the system has a place for it; 0 for nothing. */
  readonly setBadge: (count: number) => DesktopAnswer<null>
  /** Opens another window: with nothing in it, or for what the address of ours leads to. */
  readonly newWindow: (link: string | null) => DesktopAnswer<null>
  /** What this window left with `setWindowSession` before the app was last closed; empty for a new one. */
  readonly windowSession: () => DesktopAnswer<string>
  readonly setWindowSession: (text: string) => DesktopAnswer<null>
  /**
   * Says which documents this window has open, by their paths, or their drafts' ids. False, and nothing is
   * changed, when another window has one of them, which is in front by then and asked to show it: two windows
   * never edit the same document.
   */
  readonly claimDocuments: (keys: readonly string[]) => DesktopAnswer<boolean>
  /** Opens an https address in the person's browser. */
  readonly openExternal: (url: string) => DesktopAnswer<null>
  readonly setWindowTitle: (title: string) => DesktopAnswer<null>

  /** A command chosen from the native menu, by the id of the command registry. */
  readonly onMenuCommand: (listener: (id: string) => void) => Unsubscribe
  readonly setMenuState: (states: readonly MenuCommandState[]) => DesktopAnswer<null>
  /** Runs an edit of the focused text field, as the system's own menu would. */
  readonly editText: (edit: TextEdit) => DesktopAnswer<null>
  readonly versions: () => DesktopAnswer<DesktopVersions>
}
