/** Notices of the system: one per news, however many windows tell it, and none to who looks at the app. */

import type { Notification } from 'electron'
import type { DeepLink } from '../src-engine/protocol/deep-link.ts'
import type { Notice } from '../src-engine/protocol/notices.ts'

/** Windows tell the same news within moments, but not always together with the same others; older news doesn't come again. */
const rememberedMax = 200

export interface NoticesDeps {
  readonly isSupported: () => boolean
  readonly create: (text: { readonly title: string; readonly body: string }) => Notification
  /** Whether a window of the app is in front. */
  readonly isLookedAt: () => boolean
}

export interface DesktopNotices {
  /** `onClick` gets where the notice leads. */
  readonly show: (notice: Notice, onClick: (leadsTo: DeepLink) => void) => void
}

/** Makes the teller of notices. */
export function createNotices({ isSupported, create, isLookedAt }: NoticesDeps): DesktopNotices {
  const told = new Set<string>()
  /** Held until they are gone: a notice that is collected as garbage answers no click. */
  const held = new Set<Notification>()
  return {
    show: ({ news, title, body, leadsTo }, onClick) => {
      if (news.every((one) => told.has(one))) return
      for (const one of news) told.add(one)
      for (const oldest of [...told].slice(0, -rememberedMax)) told.delete(oldest)
      if (!isSupported() || isLookedAt()) return
      const notice = create({ title, body })
      held.add(notice)
      notice.on('close', () => held.delete(notice))
      notice.on('click', () => {
        held.delete(notice)
        onClick(leadsTo)
      })
      notice.show()
    },
  }
}
