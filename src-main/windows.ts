/**
 * The designer's windows: which there are, which document each has, what each is asked to show, and how they
 * come back at the next start.
 */

import type { BrowserWindow, WebContents } from 'electron'
import type { DeepLink } from '../src-engine/protocol/deep-link.ts'
import type { OpenRequest } from '../src-engine/protocol/desktop-api.ts'
import { pushChannels } from './ipc/channel-names.ts'
import type { SettingsStore, WindowBounds, WindowRecord } from './ipc/settings.ts'
import { boundsOf } from './window.ts'

/** A further window stands this far from the one in front, so that both are seen. */
const cascade = 28

export interface WindowsDeps {
  /** Opens one; null for no remembered place. */
  readonly open: (remembered: WindowBounds | null) => BrowserWindow
  readonly settings: Pick<SettingsStore, 'get' | 'windows' | 'setWindows'>
  /** Called when the first window came or the last one went. */
  readonly onCount: (count: number) => void
}

interface OpenedWindow {
  readonly window: BrowserWindow
  readonly comesBack: boolean
  session: string
  /** Paths or drafts of the documents that it has open. */
  documents: readonly string[]
  /** The newest request that its page has not taken: what is pushed before a page listens is lost. */
  request: OpenRequest | null
}

export class Windows {
  readonly #deps: WindowsDeps
  /** Open ones, the newest in front last. */
  readonly #opened: OpenedWindow[] = []
  /** Those to come back; one that is closed while others stay is not among them. */
  #kept = new Map<BrowserWindow, WindowRecord>()
  #isQuitting = false

  constructor(deps: WindowsDeps) {
    this.#deps = deps
  }

  /** How many there are. */
  get count(): number {
    return this.#opened.length
  }

  /** Opens those of the last time, or one. */
  restore(): void {
    const { get, windows } = this.#deps.settings
    const records = [...windows()]
    this.#kept = new Map()
    if (!get().reopensLastFile) this.#open(records.at(-1)?.bounds ?? null, '')
    else if (records.length === 0) this.#open(null, '')
    else for (const { bounds, session } of records) this.#open(bounds, session)
  }

  /** Opens one with nothing in it, beside the one in front. */
  openAnother(): void {
    const front = this.front()
    if (front === null) {
      this.restore()
      return
    }
    this.#open(this.#beside(front), '')
  }

  /** Opens one for what a page shows, beside it. It doesn't come back after a restart. */
  openAside(link: DeepLink): void {
    const front = this.front()
    const entry = this.#open(front === null ? null : this.#beside(front), '', false)
    entry.request = { kind: 'aside', link }
  }

  /** The one that was in front last; null when there is none. */
  front(): BrowserWindow | null {
    return this.#opened.at(-1)?.window ?? null
  }

  /** Brings the window to the front; opens those of the last time when there are none. */
  show(window: BrowserWindow | null = this.front()): void {
    if (window === null) {
      this.restore()
      return
    }
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  /** Has a page show something: that of `window`, else the one in front. */
  ask(request: OpenRequest, window: BrowserWindow | null = null): void {
    if (this.count === 0) this.restore()
    const found = this.#opened.find((entry) => entry.window === window) ?? this.#opened.at(-1)
    if (found === undefined) return
    found.request = request
    found.window.webContents.send(pushChannels.openRequest)
  }

  /** What that page was asked to show, once. */
  takeRequest(sender: WebContents): OpenRequest | null {
    const entry = this.#of(sender)
    const request = entry?.request ?? null
    if (entry !== undefined) entry.request = null
    return request
  }

  session(sender: WebContents): string {
    return this.#of(sender)?.session ?? ''
  }

  setSession(sender: WebContents, text: string): void {
    const entry = this.#of(sender)
    if (entry === undefined || entry.session === text) return
    entry.session = text
    this.#keep(entry)
  }

  /** Gives documents to that page, unless another window has one: then that one comes to the front with it. */
  claim(sender: WebContents, documents: readonly string[]): boolean {
    const asking = this.#of(sender)
    for (const { window, documents: held } of this.#opened.filter((entry) => entry !== asking)) {
      const key = documents.find((wanted) => held.includes(wanted))
      if (key === undefined) continue
      this.show(window)
      this.ask({ kind: 'document', key }, window)
      return false
    }
    if (asking !== undefined) asking.documents = documents
    return true
  }

  /** Sends to every page; a page that is still loading asks for what it missed. */
  push(channel: string, ...args: readonly unknown[]): void {
    for (const { window } of this.#opened) window.webContents.send(channel, ...args)
  }

  /** From here on, windows close because the app ends: all of them are to come back. */
  quitting(): void {
    this.#isQuitting = true
  }

  #of(sender: WebContents): OpenedWindow | undefined {
    return this.#opened.find(({ window }) => window.webContents === sender)
  }

  #beside(window: BrowserWindow): WindowBounds {
    const { x, y, ...rest } = boundsOf(window)
    return { ...rest, x: x + cascade, y: y + cascade, isMaximized: false }
  }

  #open(remembered: WindowBounds | null, session: string, comesBack = true): OpenedWindow {
    const window = this.#deps.open(remembered)
    const entry: OpenedWindow = { window, comesBack, session, documents: [], request: null }
    this.#isQuitting = false
    this.#opened.push(entry)
    // One that went while only windows aside stayed was kept until another came.
    const isThere = (one: BrowserWindow): boolean => this.#opened.some((other) => other.window === one)
    if (comesBack) for (const one of this.#kept.keys()) if (!isThere(one)) this.#kept.delete(one)
    this.#keep(entry)
    window.on('focus', () => {
      this.#opened.splice(this.#opened.indexOf(entry), 1)
      this.#opened.push(entry)
    })
    // The app waits for the settings before it exits.
    window.on('close', () => {
      const stay = this.#opened.filter((other) => other !== entry && other.comesBack)
      if (this.#isQuitting || stay.length === 0) this.#keep(entry)
      else this.#forget(window)
    })
    window.on('closed', () => {
      this.#opened.splice(this.#opened.indexOf(entry), 1)
      if (this.count === 0) this.#deps.onCount(0)
    })
    if (this.count === 1) this.#deps.onCount(1)
    return entry
  }

  #keep({ window, session, comesBack }: OpenedWindow): void {
    if (!comesBack) return
    this.#kept.set(window, { bounds: boundsOf(window), session })
    this.#write()
  }

  #forget(window: BrowserWindow): void {
    this.#kept.delete(window)
    this.#write()
  }

  #write(): void {
    void this.#deps.settings.setWindows([...this.#kept.values()]).catch(() => undefined)
  }
}
