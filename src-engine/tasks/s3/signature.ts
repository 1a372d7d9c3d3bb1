/** AWS's Signature Version 4: what proves to an object store who asks, without sending the key. */

import { createHash, createHmac } from 'node:crypto'
import type { Instant } from '../../model/time.ts'

export interface Signer {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken: string
  readonly region: string
  readonly at: Instant
}

export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Of the body, as hex; or `UNSIGNED-PAYLOAD`. */
  readonly bodyHash: string
}

const algorithm = 'AWS4-HMAC-SHA256'

/** The SHA-256 of bytes or a text, as hex. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Text as it stands in a signed address: all but letters, digits and `-._~` as bytes. */
export const signedText = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** The headers of the request, signed. */
export function signedHeaders(request: UnsignedRequest, signer: Signer): Readonly<Record<string, string>> {
  const stamp = stampOf(signer.at)
  const headers = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': stamp,
    ...(signer.sessionToken === '' ? {} : { 'x-amz-security-token': signer.sessionToken }),
  }
  const names = Object.keys(headers).toSorted().join(';')
  const signature = signatureOf({ ...request, headers }, { names, stamp, signer })
  const credential = `${signer.accessKey}/${scopeOf(stamp, signer)}`
  return {
    ...headers,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** The address by which anybody can do it until it expires. */
export function presignedUrl(
  request: { readonly method: string; readonly url: URL },
  signer: Signer,
  seconds: number,
): URL {
  const stamp = stampOf(signer.at)
  const query = new Map([
    ...request.url.searchParams,
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${signer.accessKey}/${scopeOf(stamp, signer)}`],
    ['X-Amz-Date', stamp],
    ['X-Amz-Expires', String(seconds)],
    ['X-Amz-SignedHeaders', 'host'],
    ...(signer.sessionToken === '' ? [] : ([['X-Amz-Security-Token', signer.sessionToken]] as const)),
  ])
  const text = (entries: Iterable<readonly [string, string]>): string =>
    [...entries].map(([name, value]) => `${signedText(name)}=${signedText(value)}`).join('&')
  const url = new URL(request.url)
  url.search = text(query)
  const asked = { method: request.method, url, headers: { host: url.host }, bodyHash: 'UNSIGNED-PAYLOAD' }
  query.set('X-Amz-Signature', signatureOf(asked, { names: 'host', stamp, signer }))
  url.search = text(query)
  return url
}

const stampOf = (at: Instant): string => new Date(at).toISOString().replace(/[:-]|\.\d+/g, '')

const scopeOf = (stamp: string, { region }: Signer): string =>
  `${stamp.slice(0, 8)}/${region}/s3/aws4_request`

function signatureOf(
  { method, url, headers, bodyHash }: UnsignedRequest,
  { names, stamp, signer }: { readonly names: string; readonly stamp: string; readonly signer: Signer },
): string {
  const query = [...url.searchParams]
    .map(([name, value]) => `${signedText(name)}=${signedText(value)}`)
    .toSorted()
    .join('&')
  const lines = Object.entries(headers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}\n`)
  const canonical = [method, url.pathname, query, lines.join(''), names, bodyHash].join('\n')
  const scope = scopeOf(stamp, signer)
  const text = [algorithm, stamp, scope, sha256(canonical)].join('\n')
  const key = [stamp.slice(0, 8), signer.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${signer.secretKey}`,
  )
  return createHmac('sha256', key).update(text).digest('hex')
}
