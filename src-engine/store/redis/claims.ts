/** Fetching and claiming: candidates from the queues that fit the runner, each taken with all of its permits. */

import type { SlotTake } from '../../model/checkpoint.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import { blockedMax, claimable, claimInOrder, claimInvocation, compareForRunner, trusts } from '../claim.ts'
import { claimPlan } from '../claim-plan.ts'
import type { BlockedClaim, ClaimAnswer, Claimed, ClaimRequest, FetchRequest } from '../store.ts'
import type { Applier } from './apply.ts'
import { readRun } from './body-codec.ts'
import { packParts } from './checkpoint-unit.ts'
import { hashOfRun, newDraft } from './draft.ts'
import { pairsOf } from './hash-answer.ts'
import { keyNames, runFields } from './layout.ts'
import type { FoundInvocation, PartitionReader } from './partition-reader.ts'
import type { PartitionState } from './partition-state.ts'
import { headsFor, noteLook } from './queue-heads.ts'
import { writeInvocation } from './record-ops.ts'
import { fittingShapes } from './shapes.ts'
import type { WriteTag } from './tokens.ts'
import { invocationToken } from './tokens.ts'
import type { Unit } from './unit.ts'

export interface ClaimParts {
  readonly reader: PartitionReader
  readonly state: PartitionState
  readonly applier: Applier
  readonly nextTag: () => WriteTag
}

/** A candidate with its run. */
interface Candidate extends FoundInvocation {
  readonly run: RunRecord
}

/** Looked at per queue before others are: what a queue's head may not have, its tail seldom may. */
const pagesMax = 32
/** Others may claim the same at the same time; whoever lost looks again. */
const roundsMax = 16

/** What the runner could claim, most urgent first. */
export async function fetchWork(
  parts: Pick<ClaimParts, 'reader' | 'state'>,
  request: FetchRequest,
): Promise<readonly InvocationRecord[]> {
  if (request.limit <= 0) return []
  const found = await candidates(parts, request, request.limit)
  return found.slice(0, request.limit).map(({ record }) => record)
}

/**
 * The same without asking: what the last write brought along, where this process knows all of it; null where it has to be asked
 * for. Nothing is told twice.
 */
export function glanceAtWork(
  state: PartitionState,
  request: FetchRequest,
): readonly InvocationRecord[] | null {
  const shapes = fittingShapes(state.shapes, request)
  const lists = headsFor(state, shapes, request.now)
  if (lists === null) return null
  const found: Candidate[] = []
  for (const id of lists.flat()) {
    if (request.isUnderWay?.(id) === true) continue
    const known = knownCandidate(state, id)
    if (known === null || !mayHave(known, request)) return null
    found.push(known)
  }
  state.heads = null
  noteLook(state, { shapes, wanted: request.limit, at: request.now })
  return inOrder(found, request)
    .slice(0, request.limit)
    .map(({ record }) => record)
}

/** A queue is asked as soon as its shape is known; one that came since is asked in a second turn. */
async function candidates(
  { reader, state }: Pick<ClaimParts, 'reader' | 'state'>,
  request: FetchRequest,
  wanted: number,
): Promise<readonly Candidate[]> {
  const runs = new Map<RunId, RunRecord>()
  const key = reader.keys.of(keyNames.shapes)
  const askThese = (shapes: Iterable<readonly [id: string, text: string]>) =>
    Promise.all(
      fittingShapes(shapes, request).map((id) =>
        ofQueue(reader, keyNames.queue(id), { request, wanted, runs, state }),
      ),
    )
  // Others learn of shapes at the same time: what was asked for is what counts.
  const known = new Map(state.shapes)
  const [count, lists] = await Promise.all([reader.ask(['HLEN', key]), askThese(known)])
  const found = lists.flat()
  if (Number(count) !== known.size) {
    const unknown = pairsOf(await reader.ask(['HGETALL', key])).filter(([id]) => !known.has(id))
    for (const [id, text] of unknown) state.shapes.set(id, text)
    found.push(...(await askThese(unknown)).flat())
  }
  noteLook(state, { shapes: fittingShapes(state.shapes, request), wanted, at: request.now })
  return inOrder(found, request)
}

const mayHave = ({ record, run }: Candidate, request: FetchRequest): boolean =>
  claimable(record, run.status, request) && trusts(request, run.definitionHash)

