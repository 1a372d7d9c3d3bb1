/** Reads the body of a call, up to a limit. */

import type { IncomingMessage } from 'node:http'

export type ReadBody =
  | { readonly kind: 'read'; readonly body: Buffer }
  | { readonly kind: 'too-large' }
  /** The caller hung up before its end, or took too long. */
  | { readonly kind: 'broken' }

export function readBody(request: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > bytesMax) return Promise.resolve({ kind: 'too-large' })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) {
        request.removeAllListeners('data')
        request.pause()
        resolve({ kind: 'too-large' })
        return
      }
      chunks.push(chunk)
    })
    request.once('end', () => resolve({ kind: 'read', body: Buffer.concat(chunks) }))
    request.once('error', () => resolve({ kind: 'broken' }))
    request.once('close', () => resolve({ kind: 'broken' }))
  })
}
