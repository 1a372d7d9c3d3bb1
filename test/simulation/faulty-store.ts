/** A store as one process sees it: calls take time, get lost, fail for a while, or are refused for no reason. */

import type { Checkpoint, CommitAnswer } from '../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { createPartitionedStore } from '../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RandomSource } from '../support/random-source.ts'
import type { Call } from './call.ts'
import type { Failovers, Unanswered } from './failovers.ts'
import { journaledPartitions } from './journaled-store.ts'
import { failoversOf, fastClusterOf, rawBehind } from './stores.ts'
import type { SimulatedProcess } from './world.ts'

export interface StoreFaults {
  /** The disk is full until then: nothing can be written. */
  fullUntil: number
  /** Until then every call takes long. */
  slowUntil: number
  /** Chance that a commit is refused although nothing stands against it. */
  refusal: number
  /** Chance that a write happens but its answer is an error. */
  lostAnswer: number
  /** Chance that a call does nothing but fail. */
  failure: number
}

export interface FaultyStoreOptions {
  readonly process: SimulatedProcess
  readonly random: RandomSource
  readonly faults: StoreFaults
  /** Told of each answer to a commit; nobody is when absent. */
  readonly answered?: (how: string) => void
}

/** No store says of something new that somebody else was first. */
const isUpdate = ({ expect }: Checkpoint): boolean => expect.run !== undefined && expect.run.version > 0

/** A way to or from a slow store takes less than this. */
const slowMs = 1_500

/**
 * The shared store behind the faults of one process. Where it has partitions, each of the calls that one
 * operation makes to them may fail, or be the last one that the process lives to make.
 */
export function createFaultyStore(store: Store, options: FaultyStoreOptions): Store {
  const raw = rawBehind(store)
  const call = createCall(options, failoversOf(store))
  if (raw === null) return faultyStore(store, options, call)
  const partitions: RawStore = {
    ...faultyStore(raw, options, call),
    ...(raw.confirmAll === undefined
      ? {}
      : { confirmAll: (partition: number) => call(true, async () => raw.confirmAll?.(partition)) }),
    neededFor: (partition) => call(false, () => raw.neededFor(partition)),
    takeSlots: (partition, request) => call(true, () => raw.takeSlots(partition, request)),
    releaseSlots: (partition, releases) => call(true, () => raw.releaseSlots(partition, releases)),
  }
  const { process } = options
  return createPartitionedStore(ownPartitions(store, options, { call, partitions }), {
    permitClock: process.clock(),
    writerId: String(process.pid),
  })
}

/** The same with a journal, where writes may be lost that were acknowledged. */
function ownPartitions(
  store: Store,
  { process, random, faults }: FaultyStoreOptions,
  { call, partitions }: { readonly call: Call; readonly partitions: RawStore },
): RawStore {
  const cluster = fastClusterOf(store)
  if (cluster === null) return partitions
  const journaled = journaledPartitions(partitions, { cluster, process, random, call })
  return {
    ...journaled,
    commit: (partition, checkpoints) =>
      random.chance(faults.refusal) && checkpoints.every(isUpdate)
        ? call(true, async () => checkpoints.map(() => refusal))
        : journaled.commit(partition, checkpoints),
  }
}

function createCall({ process, random, faults }: FaultyStoreOptions, failovers: Failovers | null): Call {
  const { world } = process
  /** What the writer is told at last: a failover may have come before it could be. */
  const settled = async <Answer>(made: Unanswered, first: Answer): Promise<Answer> => {
    world.pending += 1
    try {
      return (await failovers?.answer(made, first)) as Answer
    } finally {
      world.pending -= 1
    }
  }
  const travel = () => random.below(faults.slowUntil > world.now ? slowMs : 4)
  return <Answer>(write: boolean, operation: () => Promise<Answer>): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      const answerWith = (answer: () => void) => process.plan(travel(), answer)
      process.plan(travel(), () => {
        if (write && faults.fullUntil > world.now) {
          answerWith(() => reject(new SagasmithError('store_full')))
          return
        }
        if (random.chance(faults.failure)) {
          answerWith(() => reject(new SagasmithError('store_failed')))
          return
        }
        const lost = write && random.chance(faults.lostAnswer)
        world.pending += 1
        const answering = operation()
        const made = failovers?.made() ?? null
        answering
          .finally(() => {
            world.pending -= 1
          })
          .then(
            (answer) =>
              answerWith(() => {
                if (lost) reject(new SagasmithError('store_failed'))
                else if (made === null) resolve(answer)
                else settled(made, answer).then(resolve, reject)
              }),
            (thrown: unknown) => answerWith(() => reject(thrown)),
          )
      })
    })
}

const refusal: CommitAnswer = {
  kind: 'refused',
  refusal: { kind: 'lost-race', record: 'any', previous: null, expected: null, actual: null },
}

async function noted(
  answering: Promise<readonly CommitAnswer[]>,
  answered: (how: string) => void,
): Promise<readonly CommitAnswer[]> {
  const answers = await answering
  for (const answer of answers) answered(answer.kind === 'refused' ? answer.refusal.kind : answer.kind)
  return answers
}

function faultyStore(
  store: Store,
  { process, random, faults, answered = () => {} }: FaultyStoreOptions,
  call: Call,
): Store {
  return {
    info: store.info,
    migrate: () => store.migrate(),
    commit: (partition, checkpoints) =>
      random.chance(faults.refusal) && checkpoints.every(isUpdate)
        ? call(true, async () => checkpoints.map(() => refusal))
        : call(true, () => noted(store.commit(partition, checkpoints), answered)),
    fetch: (request) => call(false, () => store.fetch(request)),
    claim: (request) => call(true, () => store.claim(request)),
    renew: (request) => call(true, () => store.renew(request)),
    listExpired: (query) => call(false, () => store.listExpired(query)),
    listDue: (query) => call(false, () => store.listDue(query)),
    load: (partition, kind, input) => call(false, () => store.load(partition, kind, input)),
    list: (partition, kind, query) => call(false, () => store.list(partition, kind, query)),
    readEvents: (query) => call(false, () => store.readEvents(query)),
    watch: (partition, hint, topic) =>
      store.watch(partition, (origin, found) => process.plan(0, () => hint(origin, found)), topic),
    prune: (request) => call(true, () => store.prune(request)),
    putBlob: (bytes) => call(true, () => store.putBlob(bytes)),
    dropBlobs: (hashes) => call(true, () => store.dropBlobs(hashes)),
    getBlob: (hash) => call(false, () => store.getBlob(hash)),
    close: async () => {},
  }
}
