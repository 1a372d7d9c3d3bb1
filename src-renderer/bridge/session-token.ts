/** The one-time token: from the address's fragment into the session, and out of sight. */

const storageKey = 'sagasmith.token'

/** The token of this page; null when it was opened without one. */
export function takeSessionToken(
  page: Pick<Window, 'location' | 'history' | 'sessionStorage'>,
): string | null {
  const found = /^#(?:.*&)?t=([^&]+)/.exec(page.location.hash)?.[1]
  if (found === undefined) return page.sessionStorage.getItem(storageKey)
  page.sessionStorage.setItem(storageKey, found)
  const rest = page.location.hash
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('t='))
  const hash = rest.length === 0 ? '' : `#${rest.join('&')}`
  page.history.replaceState(null, '', page.location.pathname + page.location.search + hash)
  return found
}