const inOrder = (found: readonly Candidate[], request: FetchRequest): readonly Candidate[] =>
  found.toSorted((a, b) => compareForRunner(a.record, b.record, request))

/** The head of one queue as far as the runner may have it, until enough of it are there. */
async function ofQueue(
  reader: PartitionReader,
  name: string,
  asked: {
    readonly request: FetchRequest
    readonly wanted: number
    readonly runs: Map<RunId, RunRecord>
    readonly state: PartitionState
  },
): Promise<readonly Candidate[]> {
  const { request, wanted, runs, state } = asked
  const found: Candidate[] = []
  // What the runner failed with last comes after everything else: it doesn't count as enough.
  let preferred = 0
  for (let page = 0; page < pagesMax && preferred < wanted; page += 1) {
    const range = ['-inf', request.now, 'BYSCORE', 'LIMIT', page * wanted, wanted]
    const items = await reader.scored(reader.keys.of(name), range)
    const listedIds = items.map(({ member }) => member as InvocationId)
    const ids = listedIds.filter((id) => request.isUnderWay?.(id) !== true)
    for (const candidate of await listed(reader, ids, { request, runs, state })) {
      const { record } = candidate
      if (!mayHave(candidate, request)) continue
      found.push(candidate)
      if (record.dispatch?.lastFailedRunner !== request.runnerId) preferred += 1
    }
    if (items.length < wanted) break
  }
  return found
}

/**
 * What stands in a queue, in its order. What this process saw itself as work for the runner, and so mostly wrote, needn't be
 * read: whoever claims it has it compared with what is there.
 */
