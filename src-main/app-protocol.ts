/**
 * Serves the built designer under `app://sagasmith/`: files below one folder and nothing else, each with
 * a strict Content-Security-Policy.
 */

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { contentSecurityPolicy, noncePlaceholder } from '../src-engine/protocol/content-policy.ts'

export const appScheme = 'app'
const appHost = 'sagasmith'
/** Scheme and host of our own pages. */
export const appOrigin = `${appScheme}://${appHost}`
export const appStartUrl = `${appOrigin}/index.html`

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** The file a request means, or null when it points outside the folder. */
export function fileOfRequest(url: string, folder: string): string | null {
  const { host, pathname } = new URL(url)
  if (host !== appHost) return null
  let decoded = ''
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    // A broken escape names no file of ours.
    return null
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null
  const root = normalize(folder)
  const path = normalize(join(root, decoded === '/' ? 'index.html' : decoded))
  return path.startsWith(root.endsWith(sep) ? root : root + sep) ? path : null
}

const refused = (status: number): Response =>
  new Response(null, { status, headers: { 'x-content-type-options': 'nosniff' } })

function headersFor(path: string, nonce: string): Record<string, string> {
  return {
    'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
    'content-security-policy': contentSecurityPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': extname(path) === '.html' ? 'no-store' : 'no-cache',
  }
}

/** The handler for `protocol.handle`; `folder` holds the built renderer. */
export function appProtocolHandler(folder: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refused(405)
    const path = fileOfRequest(request.url, folder)
    if (path === null) return refused(404)
    const bytes = await readFile(path).catch(() => null)
    if (bytes === null) return refused(404)
    const nonce = randomBytes(18).toString('base64')
    const isPage = extname(path) === '.html'
    const body = isPage ? bytes.toString('utf8').replaceAll(noncePlaceholder, nonce) : new Uint8Array(bytes)
    return new Response(body, { headers: headersFor(path, nonce) })
  }
}
