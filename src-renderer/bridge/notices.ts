/** Notices of the system: by the desktop app, or by the browser once its person allowed them. */

import type { DesktopApi } from '../../src-engine/protocol/desktop-api.ts'
import type { NoticePermission, Notices } from '../state/services.ts'

/** Those of the desktop app; of the browser without one. */
export const noticesOf = (desktop: DesktopApi | null): Notices =>
  desktop === null ? browserNotices : desktopNotices(desktop)

function desktopNotices(desktop: DesktopApi): Notices {
  let clicked: (() => void) | null = null
  desktop.onNoticeClick(() => clicked?.())
  return {
    permission: () => 'granted',
    ask: () => Promise.resolve('granted'),
    show: ({ title, body, onClick }) => {
      // All lead to the same place: what the newest one does is right for those before it.
      clicked = onClick
      void desktop.notify({ title, body })
    },
    setBadge: (count) => void desktop.setBadge(count),
  }
}

const browserNotices: Notices = {
  permission: () => (hasNotices() ? permissionOf(Notification.permission) : 'refused'),
  ask: async () => (hasNotices() ? permissionOf(await Notification.requestPermission()) : 'refused'),
  show: ({ title, body, onClick }) => {
    if (!hasNotices() || Notification.permission !== 'granted') return
    // One at a time: a newer one takes the place of one that nobody looked at.
    const notice = new Notification(title, { body, tag: 'sagasmith' })
    notice.addEventListener('click', () => {
      window.focus()
      notice.close()
      onClick()
    })
  },
  // Only pages that were installed as apps have an icon; the others show it in their title.
  setBadge: (count) => {
    if (!('setAppBadge' in navigator)) return
    const shown = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)
    shown.catch(() => undefined)
  },
}

/** Some browsers have none, or none on pages that aren't secure. */
const hasNotices = (): boolean => 'Notification' in globalThis

const permissionOf = (permission: globalThis.NotificationPermission): NoticePermission =>
  permission === 'granted' ? 'granted' : permission === 'denied' ? 'refused' : 'undecided'
