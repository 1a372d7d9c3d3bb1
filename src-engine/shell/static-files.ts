/** The built designer as HTTP responses: public files of one folder, and nothing outside of it. */

import { randomBytes } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

export interface StaticAnswer {
  readonly status: 200 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.map': 'application/json; charset=utf-8',
}

const notFound: StaticAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'There is no such page.\n',
}

/** Answers for a request path as it came, still encoded. `/` is the designer itself. */
export async function staticAnswer(folder: string, requestPath: string): Promise<StaticAnswer> {
  const path = await fileFor(folder, requestPath)
  if (path === null) return notFound
  const extension = extname(path)
  const type = types[extension]
  if (type === undefined) return notFound
  const bytes = await readFile(path)
  if (extension === '.html') return page(bytes.toString('utf8'), type)
  // Built files other than pages carry a hash of their content in their name.
  const caching = requestPath.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return { status: 200, headers: { 'content-type': type, 'cache-control': caching }, body: bytes }
}

/** The real path of a file below the folder; null for everything else, links out of it included. */
async function fileFor(folder: string, requestPath: string): Promise<string | null> {
  const decoded = decode(requestPath)
  // Encoded separators, drive letters and zero bytes have no business in a path of ours.
  if (decoded === null || /[\\\0:]/.test(decoded) || /%(?:2f|5c|00)/i.test(requestPath)) return null
  const wanted = normalize(join(folder, decoded === '/' ? 'index.html' : decoded))
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(wanted)])
    return real.startsWith(root + sep) && extname(real) !== '' ? real : null
  } catch {
    // Nothing there, which is the answer.
    return null
  }
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    // Malformed percent signs name no file.
    return null
  }
}

/** A page with a nonce of its own for the style elements that libraries create at run time. */
function page(html: string, type: string): StaticAnswer {
  const nonce = randomBytes(18).toString('base64url')
  const meta = `<meta name="csp-nonce" content="${nonce}">`
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
  ]
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
    },
    body: html.replace(/<head([^>]*)>/i, `<head$1>${meta}`),
  }
}
