/** Removes finished runs of one partition with all that belongs to them, a run at a time. */

import type { DeadLetter } from '../../model/checkpoint.ts'
import { startedBy } from '../../model/effect.ts'
import type { RunId } from '../../model/ids.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { PruneAnswer, PruneOutside, PruneRequest } from '../pruning.ts'
import type { Applier } from './apply.ts'
import { readRun } from './body-codec.ts'
import { pairsOf, placed } from './hash-answer.ts'
import { moveInvocation, moveRun } from './index-entries.ts'
import { keyNames, runFields, runGroup } from './layout.ts'
import type { PartitionReader, WholeRun } from './partition-reader.ts'
import type { PartitionState } from './partition-state.ts'
import type { WriteTag } from './tokens.ts'
import { recordToken } from './tokens.ts'
import type { Op, Unit } from './unit.ts'
import { emptyUnit } from './unit.ts'

export interface PruneParts {
  readonly reader: PartitionReader
  readonly state: PartitionState
  readonly applier: Pick<Applier, 'apply'>
  readonly nextTag: () => WriteTag
}

/** Ended runs that are looked at together. */
const pageSize = 256
/** Groups of events that one call removes: it holds up everybody else of its node. */
const groupsMax = 1_000

/** The oldest finished runs that may go, at most `limit`; blobs are another's matter. */
export async function pruneRuns(
  parts: PruneParts,
  request: PruneRequest,
): Promise<Omit<PruneAnswer, 'blobs'>> {
  const limit = Math.max(0, request.limit)
  const found = await prunable(parts.reader, request, limit + 1)
  for (const id of found.slice(0, limit)) await removeRun(parts, id)
  return { runs: Math.min(found.length, limit), more: found.length > limit }
}

async function prunable(
  reader: PartitionReader,
  { endedBefore, keep, outside }: PruneRequest,
  wanted: number,
): Promise<readonly RunId[]> {
  const key = reader.keys.of(keyNames.ended)
  const surplus = keep === null ? 0 : Number(await reader.ask(['ZCARD', key])) - keep
  const letters = await runsOfLetters(reader)
  const needed = outside?.named ?? new Set(await neededFor(reader))
  const found: RunId[] = []
  for (let from = 0; found.length < wanted; from += pageSize) {
    const page = await reader.scored(key, [from, from + pageSize - 1])
    const old = page.filter(
      ({ score }, index) => from + index < surplus || (endedBefore !== null && score < endedBefore),
    )
    const ids = old.map(({ member }) => member as RunId).filter((id) => !needed.has(id) && !letters.has(id))
    found.push(...(await notNamed(reader, ids, outside)).slice(0, wanted - found.length))
    // What ended later is not older.
    if (old.length < page.length || page.length < pageSize) break
  }
  return found
}

async function runsOfLetters(reader: PartitionReader): Promise<ReadonlySet<RunId>> {
  const letters = pairsOf(await reader.ask(['HGETALL', reader.keys.of(keyNames.letters)]))
  const ids = letters.map(([, text]) => placed<DeadLetter>(text).item.runId)
  return new Set(ids.filter((id) => id !== null))
}

/** Runs, of whichever partition, that open ones of this one name, or that an effect of this one still starts. */
export async function neededFor(reader: PartitionReader): Promise<readonly RunId[]> {
  const named = pairsOf(await reader.ask(['HGETALL', reader.keys.of(keyNames.named)]))
  const effects = await reader.scored(reader.keys.of(keyNames.outboxDue), [0, -1])
  return [...named.map(([id]) => id as RunId), ...effects.flatMap(({ member }) => startedBy(member) ?? [])]
}

