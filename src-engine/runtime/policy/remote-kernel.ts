/** A safety kernel that is asked over HTTP: one POST per question, answered within two seconds or not at all. */

import { readFileSync } from 'node:fs'
import type { RequestOptions } from 'node:http'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { PolicyRequest } from '../../model/policy/policy.ts'
import type { ReadAnswer } from '../../model/policy/remote-answer.ts'
import { readRemoteAnswer } from '../../model/policy/remote-answer.ts'
import { nodeHttp, nodeHttps, nodeTls } from '../node-http.ts'

export interface RemoteKernel {
  /** Asks. Rejects with `safety_unavailable` when there is no answer that makes sense. */
  readonly ask: (request: PolicyRequest, signal: AbortSignal) => Promise<ReadAnswer>
}

export interface RemoteKernelOptions {
  readonly url: string
  /** Empty for none. */
  readonly token: string
  /** A file with certificates that vouch for it; empty for those of the system. */
  readonly tlsCa: string
  /** Refuse an address without TLS. */
  readonly tlsRequired: boolean
  /** Leave its certificate unchecked. */
  readonly insecure: boolean
}

/** An answer is small. */
const answerBytesMax = 65_536

/** Throws `bad_request` for an address that may not be used, or certificates that can't be read. */
export function createRemoteKernel(options: RemoteKernelOptions): RemoteKernel {
  const url = new URL(options.url)
  const isTls = url.protocol === 'https:'
  if (options.tlsRequired && !isTls) {
    throw new SagasmithError('bad_request', {
      message: `The setting safety_kernel_url (${options.url}) has no TLS, and safety_kernel_tls_required asks for it.`,
      hint: 'Use an https address, or turn safety_kernel_tls_required off.',
      details: { setting: 'safety_kernel_url' },
    })
  }
  const tls = isTls ? tlsOptions(options) : {}
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(options.token === '' ? {} : { authorization: `Bearer ${options.token}` }),
  }
  return {
    ask: async (request, signal) => {
      const text = await exchange(url, { ...tls, method: 'POST', headers, signal }, JSON.stringify(request))
      const read = readRemoteAnswer(parsed(text))
      if (read === null) throw unavailable('The safety kernel gave no answer that makes sense.')
      return read
    },
  }
}

function tlsOptions({ tlsCa, insecure }: RemoteKernelOptions) {
  const rejectUnauthorized = !insecure
  if (tlsCa === '') return { rejectUnauthorized }
  try {
    return { rejectUnauthorized, ca: [...nodeTls().rootCertificates, readFileSync(tlsCa, 'utf8')] }
  } catch (thrown) {
    throw new SagasmithError('bad_request', {
      message: `The certificates at ${tlsCa} (safety_kernel_tls_ca) can’t be read.`,
      hint: 'Check the path, and that the file may be read.',
      details: { setting: 'safety_kernel_tls_ca' },
      cause: thrown,
    })
  }
}

function exchange(url: URL, options: RequestOptions, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown): void => reject(unavailable(recordOfThrown(thrown).message, thrown))
    const sent = (url.protocol === 'https:' ? nodeHttps() : nodeHttp()).request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > answerBytesMax) response.destroy(new Error('Its answer is too large.'))
      })
      response.on('error', fail)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) resolve(text)
        else fail(new Error(`It answered with status ${status}.`))
      })
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Anything but JSON is no answer; the caller says so.
    return null
  }
}

const unavailable = (why: string, cause?: unknown): SagasmithError =>
  new SagasmithError('safety_unavailable', { message: `The safety kernel could not be asked: ${why}`, cause })
