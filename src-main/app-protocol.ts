/**
 * Serves the built designer under `app://sagasmith/`: the same files with the same policy as the browser
 * shell, below one host and nothing else.
 */

import { staticAnswer } from '../src-engine/shell/static-files.ts'

export const appScheme = 'app'
const appHost = 'sagasmith'
/** Scheme and host of our own pages. */
export const appOrigin = `${appScheme}://${appHost}`
export const appStartUrl = `${appOrigin}/index.html`

/** On every answer, refusals included. */
const commonHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const

const refused = (status: 404 | 405): Response => new Response(null, { status, headers: commonHeaders })

/** The path of a request to our own host, still encoded. */
function pathOf(url: string): string | null {
  const { host, pathname } = new URL(url)
  return host === appHost ? pathname : null
}

/** The handler for `protocol.handle`; `folder` holds the built renderer. */
export function appProtocolHandler(folder: string): (request: Request) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return refused(405)
    const path = pathOf(url)
    if (path === null) return refused(404)
    const { status, headers, body } = await staticAnswer(folder, path)
    const bytes = typeof body === 'string' ? body : new Uint8Array(body)
    return new Response(bytes, { status, headers: { ...headers, ...commonHeaders } })
  }
}
