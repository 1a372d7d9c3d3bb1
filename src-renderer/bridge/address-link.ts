/** Links in the fragment of the page's own address: what `sagasmith://` is to the app, for a page in a browser. */

import type { DeepLink } from '../../src-engine/protocol/deep-link.ts'
import { deepLinkOf, readDeepLink } from '../../src-engine/protocol/deep-link.ts'

type Page = Pick<Window, 'addEventListener' | 'history' | 'location'>

/** The address of a place, for who may open this page. */
export const addressOf = ({ origin, pathname }: Pick<Location, 'origin' | 'pathname'>, link: DeepLink) =>
  `${origin}${pathname}#to=${encodeURIComponent(deepLinkOf(link))}`

/** The same for a window that is opened beside this one, for that alone. */
export const asideAddressOf = (page: Pick<Location, 'origin' | 'pathname'>, link: DeepLink) =>
  addressOf(page, link).replace('#', '#aside&')

/** Whether the page was opened so. */
export const isAsideAddress = (hash: string): boolean => hash.startsWith('#aside&')

/** Shows where the address leads, now and whenever it is changed; the fragment goes, so that it is shown once. */
export function followAddress(page: Page, show: (link: DeepLink) => void): void {
  const take = (): void => {
    const found = /^#(?:.*&)?to=([^&]+)/.exec(page.location.hash)?.[1]
    if (found === undefined) return
    page.history.replaceState(null, '', page.location.pathname + page.location.search)
    const link = readDeepLink(decoded(found))
    if (link !== null) show(link)
  }
  take()
  page.addEventListener('hashchange', take)
}

/** Broken escapes lead nowhere. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
