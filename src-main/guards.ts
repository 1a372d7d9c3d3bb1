/** What a page may never do: leave our origin, open windows, embed others, or get permissions. */

import type { Session, WebContents } from 'electron'
import { originOf } from './ipc/router.ts'

export interface GuardDeps {
  readonly trustedOrigin: string
  /** Opens an address in the person's own browser. */
  readonly openExternal: (url: string) => void
}

/** Copy and Paste of the menu and of buttons need these two; everything else is denied. */
const permitted: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read'])

interface NavigationEvent {
  readonly url: string
  readonly preventDefault: () => void
}

/** Guards one page from the moment it exists. */
export function guardContents(contents: WebContents, { trustedOrigin, openExternal }: GuardDeps): void {
  const stay = (event: NavigationEvent): void => {
    if (originOf(event.url) !== trustedOrigin) event.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-frame-navigate', stay)
  contents.on('will-redirect', stay)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (originOf(url).startsWith('https://')) openExternal(url)
    return { action: 'deny' }
  })
}

/** Denies every permission that the designer does not use, asked for, checked or by device. */
export function guardSession(session: Session, trustedOrigin: string): void {
  session.setPermissionRequestHandler((...[, permission, answer, details]) => {
    answer(permitted.has(permission) && originOf(details.requestingUrl) === trustedOrigin)
  })
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return permitted.has(permission) && originOf(origin) === trustedOrigin
  })
  session.setDevicePermissionHandler(() => false)
}
