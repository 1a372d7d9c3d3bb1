/**
 * Commits over partitions. A checkpoint is atomic in the partition of its run. What it needs elsewhere is
 * arranged so that a crash in between leaves too much rather than too little: permits are taken at their key's
 * home before it and given back after it, and versions are published before it. `repair.ts` finds what is left
 * over.
 */

import type { Checkpoint, CommitAnswer, SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import { homePartition } from '../../model/partition.ts'
import type { Clock } from '../../model/ports.ts'
import type { RawStore } from '../raw-store.ts'
import type { HomeAnswer, HomePermits, NamedRelease } from './home-permits.ts'
import type { Routes } from './routes.ts'
import { byPartition } from './routes.ts'
import { tooLongAfter } from './usable.ts'

export interface CommitParts {
  readonly raw: RawStore
  readonly routes: Routes
  readonly permits: HomePermits
  /** Tells who stood still between taking permits and using them; null where nobody does. */
  readonly clock: Pick<Clock, 'now'> | null
}

/** A home that always takes so long must not keep a checkpoint for ever. */
const takesMax = 3

/** Answers in the order of the checkpoints; those of one partition are written in their order. */
export function commitAll(
  parts: CommitParts,
  checkpoints: readonly Checkpoint[],
): Promise<readonly CommitAnswer[]> {
  const [only] = checkpoints
  // A step is one, mostly.
  return only !== undefined && checkpoints.length === 1
    ? commitBatch(parts, parts.routes.ofCheckpoint(only), checkpoints)
    : commitMany(parts, checkpoints)
}

async function commitMany(
  parts: CommitParts,
  checkpoints: readonly Checkpoint[],
): Promise<readonly CommitAnswer[]> {
  const answers: CommitAnswer[] = []
  const placed = checkpoints.map((checkpoint, index) => ({ checkpoint, index }))
  const groups = byPartition(placed, ({ checkpoint }) => parts.routes.ofCheckpoint(checkpoint))
  await Promise.all(
    [...groups].map(async ([partition, group]) => {
      for (const batch of batchesOf(group)) {
        const given = await commitBatch(
          parts,
          partition,
          batch.map(({ checkpoint }) => checkpoint),
        )
        for (const [place, { index }] of batch.entries()) {
          const answer = given[place]
          if (answer !== undefined) answers[index] = answer
        }
      }
    }),
  )
  return answers
}

type Placed = { readonly checkpoint: Checkpoint; readonly index: number }

/** What takes permits, gives some back or publishes has something to do elsewhere. */
const goesAlone = ({ writes: { take, release, workflowVersions } }: Checkpoint): boolean =>
  take.length > 0 || release.length > 0 || workflowVersions.length > 0

/** What goes alone is a batch by itself: the others share their transaction. */
function batchesOf(group: readonly Placed[]): readonly (readonly Placed[])[] {
  const batches: Placed[][] = []
  let open: Placed[] | null = null
  for (const item of group) {
    if (goesAlone(item.checkpoint)) {
      batches.push([item])
      open = null
    } else if (open === null) {
      open = [item]
      batches.push(open)
    } else open.push(item)
  }
  return batches
}

function commitBatch(
  parts: CommitParts,
  partition: number,
  batch: readonly Checkpoint[],
): Promise<readonly CommitAnswer[]> {
  const [only] = batch
  return only === undefined || !goesAlone(only)
    ? parts.raw.commit(partition, batch)
    : commitAlone(parts, partition, only)
}

async function commitAlone(
  parts: CommitParts,
  partition: number,
  only: Checkpoint,
): Promise<readonly CommitAnswer[]> {
  const local = partition === homePartition ? only : await published(parts, only)
  return [await commitWithPermits(parts, partition, local)]
}

/** Versions live at home: there first, and not with the run. */
async function published({ raw }: CommitParts, checkpoint: Checkpoint): Promise<Checkpoint> {
  const { workflowVersions } = checkpoint.writes
  if (workflowVersions.length === 0) return checkpoint
  await raw.commit(homePartition, [
    {
      partition: homePartition,
      opId: opId(`publish:${checkpoint.opId}`),
      // They are in the open.
      values: 'none',
      actor: checkpoint.actor,
      at: checkpoint.at,
      expect: { invocations: [], registers: [] },
      writes: { ...noWrites, workflowVersions },
      events: [],
    },
  ])
  return { ...checkpoint, writes: { ...checkpoint.writes, workflowVersions: [] } }
}

async function commitWithPermits(
  parts: CommitParts,
  partition: number,
  checkpoint: Checkpoint,
): Promise<CommitAnswer> {
  const { routes, permits } = parts
  const { writes, at } = checkpoint
  const isElsewhere = ({ key }: SlotTake | SlotRelease): boolean => routes.ofKey(key) !== partition
  const released = writes.release.filter(isElsewhere)
  const given = released.length === 0 ? [] : await permits.fenced(released)
  // What this very checkpoint gives back makes room for what it takes, as within one partition.
  const taken = await takenInTime(parts, writes.take.filter(isElsewhere), { at, given })
  if (taken.kind === 'slot-taken') {
    const { key, holders } = taken
    return { kind: 'refused', refusal: { kind: 'slot-taken', key, holders } }
  }
  const answer = await committed(parts, { partition, checkpoint, given })
  if (answer.kind !== 'accepted') await permits.undo(taken.takes)
  // A failover in the middle of it may be why the answer is that it was there already: the hold is over all the same.
  const over = answer.kind === 'repeated' ? given.filter(({ isOfHold }) => isOfHold) : given
  if (answer.kind !== 'refused') await permits.give(over)
  return answer
}

/** After too long a repair may have given them back, and others may have them: then they are taken anew. */
async function takenInTime(
  { permits, clock }: CommitParts,
  takes: readonly SlotTake[],
  asked: Parameters<HomePermits['take']>[1],
): Promise<HomeAnswer> {
  for (let tries = 1; ; tries += 1) {
    const isTooLong = tooLongAfter(clock)
    const taken = await permits.take(takes, asked)
    if (taken.kind === 'slot-taken' || takes.length === 0 || tries >= takesMax || !isTooLong()) return taken
    await permits.undo(taken.takes)
  }
}

async function committed(
  { raw, permits }: CommitParts,
  {
    partition,
    checkpoint,
    given,
  }: {
    readonly partition: number
    readonly checkpoint: Checkpoint
    readonly given: readonly NamedRelease[]
  },
): Promise<CommitAnswer> {
  try {
    const [answer] = await raw.commit(partition, [checkpoint])
    return answer ?? { kind: 'refused', refusal: { kind: 'invalid', problems: ['the store gave no answer'] } }
  } catch (thrown) {
    // Nobody knows whether it was written, and its author may see that it was and not ask again. What it takes is
    // held until a repair finds out.
    permits.giveOnceFree(given.filter(({ isOfHold }) => isOfHold))
    throw thrown
  }
}
