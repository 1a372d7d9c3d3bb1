/**
 * Addresses that lead into the app from outside: `sagasmith://run/<id>?node=<id>&at=<event>`,
 * `sagasmith://page/<name>`, and for the page of runs what it is narrowed to. They show something and never start, change or fetch anything, so that a link
 * in a mail or on a web page can do no harm.
 */

import type { NodeId, RunId } from '../model/ids.ts'
import { nodeId, runId } from '../model/ids.ts'
import type { RunsPlace } from './runs-link.ts'
import { queryOfRuns, readRunsQuery } from './runs-link.ts'

/** The scheme that the app registers with the system. */
export const deepLinkScheme = 'sagasmith'

/** Pages that a link may lead to. */
export const linkPages = [
  'inbox',
  'runs',
  'logs',
  'dead-letters',
  'schedules',
  'runners',
  'settings',
] as const
export type LinkPage = (typeof linkPages)[number]

/** Where a link leads. */
export type DeepLink =
  | {
      readonly kind: 'run'
      readonly runId: RunId
      readonly nodeId: NodeId | null
      /** The sequence of the event after which it is looked at; absent for now. */
      readonly seq?: number | undefined
    }
  | {
      readonly kind: 'page'
      readonly page: LinkPage
      /** Of the page of runs: what it is narrowed to; absent to leave it as it is. */
      readonly runs?: RunsPlace | undefined
    }

/** Longer than any link of ours, short enough to be looked at. */
const linkLengthMax = 512
/** Place, name, and step and event where there are any; some systems add a slash at the end. */
const linkPattern =
  /^sagasmith:\/\/(run|page)\/([^/?#]+)\/?(?:\?(?:node=([^&#?]+))?(?:(?<=[^?])&)?(?:at=([1-9]\d{0,14}))?)?(?<![?&])$/
const runsPattern = /^sagasmith:\/\/page\/runs\/?\?([^?#]+)$/
/** Ids are looked up, nothing else: an address holds no other text of anybody's. */
const idPattern = /^[A-Za-z0-9_][A-Za-z0-9._:-]{0,127}$/

/** Where the text leads; null for anything that is no link of ours, whoever made it. */
export function readDeepLink(text: string): DeepLink | null {
  if (text.length > linkLengthMax) return null
  const narrowed = runsPattern.exec(text)?.[1]
  if (narrowed !== undefined) {
    const runs = readRunsQuery(narrowed)
    return runs === null ? null : { kind: 'page', page: 'runs', runs }
  }
  const match = linkPattern.exec(text)
  if (match === null) return null
  const name = decoded(match[2] ?? '')
  const node = match[3] === undefined ? null : decoded(match[3])
  if (match[1] === 'page') {
    const page = linkPages.find((known) => known === name)
    const isPlain = node === null && match[4] === undefined
    return page === undefined || !isPlain ? null : { kind: 'page', page }
  }
  if (!idPattern.test(name) || (node !== null && !idPattern.test(node))) return null
  const at = match[4] === undefined ? {} : { seq: Number(match[4]) }
  return { kind: 'run', runId: runId(name), nodeId: node === null ? null : nodeId(node), ...at }
}

/** The address of a place. */
export function deepLinkOf(link: DeepLink): string {
  if (link.kind === 'page') {
    const narrowed = link.runs === undefined ? '' : queryOfRuns(link.runs)
    return `${deepLinkScheme}://page/${link.page}${narrowed === '' ? '' : `?${narrowed}`}`
  }
  const node = link.nodeId === null ? [] : [`node=${encodeURIComponent(link.nodeId)}`]
  const at = link.seq === undefined ? [] : [`at=${link.seq}`]
  const query = [...node, ...at].join('&')
  return `${deepLinkScheme}://run/${encodeURIComponent(link.runId)}${query === '' ? '' : `?${query}`}`
}

/** A path with broken escapes is no name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
