/** In fast mode a failover may take back what was acknowledged, but never in silence: the journals tell each operation. */

import type { InvocationId } from '../../src-engine/model/ids.ts'
import { runIdOf } from '../../src-engine/model/ids.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import type { FastCluster } from './journaled-store.ts'

/** I34: operations that were acknowledged and are not there, though nobody told that they are lost. */
export function notTold({ server, reports, acknowledged }: FastCluster): readonly string[] {
  const told = new Set(reports.flatMap(({ gone }) => gone.map(({ opId }) => opId)))
  const there = server.raw.info.partitions.map((partition) => server.at(partition).master.records.opIds)
  return [...acknowledged]
    .filter((opId) => !told.has(opId) && !there.some((opIds) => opIds.has(opId)))
    .map((opId) => `I34 ${opId} was acknowledged and is gone, and nothing tells of it`)
}

/**
 * What the outside world saw of a run that lost something, or was told of it: its steps may have run again, it may be
 * gone, and so may what somebody said about it. Who lost the end of a step is not at work on it, and doesn't renew it.
 */
const aboutWhatWasDone = /^(?:I10 the accepted run|I1[3567]|I25|I37 \w+ was told)/

const tooMany = /^I20 (?<held>\d+) (?:runs )?hold \S+, which has room for (?<room>\d+), at \d+: (?<ids>.+)$/

/**
 * Whose end was lost goes on once more, and its place may be another one's by then: the permit was given back elsewhere, in a partition
 * that lost nothing. And whose take was lost there is counted no more until its author, who may stand still, has brought it back. So a
 * limit is passed by as many as that befell, and by nobody else.
 */
function isPassedByLost(text: string, wasLost: (holder: string) => boolean): boolean {
  const { held = '', room = '', ids = '' } = tooMany.exec(text)?.groups ?? {}
  return held !== '' && ids.split(' and ').filter(wasLost).length >= Number(held) - Number(room)
}

const stand = /^I21 (?<ids>.+) stand for \S+ at \d+$/

/**
 * A step stands for its demand until it begins or ends, and then another may, which its home says, in a partition that lost nothing. Whose
 * beginning or end was lost, which is told, stands there again, beside that one: it is done once more, as is told too, and nobody else is.
 */
function isLeftStanding(text: string, stoodNoMore: ReadonlySet<string>): boolean {
  const ids = stand.exec(text)?.groups?.['ids']?.split(' and ') ?? []
  return ids.length > 0 && ids.filter((id) => !stoodNoMore.has(id)).length <= 1
}

/** Steps that had begun or ended, as the loss of that is told. */
function begunOrEnded(did: readonly string[]): ReadonlySet<string> {
  const moves = did.map((words) => /^(?<id>\S+) \w+ → (?<to>\w+)$/.exec(words)?.groups)
  const isOver = (to: string): boolean =>
    to === 'RUNNING' || to === 'WAITING' || invocationMachine.final.has(to as InvocationStatus)
  return new Set(moves.flatMap((move) => (isOver(move?.['to'] ?? '') ? (move?.['id'] ?? []) : [])))
}

/**
 * Renewals are no operations, and nobody brings them back: all that others know of who lives is the lease that the new master has. Whose
 * renewals a failover took back for longer than that is taken for gone, and its end is refused by its fence, as any such end is.
 */
const robbed = /^I13 (?<id>\S+) was taken from /

/**
 * A run whose beginning was lost stands in no line until its author, who may stand still, has brought that back: who comes to the line
 * meanwhile, in a partition that lost nothing, goes by right.
 */
const runPassedBy = /^I20 (?<id>[^\s/]+) is passed by in the line of /

/** A step ran for its approval was there; that it was is told with the loss, and somebody has said something else since. */
const heldUp = /^I38 (?<id>\S+) ran, but the policy says REQUIRE_APPROVAL$/

/** Steps whose approval is told as lost. */
function approvedOnce(opIds: readonly string[]): ReadonlySet<string> {
  return new Set(
    opIds.flatMap((opId) => /^approval:(?<id>\S+):\w+:approve:/.exec(opId)?.groups?.['id'] ?? []),
  )
}

/** The findings without those that are told as losses. */
export function withoutWhatIsTold(
  { reports, server }: FastCluster,
  found: readonly string[],
): readonly string[] {
  const runs = new Set(reports.flatMap(({ gone }) => gone.flatMap(({ runId }) => runId ?? [])))
  const did = reports.flatMap(({ gone }) => gone.flatMap((lost) => lost.did))
  const stoodNoMore = begunOrEnded(did)
  const approved = approvedOnce(reports.flatMap(({ gone }) => gone.map(({ opId }) => opId)))
  const isTold = (text: string): boolean => [...runs].some((id) => text.includes(id))
  const wasLost = (holder: string): boolean =>
    server.lostTakes.has(holder) || [...runs].some((id) => runIdOf(holder as InvocationId) === id)
  return found.filter(
    (text) =>
      !(aboutWhatWasDone.test(text) && isTold(text)) &&
      !isPassedByLost(text, wasLost) &&
      !isLeftStanding(text, stoodNoMore) &&
      !server.lostRenewals.has(robbed.exec(text)?.groups?.['id'] ?? '') &&
      !server.lostStarts.has(runPassedBy.exec(text)?.groups?.['id'] ?? '') &&
      !approved.has(heldUp.exec(text)?.groups?.['id'] ?? ''),
  )
}
