/** Fetching and claiming over partitions. */

import type { InvocationId, RunnerId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Instant } from '../../model/time.ts'
import { blockedMax, compareForRunner } from '../claim.ts'
import type {
  BlockedClaim,
  ClaimAnswer,
  Claimed,
  ClaimRequest,
  FetchRequest,
  PreparedClaim,
} from '../store.ts'
import type { CommitParts } from './commits.ts'
import { claimLimited } from './limited-claims.ts'
import type { Answered, Reach } from './reach.ts'
import { byPartition } from './routes.ts'
import type { WorkHints } from './work-hints.ts'

export interface WorkParts extends CommitParts {
  readonly hints: WorkHints
  readonly reach: Reach
  /** Claims of a runner that were answered when it no longer waited: they are its own, and come with its next ones. */
  readonly late: Map<RunnerId, Claimed[]>
}

/** The most urgent that partitions with work have, and now and then of all. */
export async function fetchAll(
  parts: WorkParts,
  request: FetchRequest,
): Promise<readonly InvocationRecord[]> {
  return mostUrgent(await lookAtAll(parts, request), request)
}

/** What partitions answered. */
type Pages = readonly Answered<readonly InvocationRecord[]>[]

async function lookAtAll({ raw, hints, reach }: WorkParts, request: FetchRequest): Promise<Pages> {
  if (request.limit <= 0) return []
  const known: Answered<readonly InvocationRecord[]>[] = []
  const unknown = hints.next(request).filter((partition) => {
    const page = raw.glance?.({ ...request, partition }) ?? null
    if (page === null) return true
    hints.found(request, partition, page.length)
    known.push({ partition, answer: page })
    return false
  })
  if (unknown.length === 0) return known
  const asked = await reach
    .ask(unknown, async (partition) => {
      const page = await raw.fetch({ ...request, partition })
      hints.found(request, partition, page.length)
      return page
    })
    .catch((thrown: unknown) => {
      // Those that needn't be asked are there, and wait for nobody who isn't.
      const areOthers = known.length > 0 || hints.hasResting(request)
      if (areOthers && unknown.every((partition) => reach.isAway(partition))) return []
      throw thrown
    })
  return [...known, ...asked]
}

const mostUrgent = (pages: Pages, request: FetchRequest): readonly InvocationRecord[] =>
  pages
    .flatMap(({ answer }) => answer)
    .sort((a, b) => compareForRunner(a, b, request))
    .slice(0, request.limit)

/** What was fetched, or the most urgent there is, with all permits of each. */
export async function claimAll(parts: WorkParts, request: ClaimRequest): Promise<ClaimAnswer> {
  if (request.limit <= 0) return nothing
  const ids = request.invocationIds
  const look = { ...request, limit: request.limit + lookAhead }
  const pages = ids === null ? await lookAtAll(parts, look) : []
  const candidates = ids === null ? mostUrgent(pages, look) : await loadAll(parts, ids, request)
  const limit = limitOf(parts, request, candidates.length)
  const claimed = lateClaims(parts, request.runnerId, limit)
  const blocked: BlockedClaim[] = []
  let rest = candidates.filter(
    ({ id }) => !parts.reach.isAway(parts.routes.ofInvocation(id)) && request.isUnderWay?.(id) !== true,
  )
  const offered = offeredOf(rest.slice(0, limit - claimed.length), request)
  if (offered.length > 0) rest = rest.filter((record) => !offered.includes(record))
  while (rest.length > 0 && claimed.length + offered.length < limit && blocked.length < blockedMax) {
    const room = limit - claimed.length - offered.length
    const { answer, failures } = await claimSome(parts, rest.slice(0, room), request)
    claimed.push(...answer.claimed)
    blocked.push(...answer.blocked)
    if (failures.length === 0) rest = rest.slice(room)
    else if (claimed.length + offered.length === 0) throw failures[0]
    // What was claimed in one partition is the caller's, whatever happened in another: nobody else would tell it.
    else break
  }
  const taken = new Set([...offered, ...claimed.map(({ invocation }) => invocation)].map(({ id }) => id))
  const restsUntil = noteTaken(parts, { look, pages }, taken)
  return { claimed, blocked, offered, ...(restsUntil === null ? {} : { restsUntil }) }
}