/** Those that no open run names, and whose own parent isn't open. */
async function notNamed(
  reader: PartitionReader,
  ids: readonly RunId[],
  outside: PruneOutside | undefined,
): Promise<readonly RunId[]> {
  if (ids.length === 0) return []
  const counts = await reader.texts(['HMGET', reader.keys.of(keyNames.named), ...ids])
  const free = ids.filter((_, index) => counts[index] === null)
  const runs = await reader.runs(free)
  const open = await Promise.all(
    runs.map(async ({ parentRunId }) => {
      if (parentRunId === null) return false
      const parent = await reader.run(parentRunId)
      if (parent === null) return (await outside?.isOpen(parentRunId)) === true
      return !runMachine.final.has(parent.status)
    }),
  )
  return runs.filter((_, index) => open[index] === false).map(({ id }) => id)
}

async function removeRun({ reader, state, applier, nextTag }: PruneParts, id: RunId): Promise<void> {
  const { keys } = state
  const whole = await reader.wholeRun(id)
  let mark = whole.fields.get(runFields.pruned) ?? ''
  for (;;) {
    const groups = await reader.texts(['LRANGE', keys.groups(id), 0, groupsMax - 1])
    const entries = groups.flatMap((group) => (group === null ? [] : [group.split(' ')[0] ?? '']))
    const last = groups.length < groupsMax
    const { ops, left } = last ? removal(state, id, whole) : { ops: [], left: [] }
    if (entries.length > 0) ops.unshift({ code: 'e', key: keys.of('events'), args: entries })
    if (!last) ops.push({ code: 't', key: keys.groups(id), args: [groupsMax, -1] })
    // A run that somebody has go on meanwhile stays.
    const token = whole.fields.get(runFields.token) ?? ''
    const looked = [{ field: runFields.token, believed: token }]
    // Sent again after a lost answer it would shorten the list once more, past what was removed: the mark tells.
    const tag = last ? '' : nextTag()
    const next = recordToken(1, tag)
    const written = last ? [] : [{ field: runFields.pruned, believed: mark, token: next }]
    const hashes = [{ key: keys.run(id), written, looked, placed: [], sets: [] }]
    const unit: Unit = { ...emptyUnit, tag, hashes, left, ops }
    mark = next
    const [answer] = (await applier.apply(state, [unit])) ?? []
    if ((answer?.kind !== 'written' && answer?.kind !== 'there') || last) break
  }
  state.runs.drop(id)
  for (const record of whole.invocations) state.invocations.drop(record.id)
}

/** Everything of a run but its events. */
function removal(
  state: PartitionState,
  id: RunId,
  { fields, invocations }: WholeRun,
): Pick<Unit, 'left'> & { readonly ops: Op[] } {
  const { keys } = state
  const text = fields.get(runFields.body)
  const token = fields.get(runFields.token)
  if (text === undefined || token === undefined) return { ops: [], left: [] }
  const run = readRun(id, { text, token })
  const ops: Op[] = []
  moveRun({ state, ops }, run, null)
  for (const record of invocations) {
    moveInvocation({ state, ops }, record, null)
  }
  ops.push({ code: 'r', key: keys.of(keyNames.runs(runGroup(run.workflowId), run.status)), args: [id] })
  ops.push({ code: 'r', key: keys.of(keyNames.runsOf(run.workflowId)), args: [id] })
  if (run.requestId !== null) ops.push({ code: 'd', key: keys.of(keyNames.requests), args: [run.requestId] })
  ops.push({ code: 'u', key: keys.run(id), args: [] }, { code: 'u', key: keys.groups(id), args: [] })
  const left = invocations.filter(({ lease }) => lease !== null).map((record) => record.id)
  return { ops, left }
}

/** How long an op-id without events of a run is known, beyond the time in which anything is repeated. */
const opsKeptMs = 86_400_000

/** Forgets op-ids that nobody repeats any more, and the deadlines of steps, which were listed once. */
export async function pruneOps(reader: PartitionReader, now: Instant): Promise<void> {
  await reader.ask(['UNLINK', reader.keys.of('due:deadline')])
  await reader.ask(['ZREMRANGEBYSCORE', reader.keys.of(keyNames.ops), '-inf', now - opsKeptMs])
}
