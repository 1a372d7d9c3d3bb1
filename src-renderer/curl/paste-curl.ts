/** A pasted curl command becomes an HTTP request: a new step, or what a step of that kind asks for. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { secretReference } from '../../src-engine/model/secret.ts'
import { cardSize, cardWidth, freePlace } from '../canvas/geometry.ts'
import { addKind } from '../canvas/placement.ts'
import { fillRequest } from '../commands/change-node.ts'
import type { Designer } from '../state/designer.ts'
import { loadSecrets } from '../state/follow-secrets.ts'
import { canEdit } from '../state/selectors.ts'
import { curlWords as words } from '../text/curl-words.ts'
import type { CurlRequest, PastedCurl } from './curl-request.ts'
import { curlRequest, withSecretTexts } from './curl-request.ts'
import type { CurlSecret } from './curl-secret.ts'
import { asLiteral } from './literal.ts'

const requestKind = 'http-request'

/** Takes a text that is a curl command; what holds secrets or can't be taken whole is asked about first. */
export function beginCurl(designer: Designer, text: string, nodeId: NodeId | null): boolean {
  if (!canEdit(designer)) return false
  if (nodeId !== null && designer.document.getState().history.document.nodes[nodeId]?.kind !== requestKind)
    return false
  const request = curlRequest(text)
  if (request === null) return false
  if (request.secrets.length === 0 && request.left.length === 0)
    takeRequest(designer, nodeId, request.parameters)
  else designer.view.getState().askCurl({ request, nodeId })
  return true
}

/**
 * Keeps the secrets that have a name in the vault, bound to the host they were meant for, then fills the request in.
 * `names` goes with the secrets; null leaves one in plain text. Throws what the vault refuses: then nothing is filled in.
 */
export async function takeCurl(
  designer: Designer,
  { request, nodeId }: PastedCurl,
  names: readonly (string | null)[],
): Promise<void> {
  for (const [index, secret] of request.secrets.entries()) {
    const { kind, value } = secret
    const host = hostFor(request, secret)
    const name = names[index] ?? null
    if (name === null) continue
    const hosts = host === null ? null : [host]
    await designer.connection.call('secrets.set', { name, value, kind, hosts, kinds: [requestKind] })
  }
  if (names.some((name) => name !== null)) await loadSecrets(designer)
  const textOf = ({ value }: CurlSecret, index: number): string => {
    const name = names[index] ?? null
    return name === null ? asLiteral(value) : secretReference(name)
  }
  takeRequest(designer, nodeId, withSecretTexts(request, textOf))
}

function takeRequest(designer: Designer, nodeId: NodeId | null, parameters: JsonObject): void {
  // Not written here: what reaches further by it is asked about.
  designer.trust.getState().doubt()
  if (nodeId === null) addRequest(designer, parameters)
  else {
    designer.document.getState().edit(fillRequest(nodeId, parameters))
    designer.document.getState().endGesture()
  }
  designer.view.getState().announce(words.pasted)
}

function addRequest(designer: Designer, parameters: JsonObject): void {
  const spec = designer.specs.get(requestKind)
  if (spec === undefined) return
  const { document } = designer.document.getState().history
  const middle = designer.canvas.current?.middle() ?? { x: 0, y: 0 }
  const at = freePlace(document, { x: middle.x - cardWidth / 2, y: middle.y - cardSize(1).height / 2 })
  addKind(designer, spec, { at, attach: { kind: 'none' }, parameters })
}

/** Where the request goes; null where nobody can tell. */
function curlHost({ parameters: { url } }: CurlRequest): string | null {
  const host = URL.parse(typeof url === 'string' ? url : '')?.host ?? ''
  return host === '' ? null : host
}

/** Who is to get the secret; null where nobody can tell. */
export const hostFor = (request: CurlRequest, { host }: CurlSecret): string | null =>
  host ?? curlHost(request)

/** A free name for a secret of that host: `API_EXAMPLE_COM_PASSWORD`. */
export function secretNameFor(
  host: string | null,
  kind: CurlSecret['kind'],
  taken: ReadonlySet<string>,
): string {
  const plain = `${host ?? 'request'} ${kind}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
  const base = (/^[0-9]/.test(plain) ? `HOST_${plain}` : plain).slice(0, 60)
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}_${count}`
    if (!taken.has(name)) return name
  }
}