/** Where nothing is left of all that was there nothing is looked for for a while: until then; null where that is so nowhere. */
function noteTaken(
  { hints }: WorkParts,
  { look, pages }: { readonly look: FetchRequest; readonly pages: Pages },
  taken: ReadonlySet<InvocationId>,
): Instant | null {
  let restsUntil: Instant | null = null
  for (const { partition, answer } of pages) {
    if (answer.length === 0 || answer.length >= look.limit) continue
    if (!answer.every(({ id }) => taken.has(id) || look.isUnderWay?.(id) === true)) continue
    restsUntil = hints.taken(look, partition)
  }
  return restsUntil
}

/** What the runner takes itself, of what it may have next. */
function offeredOf(next: readonly InvocationRecord[], { takes }: ClaimRequest): readonly InvocationRecord[] {
  return takes === undefined ? none : next.filter(takes)
}

const none: readonly InvocationRecord[] = []

/** Nothing is reserved for what isn't there: to look takes a round trip, and mostly finds nothing. */
function limitOf({ late }: WorkParts, { runnerId, limit, reserve }: ClaimRequest, found: number): number {
  const wanted = Math.min(limit, found + (late.get(runnerId)?.length ?? 0))
  return reserve === undefined || wanted === 0 ? wanted : reserve(wanted)
}

const nothing: ClaimAnswer = { claimed: [], blocked: [] }
/** Some of the fetched are gone by now, or held up. */
const lookAhead = 16

async function loadAll(
  { raw, routes, reach }: WorkParts,
  ids: readonly InvocationId[],
  request: FetchRequest,
): Promise<readonly InvocationRecord[]> {
  const groups = byPartition([...new Set(ids)], routes.ofInvocation)
  const found = await reach.ask([...groups.keys()], (partition) =>
    Promise.all(
      (groups.get(partition) ?? []).map((invocationId) =>
        raw.load(partition, 'invocation', { invocationId }),
      ),
    ),
  )
  return found
    .flatMap(({ answer }) => answer)
    .filter((record) => record !== null)
    .sort((a, b) => compareForRunner(a, b, request))
}

/** What was claimed, and what partitions threw that could not be asked. */
interface SomeClaimed {
  readonly answer: ClaimAnswer
  readonly failures: readonly unknown[]
}

async function claimSome(
  parts: WorkParts,
  candidates: readonly InvocationRecord[],
  request: ClaimRequest,
): Promise<SomeClaimed> {
  const { routes, raw } = parts
  const limited = candidates.filter(({ permits }) => (request.limits ?? null) !== null || permits !== null)
  const free = candidates.filter((record) => !limited.includes(record))
  const groups = byPartition(free, ({ id }) => routes.ofInvocation(id))
  const prepared = new Map(free.map(({ id }) => [id, withoutPermits] as const))
  const settled = await Promise.allSettled(
    [...groups].map(([partition, group]) => {
      const invocationIds = group.map(({ id }) => id)
      const answer = raw.claim({ ...request, partition, invocationIds, prepared, limit: group.length })
      return inTime(parts, request, answer)
    }),
  )
  const waited = (answer: Promise<ClaimAnswer>) => inTime(parts, request, answer)
  settled.push(...(await claimLimited(parts, limited, { request, inTime: waited })))
  const answers = settled.flatMap((item) => (item.status === 'fulfilled' ? [item.value] : []))
  const failures = settled.flatMap((item) => (item.status === 'rejected' ? [item.reason as unknown] : []))
  const claimed = answers.flatMap((answer) => answer.claimed)
  return { answer: { claimed, blocked: answers.flatMap(({ blocked }) => blocked) }, failures }
}

/** As many as the runner has room for; the others wait for its next claim. */
function lateClaims({ late }: WorkParts, runnerId: RunnerId, limit: number): Claimed[] {
  const all = late.get(runnerId)
  if (all === undefined) return []
  const rest = all.slice(limit)
  if (rest.length === 0) late.delete(runnerId)
  else late.set(runnerId, rest)
  return all.slice(0, limit)
}

/** What a partition claims that is slower than the others comes with the next claim. */
async function inTime(
  { reach, late }: WorkParts,
  { runnerId }: ClaimRequest,
  answer: Promise<ClaimAnswer>,
): Promise<ClaimAnswer> {
  const given = await reach.wait(answer, ({ claimed }) => {
    if (claimed.length > 0) late.set(runnerId, [...(late.get(runnerId) ?? []), ...claimed])
  })
  return given ?? nothing
}

const withoutPermits: PreparedClaim = { fence: null, takes: [] }
