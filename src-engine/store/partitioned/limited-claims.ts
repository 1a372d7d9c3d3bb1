/**
 * Claims of work that needs permits of other partitions: these first, at their homes, then the claim itself, which counts those of its own
 * partition again. What can't take from each other what both hope for goes together; the others one after the other, the
 * most urgent first.
 */

import type { SlotTake } from '../../model/checkpoint.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import { countsAt, permitsToTake } from '../claim.ts'
import { claimPlan } from '../claim-plan.ts'
import type { BlockedClaim, ClaimAnswer, ClaimRequest, PreparedClaim } from '../store.ts'
import type { CommitParts } from './commits.ts'
import type { NamedTake } from './home-permits.ts'
import { byPartition } from './routes.ts'
import { tooLongAfter } from './usable.ts'

/** One piece of work, with what a claim of it would take. */
interface Limited {
  readonly record: InvocationRecord
  readonly partition: number
  readonly plan: PermitPlan | null
  readonly takes: readonly SlotTake[]
}

/** What its homes gave for it. */
interface Permitted extends Limited {
  readonly taken: readonly NamedTake[]
}

type Parts = Pick<CommitParts, 'raw' | 'routes' | 'permits' | 'clock'>

/** How a piece of a claim is waited for: one that takes too long comes with the runner's next claim. */
type InTime = (answer: Promise<ClaimAnswer>) => Promise<ClaimAnswer>

/** What came of each piece, and of what could not be asked for the reason. */
export async function claimLimited(
  parts: Parts,
  records: readonly InvocationRecord[],
  { request, inTime }: { readonly request: ClaimRequest; readonly inTime: InTime },
): Promise<readonly PromiseSettledResult<ClaimAnswer>[]> {
  if (records.length === 0) return []
  const planned = await Promise.allSettled(records.map((record) => planOf(parts, record, request)))
  const settled: PromiseSettledResult<ClaimAnswer>[] = planned.filter((item) => item.status === 'rejected')
  let rest = planned.flatMap((item) => (item.status === 'fulfilled' ? [item.value] : []))
  const room = await roomOf(parts, rest, request.now)
  while (rest.length > 0) {
    const count = Math.max(1, apartFrom(rest, room))
    settled.push(...(await claimTogether(parts, rest.slice(0, count), { request, inTime })))
    rest = rest.slice(count)
  }
  return settled
}

async function planOf(
  { raw, routes }: Parts,
  record: InvocationRecord,
  request: ClaimRequest,
): Promise<Limited> {
  const partition = routes.ofInvocation(record.id)
  const limits = request.limits ?? null
  const run = limits === null ? null : await raw.load(partition, 'run', { runId: record.runId })
  const plan = claimPlan(record, request, () => run ?? noRun(record.runId))
  return { record, partition, plan, takes: permitsToTake(record, plan, request.now) }
}

/** How many more may hold each permit that several of them need. */
async function roomOf(
  { raw, routes }: Parts,
  all: readonly Limited[],
  now: Instant,
): Promise<Map<string, number>> {
  const byKey = Map.groupBy(
    all.flatMap(({ takes }) => takes),
    ({ key }) => key,
  )
  const shared = [...byKey].filter(([, takes]) => takes.length > 1)
  const rooms = await Promise.all(
    shared.map(async ([key, takes]): Promise<readonly [string, number]> => {
      const held = await raw.load(routes.ofKey(key), 'slotHolders', { key }).catch(() => null)
      // Who can't be asked is asked again for each.
      if (held === null) return [key, 0]
      const counted = held.filter((slot) => countsAt(slot, now)).length
      return [key, Math.min(...takes.map(({ limit }) => limit)) - counted]
    }),
  )
  return new Map(rooms)
}

/** How many of the first have room beside each other; takes it for them. */
function apartFrom(rest: readonly Limited[], room: Map<string, number>): number {
  for (const [index, { takes }] of rest.entries()) {
    if (takes.some(({ key }) => (room.get(key) ?? 1) <= 0)) return index
    for (const { key } of takes) room.set(key, (room.get(key) ?? Number.POSITIVE_INFINITY) - 1)
  }
  return rest.length
}

async function claimTogether(
  parts: Parts,
  wave: readonly Limited[],
  { request, inTime }: { readonly request: ClaimRequest; readonly inTime: InTime },
): Promise<readonly PromiseSettledResult<ClaimAnswer>[]> {
  const isTooLong = tooLongAfter(parts.clock)
  const asked = await Promise.allSettled(wave.map((limited) => permitted(parts, limited, request)))
  const settled: PromiseSettledResult<ClaimAnswer>[] = []
  const free: Permitted[] = []
  for (const item of asked) {
    if (item.status === 'rejected') settled.push(item)
    else if ('taken' in item.value) free.push(item.value)
    else settled.push({ status: 'fulfilled', value: { claimed: [], blocked: [item.value] } })
  }
  if (isTooLong()) {
    // A repair may have given them back, and others may have them: it comes with another claim.
    await Promise.all(free.map(({ taken }) => parts.permits.undo(taken)))
    return settled
  }
  const groups = byPartition(free, ({ partition }) => partition)
  const answers = [...groups].map(([partition, group]) =>
    inTime(claimGroup(parts, partition, { group, request })),
  )
  return [...settled, ...(await Promise.allSettled(answers))]
}

/** Its permits are taken at their homes; or who has them. */
async function permitted(
  { routes, permits }: Parts,
  limited: Limited,
  request: ClaimRequest,
): Promise<Permitted | BlockedClaim> {
  const { record, partition, plan, takes } = limited
  const elsewhere = takes.filter(({ key }) => routes.ofKey(key) !== partition)
  const answer = await permits.take(elsewhere, { at: request.now })
  if (answer.kind === 'taken' || plan === null)
    return { ...limited, taken: answer.kind === 'taken' ? answer.takes : [] }
  return { invocation: record, key: answer.key, holders: answer.holders, plan }
}

async function claimGroup(
  { raw, routes, permits }: Pick<Parts, 'raw' | 'routes' | 'permits'>,
  partition: number,
  { group, request }: { readonly group: readonly Permitted[]; readonly request: ClaimRequest },
): Promise<ClaimAnswer> {
  const invocationIds = group.map(({ record }) => record.id)
  const prepared = new Map<InvocationId, PreparedClaim>(
    group.map(({ record, takes }) => [record.id, { fence: record.fence, takes }]),
  )
  const answer = await raw.claim({ ...request, partition, invocationIds, prepared, limit: group.length })
  const won = new Set(answer.claimed.map(({ invocation }) => invocation.id))
  const lost = group.filter(({ record }) => !won.has(record.id))
  await Promise.all(lost.map(({ taken }) => permits.undo(taken)))
  return { ...answer, blocked: await withHolders({ raw, routes }, answer.blocked) }
}

/** Whoever is told what it waits for is told all holders, not those of its own partition only. */
const withHolders = (
  { raw, routes }: Pick<Parts, 'raw' | 'routes'>,
  blocked: readonly BlockedClaim[],
): Promise<readonly BlockedClaim[]> =>
  Promise.all(
    blocked.map(async (item) => {
      const slots: readonly SlotTake[] = await raw.load(routes.ofKey(item.key), 'slotHolders', {
        key: item.key,
      })
      const holders = slots.map(({ holder }) => holder)
      return holders.length === 0 ? item : { ...item, holders }
    }),
  )

const noRun = (id: RunId): Pick<RunRecord, 'tenant' | 'workflowId'> => {
  throw new Error(`An invocation belongs to a run, ${id} is missing.`)
}
