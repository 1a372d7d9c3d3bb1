/** What the designer needs from the page around it; injected, so that tests bring their own. */

import type { DeepLink } from '../../src-engine/protocol/deep-link.ts'
import type { DesktopApi } from '../../src-engine/protocol/desktop-api.ts'
import type { Notice } from '../../src-engine/protocol/notices.ts'
import type { EngineConnection } from '../bridge/connection.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import type { SelectedCluster } from './site.ts'

/** The page's clock, timers and ids. */
export interface Ambient {
  readonly now: () => number
  readonly newId: () => string
  /** Calls once after the span; returns the way to cancel. */
  readonly after: (ms: number, call: () => void) => () => void
  /** Calls before the next frame is drawn, or soon when nothing is drawn. */
  readonly onFrame: (call: () => void) => void
  /** The SHA-256 of a text, in hexadecimal digits. */
  readonly digest: (text: string) => Promise<string>
  /** Whether the person asked their system for less movement. */
  readonly prefersStillness: () => boolean
}

/** Small texts kept between visits. */
export interface Memory {
  readonly read: (key: string) => string | null
  readonly write: (key: string, text: string) => void
}

/** How a browser page hands over and takes in files. */
export interface FileExchange {
  /** Hands a file over to the person; false when they changed their mind. */
  readonly download: (name: string, content: string | Uint8Array) => Promise<boolean>
  /** A file the person picks; null when they change their mind. */
  readonly pick: () => Promise<{ readonly name: string; readonly bytes: Uint8Array } | null>
}

/** Whether a page may show notices: `undecided` until its person was asked. */
export type NoticePermission = 'granted' | 'refused' | 'undecided'

/** Tells a person who looks at something else that they are needed. */
export interface Notices {
  readonly permission: () => NoticePermission
  /** Asks the person; only while they click. Gives what it is afterwards. */
  readonly ask: () => Promise<NoticePermission>
  /** Does nothing without permission, nor while the person looks at the page. */
  readonly show: (notice: Notice) => void
  /** Called with where a clicked notice leads; the page is in front by then. */
  readonly onClick: (listener: (leadsTo: DeepLink) => void) => void
  /** On the app's icon, where there is one. */
  readonly setBadge: (count: number) => void
}

/** The designer's other pages of this machine. */
export interface Pages {
  /** Opens one more in a window of its own. Throws where the browser doesn't let it. */
  readonly open: (address: string) => void
  /** Says something to all others. */
  readonly tell: (text: string) => void
  readonly onTold: (listener: (text: string) => void) => void
}

export interface Services {
  readonly connection: EngineConnection
  /** Another line: to a cluster, or (null) to this computer. */
  readonly connectTo: (cluster: SelectedCluster | null) => EngineConnection
  /** Null in a browser. */
  readonly desktop: DesktopApi | null
  readonly specs: SpecsByKind
  readonly ambient: Ambient
  readonly memory: Memory
  readonly exchange: FileExchange
  readonly notices: Notices
  readonly pages: Pages
  /** Whether the page was opened for one run beside another: it has no tabs that anybody keeps. */
  readonly isAside: boolean
  /** Starts the page again, with what it remembers. */
  readonly restart: () => void
}
