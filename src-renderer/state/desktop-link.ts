/** What the desktop app wants to know: the window's title, which menu items count, files opened from outside. */

import { answered } from '../bridge/desktop.ts'
import { appCommands } from '../commands/registry.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { isDirty } from './document-store.ts'
import { openRequest } from './open-link.ts'
import { beginAside } from './run-aside.ts'

/** The menu is told at most this often. */
const menuDelayMs = 100

/** Keeps the desktop app informed; does nothing in a browser. Links are followed once the tabs are `restored`. */
export function startDesktop(designer: Designer, restored: Promise<void>): void {
  followTitle(designer)
  const { desktop } = designer
  if (desktop === null) return
  const takeRequest = (): void =>
    void attempt(designer, async () => {
      const request = await answered(desktop.takeOpenRequest())
      if (request === null) return
      // A tab that comes back takes what is shown along; a file that is opened keeps it from the front.
      if (request.kind !== 'file' && request.kind !== 'document') await restored
      if (request.kind === 'aside') await beginAside(designer, request.link)
      else await openRequest(designer, request)
    })
  desktop.onOpenRequest(takeRequest)
  takeRequest()
  let isWaiting = false
  const tellMenu = (): void => {
    if (isWaiting) return
    isWaiting = true
    designer.ambient.after(menuDelayMs, () => {
      isWaiting = false
      void desktop.setMenuState(
        appCommands.map((command) => ({ id: command.id, isEnabled: command.isEnabled(designer) })),
      )
    })
  }
  for (const store of [designer.document, designer.view, designer.runs]) store.subscribe(tellMenu)
  tellMenu()
}

function followTitle(designer: Designer): void {
  let shown = ''
  const tell = (): void => {
    const state = designer.document.getState()
    const waiting = designer.inbox.getState().entries.length
    const open = state.isOpen ? `${isDirty(state) ? '• ' : ''}${state.history.document.title} — ` : ''
    // What waits is seen on a tab or in a task bar too.
    const title = `${waiting === 0 ? '' : `(${waiting}) `}${open}Sagasmith`
    if (title === shown) return
    shown = title
    document.title = title
    void designer.desktop?.setWindowTitle(title)
  }
  designer.document.subscribe(tell)
  designer.inbox.subscribe(tell)
  tell()
}
