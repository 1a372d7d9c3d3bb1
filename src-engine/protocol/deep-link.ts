/**
 * Addresses that lead into the app from outside: `sagasmith://run/<id>?node=<id>&at=<event>&cluster=<name>`,
 * `sagasmith://page/<name>`, and for the page of runs what it is narrowed to. They show something and never start or
 * change anything, and name a cluster only as its person does, so that a link in a mail or on a web page can do no harm.
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
      /** The name of the connection to the cluster where it is; absent for where whoever follows it looks. */
      readonly cluster?: string | undefined
    }
  | {
      readonly kind: 'page'
      readonly page: LinkPage
      /** Of the page of runs: what it is narrowed to; absent to leave it as it is. */
      readonly runs?: RunsPlace | undefined
    }

/** Longer than any link of ours, short enough to be looked at. */
export const linkLengthMax = 512
/** Place, name, and what is said of it; some systems add a slash at the end of a path. */
const linkPattern = /^sagasmith:\/\/(run|page)\/([^/?#]+)\/?(?:\?([^?#]+))?$/
const runsPattern = /^sagasmith:\/\/page\/runs\/?\?([^?#]+)$/
/** Ids are looked up, nothing else: an address holds no other text of anybody's. */
const idPattern = /^[A-Za-z0-9_][A-Za-z0-9._:-]{0,127}$/
/** What may be said of a run, each once and in this order. A cluster's address is no name: nobody is sent elsewhere. */
const partPatterns = {
  node: idPattern,
  at: /^[1-9]\d{0,14}$/,
  cluster: /^[A-Za-z0-9_.-]{1,40}$/,
} as const
type Part = keyof typeof partPatterns

/** Where the text leads; null for anything that is no link of ours, whoever made it. */
export function readDeepLink(text: string): DeepLink | null {
  if (text.length > linkLengthMax) return null
  const narrowed = runsPattern.exec(text)?.[1]
  if (narrowed !== undefined) {
    const runs = readRunsQuery(narrowed)
    return runs === null ? null : { kind: 'page', page: 'runs', runs }
  }
  const [, place, path = '', query] = linkPattern.exec(text) ?? []
  if (place === undefined) return null
  const name = decoded(path)
  if (place === 'page') {
    const page = linkPages.find((known) => known === name)
    return page === undefined || query !== undefined ? null : { kind: 'page', page }
  }
  const said = query === undefined ? {} : saidIn(query)
  if (said === null || !idPattern.test(name)) return null
  return {
    kind: 'run',
    runId: runId(name),
    nodeId: said.node === undefined ? null : nodeId(said.node),
    ...(said.at === undefined ? {} : { seq: Number(said.at) }),
    ...(said.cluster === undefined ? {} : { cluster: said.cluster }),
  }
}

/** What a query says of a run; null where anything in it isn't ours. */
function saidIn(query: string): Partial<Record<Part, string>> | null {
  const said: Partial<Record<Part, string>> = {}
  const names = Object.keys(partPatterns) as Part[]
  for (const part of query.split('&')) {
    const [given, text = '', ...more] = part.split('=')
    const at = names.findIndex((name) => name === given)
    const [name] = names.splice(0, at + 1).slice(-1)
    const value = decoded(text)
    if (name === undefined || more.length > 0 || !partPatterns[name].test(value)) return null
    said[name] = value
  }
  return said
}

/** The address of a place. */
export function deepLinkOf(link: DeepLink): string {
  if (link.kind === 'page') {
    const narrowed = link.runs === undefined ? '' : queryOfRuns(link.runs)
    return `${deepLinkScheme}://page/${link.page}${narrowed === '' ? '' : `?${narrowed}`}`
  }
  const node = link.nodeId === null ? [] : [`node=${encodeURIComponent(link.nodeId)}`]
  const at = link.seq === undefined ? [] : [`at=${link.seq}`]
  const cluster = link.cluster === undefined ? [] : [`cluster=${encodeURIComponent(link.cluster)}`]
  const query = [...node, ...at, ...cluster].join('&')
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
