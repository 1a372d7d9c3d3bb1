/** How a curl command gets to its host: through a proxy, with certificates. Pure. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { curlWords as words } from '../text/curl-words.ts'
import type { CurlOptions, OptionName } from './curl-options.ts'
import type { CurlSecret } from './curl-secret.ts'
import { asLiteral } from './literal.ts'

export interface CurlConnection {
  readonly parameters: JsonObject
  readonly secrets: readonly CurlSecret[]
}

/** Certificates are texts of a step, and files of a command: what belongs where is told. */
export function curlConnection({ options }: CurlOptions, left: string[]): CurlConnection {
  const last = (name: OptionName): string | null =>
    options.filter((one) => one.name === name).at(-1)?.value ?? null
  if (last('cert') !== null) left.push(words.pemOf('--cert', words.clientCertificate))
  if (last('key') !== null) left.push(words.pemOf('--key', words.clientKey))
  if (last('cacert') !== null) left.push(words.pemOf('--cacert', words.authority))
  if (last('insecure') !== null) left.push(words.insecure)
  const proxy = last('proxy') ?? ''
  return proxy === '' ? { parameters: {}, secrets: [] } : through(proxy, last('proxy-user'), left)
}

/** The port that curl takes where none is named. */
const usualPorts: Readonly<Record<string, string>> = { http: '1080', https: '443' }

function through(text: string, user: string | null, left: string[]): CurlConnection {
  const found = /^(?:([a-z0-9+.-]+):\/\/)?(?:([^/@]*)@)?([^/@]+?)\/?$/i.exec(text)
  const [, protocol = 'http', own = '', place = ''] = found ?? []
  const usual = usualPorts[protocol.toLowerCase()]
  if (found === null || usual === undefined) {
    left.push(words.proxyOf(found === null ? '' : protocol.toLowerCase()))
    return { parameters: {}, secrets: [] }
  }
  const host = /:\d+$/.test(place) ? place : `${place}:${usual}`
  const pair = user ?? decoded(own)
  const colon = pair.indexOf(':')
  const name = colon === -1 ? pair : pair.slice(0, colon)
  const password = colon === -1 ? '' : pair.slice(colon + 1)
  return {
    parameters: {
      proxy: asLiteral(`${protocol.toLowerCase()}://${host}`),
      ...(name === '' ? {} : { proxyUser: asLiteral(name) }),
    },
    secrets:
      password === ''
        ? []
        : [
            {
              title: words.proxyPassword,
              kind: 'password',
              value: password,
              path: ['proxyPassword'],
              host,
            },
          ],
  }
}

/** As it was written before it became a part of an address. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that is only that.
    return text
  }
}
