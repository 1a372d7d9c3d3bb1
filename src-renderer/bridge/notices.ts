/** Notices of the system: by the desktop app, or by the browser once its person allowed them. */

import type { DesktopApi } from '../../src-engine/protocol/desktop-api.ts'
import type { NoticePermission, Notices } from '../state/services.ts'

/** Those of the desktop app; of the browser without one. */
export const noticesOf = (desktop: DesktopApi | null): Notices =>
  desktop === null ? browserNotices() : desktopNotices(desktop)

/** The app knows whether somebody looks at it, and brings a click back as something to open. */
const desktopNotices = (desktop: DesktopApi): Notices => ({
  permission: () => 'granted',
  ask: () => Promise.resolve('granted'),
  show: (notice) => void desktop.notify(notice),
  onClick: () => undefined,
  setBadge: (count) => void desktop.setBadge(count),
})

function browserNotices(): Notices {
  let clicked: Parameters<Notices['onClick']>[0] = () => undefined
  return {
    permission: () => (hasNotices() ? permissionOf(Notification.permission) : 'refused'),
    ask: async () => (hasNotices() ? permissionOf(await Notification.requestPermission()) : 'refused'),
    show: ({ title, body, leadsTo }) => {
      if (!hasNotices() || Notification.permission !== 'granted' || document.hasFocus()) return
      // One at a time: a newer one takes the place of one that nobody looked at.
      const notice = new Notification(title, { body, tag: 'sagasmith' })
      notice.addEventListener('click', () => {
        window.focus()
        notice.close()
        clicked(leadsTo)
      })
    },
    onClick: (listener) => {
      clicked = listener
    },
    setBadge,
  }
}

/** Only pages that were installed as apps have an icon; the others show it in their title. */
function setBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return
  const shown = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)
  shown.catch(() => undefined)
}

/** Some browsers have none, or none on pages that aren't secure. */
const hasNotices = (): boolean => 'Notification' in globalThis

const permissionOf = (permission: globalThis.NotificationPermission): NoticePermission =>
  permission === 'granted' ? 'granted' : permission === 'denied' ? 'refused' : 'undecided'