async function listed(
  reader: PartitionReader,
  ids: readonly InvocationId[],
  {
    request,
    runs,
    state,
  }: {
    readonly request: FetchRequest
    readonly runs: Map<RunId, RunRecord>
    readonly state: PartitionState
  },
): Promise<readonly Candidate[]> {
  const byId = new Map<InvocationId, Candidate>()
  for (const id of ids) {
    const known = knownCandidate(state, id)
    if (known !== null && mayHave(known, request)) byId.set(id, known)
  }
  const unknown = ids.filter((id) => !byId.has(id))
  for (const read of await withRuns(reader, unknown, { runs, state })) byId.set(read.record.id, read)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The invocations with their runs, which are read once; a claim that follows finds them known. */
async function withRuns(
  reader: PartitionReader,
  ids: readonly InvocationId[],
  { runs, state }: { readonly runs: Map<RunId, RunRecord>; readonly state: PartitionState },
): Promise<readonly Candidate[]> {
  const unread = new Set(ids.map((id) => runIdOf(id)).filter((id) => !runs.has(id)))
  const [found] = await Promise.all([
    reader.foundInvocations(ids, { leased: false }),
    ...[...unread].map(async (id) => {
      const [body, token] = await reader.texts([
        'HMGET',
        reader.keys.run(id),
        runFields.body,
        runFields.token,
      ])
      if (typeof body !== 'string' || typeof token !== 'string') return
      const run = readRun(id, { text: body, token })
      runs.set(id, run)
      state.runs.offer(id, { token, item: run })
    }),
  ])
  return found.flatMap((item) => {
    state.invocations.offer(item.record.id, { token: item.token, item: item.record })
    const run = runs.get(item.record.runId)
    return run === undefined ? [] : [{ ...item, run }]
  })
}

/** Takes what it can; what others take meanwhile is left to them. */
export async function claimWork(parts: ClaimParts, request: ClaimRequest): Promise<ClaimAnswer> {
  const claimed: Claimed[] = []
  let blocked: readonly BlockedClaim[] = []
  for (let round = 0; round < roundsMax && claimed.length < request.limit; round += 1) {
    const left = { ...request, limit: request.limit - claimed.length }
    const found = await offered(parts, left, round > 0)
    const attempt = await tryToClaim(parts, left, found)
    claimed.push(...attempt.claimed)
    blocked = attempt.blocked
    // What was arranged may fit what is there, though not what was known of it.
    const isDoubted = round === 0 && request.prepared !== undefined && attempt.passed > 0
    if (!attempt.met && !isDoubted) break
  }
  return { claimed, blocked }
}

/** What is known is believed at first: the claim compares it with what is there. */
async function offered(
  { reader, state }: ClaimParts,
  request: ClaimRequest,
  fresh: boolean,
): Promise<readonly Candidate[]> {
  const { invocationIds } = request
  if (invocationIds === null) return candidates({ reader, state }, request, request.limit + blockedMax)
  const ids = [...new Set(invocationIds)]
  const known = fresh ? null : knownCandidates(state, ids)
  const found = known ?? (await withRuns(reader, ids, { runs: new Map(), state }))
  return inOrder(
    found.filter((candidate) => mayHave(candidate, request)),
    request,
  )
}

/** Null unless all of them were seen. */
function knownCandidates(state: PartitionState, ids: readonly InvocationId[]): readonly Candidate[] | null {
  const found: Candidate[] = []
  for (const id of ids) {
    const candidate = knownCandidate(state, id)
    if (candidate === null) return null
    found.push(candidate)
  }
  return found
}

function knownCandidate(state: PartitionState, id: InvocationId): Candidate | null {
  const seen = state.invocations.get(id)
  const run = state.runs.get(runIdOf(id))?.item ?? null
  return seen === undefined || seen.item === null || run === null
    ? null
    : { record: seen.item, token: seen.token, run }
}

/** `met`: others were faster with some of it. `passed`: how many were neither taken nor held up by a permit. */
async function tryToClaim(
  { reader, state, applier, nextTag }: ClaimParts,
  request: ClaimRequest,
  found: readonly Candidate[],
): Promise<ClaimAnswer & { readonly met: boolean; readonly passed: number }> {
  const byId = new Map(found.map((candidate) => [candidate.record.id, candidate]))
  const runOf = (id: RunId): RunRecord => {
    const run = found.find(({ record }) => record.runId === id)?.run
    assert(run !== undefined, `a candidate comes with its run, ${id} is missing`)
    return run
  }
  const holders = await holdersFor(reader, found, request)
  const units: Unit[] = []
  const tokens: string[] = []
  const { claimed, blocked } = claimInOrder(
    found.map(({ record }) => record),
    request,
    {
      runOf,
      holdersOf: (key) => holders.get(key) ?? [],
      acquire(waiting, { plan, take }) {
        const candidate = byId.get(waiting.id)
        assert(candidate !== undefined, 'what is acquired was a candidate')
        const { record, event, opId } = claimInvocation(waiting, request, { epoch: state.epoch, plan })
        const tag = nextTag()
        const draft = newDraft(state, tag)
        writeInvocation(draft, record, { token: candidate.token, item: waiting })
        const { looked } = hashOfRun(draft, record.runId)
        looked.push({ field: runFields.token, believed: `~${candidate.run.status}` })
        const { news, hashes, left, leases, ops } = draft
        const origin = { opId, actor: { kind: 'runner', id: request.runnerId }, at: request.now } as const
        const parts = packParts(state, origin, [event])
        const sent = { opId, news, values: 'none', tag, hashes, left, leases, ops, parts } as const
        units.push({ ...sent, at: request.now, releases: [], takes: take })
        tokens.push(invocationToken(record, tag))
        for (const slot of take) holders.set(slot.key, [...(holders.get(slot.key) ?? []), slot])
        return { run: candidate.run, invocation: record }
      },
    },
  )
  const passed = found.length - claimed.length - blocked.length
  if (units.length === 0) return { claimed: [], blocked, met: false, passed }
  const answers = await applier.apply(state, units)
  const won = claimed.filter((_, index) => {
    const kind = answers?.[index]?.kind
    return kind === 'written' || kind === 'there'
  })
  for (const [index, { invocation }] of claimed.entries()) {
    const token = tokens[index]
    if (token !== undefined && won.some((one) => one.invocation === invocation)) {
      state.invocations.put(invocation.id, { token, item: invocation })
    } else state.invocations.drop(invocation.id)
  }
  return { claimed: won, blocked, met: won.length < claimed.length, passed }
}

/** Who holds what the candidates would need. */
async function holdersFor(
  reader: PartitionReader,
  found: readonly Candidate[],
  request: ClaimRequest,
): Promise<Map<string, readonly SlotTake[]>> {
  const keys = new Set<string>()
  for (const { record, run } of found) {
    const plan = claimPlan(record, request, () => run)
    for (const { key } of plan?.permits ?? []) keys.add(key)
  }
  const lists = await Promise.all([...keys].map(async (key) => [key, await reader.slotHolders(key)] as const))
  return new Map(lists)
}
