/** Gives events their place and chains them by hash, so that a change to the past can be seen. */

import { createHash, hash } from 'node:crypto'
import type { EngineEvent, EventDraft } from '../model/event.ts'
import { firstPrevHash } from '../model/event.ts'
import type { EventGroup } from '../model/event-codec.ts'
import { eventCodecVersions, groupEnd, groupOf, packedPieces } from '../model/event-codec.ts'
import type { OpId, RunId } from '../model/ids.ts'
import type { Actor } from '../model/invocation-status.ts'
import type { Instant } from '../model/time.ts'

/** Where a partition's feed ends. */
export interface ChainHead {
  readonly partition: number
  readonly epoch: number
  readonly seq: number
  readonly hash: string
}

/** What the drafts of one checkpoint have in common. */
export interface EventOrigin {
  readonly opId: OpId
  readonly actor: Actor
  readonly at: Instant
}

/** The end of a feed that has no event yet. */
export const emptyChain = (partition: number, epoch: number): ChainHead => {
  return { partition, epoch, seq: 0, hash: firstPrevHash }
}

/**
 * How an event's hash is made of what it covers. `sha256`: of all of it at once. `sha256-sha1`: the text by its
 * SHA-256, and its place in the chain by a SHA-1 over that, which a script of a Redis server can make.
 */
export type ChainKind = 'sha256' | 'sha256-sha1'

/** What the hashes of a group's events cover beside its text: what came before, and its place. */
const covered = ({ partition, epoch, seq, hash: prevHash }: ChainHead, runId: RunId | null): string =>
  `${prevHash} ${partition}.${epoch}.${seq + 1} ${runId ?? ''} `

/** The hash of the last event of a group that follows `head`, from the group's packed text. */
export const hashGroup = (head: ChainHead, runId: RunId | null, text: string): string =>
  hash('sha256', covered(head, runId) + text, 'hex')

/** Drafts of a checkpoint by run: each part is packed and hashed as one text. */
export function partsByRun(drafts: readonly EventDraft[]): readonly (readonly EventDraft[])[] {
  const [first] = drafts
  if (first === undefined) return []
  if (drafts.every(({ runId }) => runId === first.runId)) return [drafts]
  const parts: EventDraft[][] = []
  for (const draft of drafts) {
    const part = parts.at(-1)
    if (part?.[0]?.runId === draft.runId) part.push(draft)
    else parts.push([draft])
  }
  return parts
}

/** The drafts of one group, and how the chain is made. */
export interface GroupToChain {
  readonly group: EventGroup
  readonly drafts: readonly EventDraft[]
  /** `sha256` when absent. */
  readonly chain?: ChainKind
}

/** The drafts of one group as events that continue the chain. */
export function chainGroup(
  head: ChainHead,
  { group, drafts, chain = 'sha256' }: GroupToChain,
): readonly EngineEvent[] {
  const { partition, epoch } = head
  const { at, opId, actor } = group
  const hashes = hashesOf(head, { group, drafts, chain })
  return drafts.map((draft, index): EngineEvent => {
    const prevHash = hashes[index - 1] ?? head.hash
    const place = { partition, epoch, seq: head.seq + 1 + index }
    return { ...place, at, opId, actor, ...draft, prevHash, hash: hashes[index] ?? '' }
  })
}

/** The hash of each event of a group: of the text as if it ended there. */
function hashesOf(head: ChainHead, { group, drafts, chain }: Required<GroupToChain>): readonly string[] {
  const before = covered(head, group.runId)
  const sum = createHash('sha256')
  if (chain === 'sha256') sum.update(before)
  return packedPieces(group, drafts).map((piece) => {
    sum.update(piece)
    const digest = sum.copy().update(groupEnd).digest('hex')
    return chain === 'sha256' ? digest : hash('sha1', before + digest, 'hex')
  })
}

/**
 * The first break in a feed of one partition, in words; null when it is unbroken from its start. With
 * `pruned`, stretches may be missing between events of different checkpoints: what follows one continues
 * from the hash that it names.
 */
export function verifyChain(
  events: readonly EngineEvent[],
  pruned = false,
  chain: ChainKind = 'sha256',
): string | null {
  let previous: EngineEvent | null = null
  for (const group of groupsOf(events)) {
    const [first] = group
    if (first === undefined) continue
    const { partition, epoch, seq } = first
    const sameEpoch = previous?.epoch === epoch
    const place = `event ${epoch}/${seq}`
    const isGap = pruned && (!sameEpoch || seq > (previous?.seq ?? 0) + 1)
    if (!isGap && seq !== (sameEpoch ? (previous?.seq ?? 0) + 1 : 1))
      return `${place} does not follow its predecessor`
    if (!sameEpoch && epoch < (previous?.epoch ?? 0)) return `${place} goes back to an older epoch`
    const head = {
      partition,
      epoch,
      seq: seq - 1,
      hash: isGap ? first.prevHash : (previous?.hash ?? firstPrevHash),
    }
    const problem = groupProblem(head, group, chain)
    if (problem !== null) return problem
    previous = group.at(-1) ?? previous
  }
  return null
}

/** Events don't tell which form their text had, so it is whichever has their hashes. */
function groupProblem(head: ChainHead, group: readonly EngineEvent[], chain: ChainKind): string | null {
  const [first] = group
  if (first === undefined) return null
  const shared = groupOf(first)
  let problem: string | null = null
  for (const version of eventCodecVersions) {
    const hashes = hashesOf(head, { group: { ...shared, version }, drafts: group, chain })
    const found = hashProblem(head, hashes, group)
    if (found === null) return null
    problem ??= found
  }
  return problem
}

function hashProblem(
  head: ChainHead,
  hashes: readonly string[],
  group: readonly EngineEvent[],
): string | null {
  for (const [index, event] of group.entries()) {
    const place = `event ${event.epoch}/${event.seq}`
    if (event.seq !== head.seq + 1 + index) return `${place} does not follow its predecessor`
    if (event.prevHash !== (hashes[index - 1] ?? head.hash)) return `${place} names another predecessor`
    if (event.hash !== hashes[index]) return `${place} was changed`
  }
  return null
}

/** Events that were hashed as one text: neighbours of the same checkpoint and run. */
function groupsOf(events: readonly EngineEvent[]): readonly (readonly EngineEvent[])[] {
  const groups: EngineEvent[][] = []
  for (const event of events) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (last !== undefined && inOneGroup(last, event)) group?.push(event)
    else groups.push([event])
  }
  return groups
}

const inOneGroup = (a: EngineEvent, b: EngineEvent): boolean =>
  a.opId === b.opId &&
  a.runId === b.runId &&
  a.epoch === b.epoch &&
  a.at === b.at &&
  a.actor.kind === b.actor.kind &&
  a.actor.id === b.actor.id
