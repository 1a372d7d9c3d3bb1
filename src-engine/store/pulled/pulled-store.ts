/**
 * The pulled runs of one origin as a store that is only read: what a view asks of any other store, this one
 * answers from the file. Nothing is ever there to claim, due or expired, and every write is refused.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import { partitionOf } from '../../model/partition.ts'
import type { ReplayState } from '../../model/replay.ts'
import { applyEvents, emptyReplay } from '../../model/replay.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { sealRegister } from '../../model/seal.ts'
import { createHints } from '../hints.ts'
import type { EventQuery, ListQueries, LoadQueries, Page, Store, StoreInfo } from '../store.ts'
import type { PulledFile, PulledOrigin } from './pulled-file.ts'

/** Runs that somebody looks at just now. */
const replaysMax = 8

/** The store of an origin's pulled runs. Closing it leaves the file open: others read it too. */
export function createPulledStore(file: PulledFile, origin: PulledOrigin): Store {
  const replays = createReplays(file)
  const hints = createHints()
  file.watch(() => hints.notify('elsewhere'))
  const loads = loadersOf(file, origin, replays)
  const lists = listersOf(file, origin)
  return {
    info: infoOf(origin),
    migrate: () => Promise.resolve(),
    commit: refuse,
    fetch: () => Promise.resolve([]),
    claim: () => Promise.resolve({ claimed: [], blocked: [] }),
    renew: refuse,
    listExpired: () => Promise.resolve([]),
    listDue: () => Promise.resolve({ due: [], nextAt: null }),
    load: async (partition, kind, input) => loads[kind](partition, input),
    list: async (_partition, kind, { filter, page }) => pageOf(lists[kind](filter), page),
    readEvents: async (query) => eventsOf(file, origin, query),
    watch: (_partition, hint) => hints.watch(hint),
    putBlob: refuse,
    dropBlobs: refuse,
    prune: refuse,
    async getBlob(hash) {
      const bytes = file.payload(hash)
      if (bytes !== null) return Uint8Array.from(bytes)
      throw new SagasmithError('blob_missing', {
        message: `The payload ${hash} was not pulled: it was too much to come along, or was there no more.`,
        hint: 'Look at it on the cluster that the run came from.',
        details: { hash },
      })
    },
    close: () => Promise.resolve(),
  }
}

const infoOf = ({ id, chain, partitions }: PulledOrigin): StoreInfo => ({
  id,
  kind: 'pulled',
  chain,
  partitions: Array.from({ length: partitions }, (_, partition) => partition),
  epochs: Array.from({ length: partitions }, () => 0),
  multiProcess: false,
  cleanlyClosed: true,
  safety: null,
  renewer: null,
})

async function refuse(): Promise<never> {
  throw new SagasmithError('teleport_read_only')
}

interface Replays {
  readonly of: (runId: RunId) => ReplayState
}

/** The records of runs from their events; forgotten when the file changes. */
function createReplays(file: PulledFile): Replays {
  const known = new Map<RunId, ReplayState>()
  file.watch(() => known.clear())
  return {
    of(runId) {
      const found = known.get(runId)
      if (found !== undefined) return found
      let state = emptyReplay
      for (const events of file.pages(runId, { epoch: 0, seq: 0 })) state = applyEvents(state, events)
      const [oldest] = known.keys()
      if (known.size >= replaysMax && oldest !== undefined) known.delete(oldest)
      known.set(runId, state)
      return state
    },
  }
}

type Loaders = {
  readonly [Kind in keyof LoadQueries]: (
    partition: number,
    input: LoadQueries[Kind]['input'],
  ) => LoadQueries[Kind]['output']
}

/** What belongs to no run wasn't pulled: there is none of it. */
function loadersOf(file: PulledFile, origin: PulledOrigin, replays: Replays): Loaders {
  const own = (runId: RunId): boolean => file.originOf(runId)?.id === origin.id
  return {
    run: (_, { runId }) => (own(runId) ? file.record(runId) : null),
    runByRequest: (_, { requestId }) =>
      recordsOf(file, origin).find((run) => run.requestId === requestId) ?? null,
    runCounts: (_, { workflowId }) => {
      const counts = new Map<RunStatus, number>()
      for (const run of recordsOf(file, origin)) {
        if (workflowId === null || run.workflowId === workflowId)
          counts.set(run.status, (counts.get(run.status) ?? 0) + 1)
      }
      return counts
    },
    invocations: (_, { runId }) => [...replays.of(runId).invocations.values()],
    invocation: (_, { invocationId }) =>
      replays.of(runIdOf(invocationId)).invocations.get(invocationId) ?? null,
    attempts: (_, { runId, invocationId }) =>
      replays
        .of(runId)
        .attempts.filter((attempt) => invocationId === null || attempt.invocationId === invocationId),
    workflowVersion: (_, { hash }) => file.version(hash),
    register: (_, { key }) => {
      const value = key === sealRegister ? file.sealingOf(origin.id) : null
      return value === null ? null : { key, value, version: 1 }
    },
    dueRegisters: () => ({ due: [], nextAt: null }),
    slotHolders: () => [],
    permitWaiters: () => ({ invocations: [], runs: [] }),
    workCounts: () => [],
    deadLetter: (_, { id }) => lettersOf(file, origin).find((letter) => letter.id === id) ?? null,
    runner: () => null,
    feedEnd: (partition) => {
      const ends = file
        .list()
        .filter(({ runId }) => own(runId) && partitionOf(runId, origin.partitions) === partition)
        .map(({ origin: { epoch, seq } }) => ({ partition, epoch, seq }))
        .sort((a, b) => b.epoch - a.epoch || b.seq - a.seq)
      return ends[0] ?? { partition, epoch: 0, seq: 0 }
    },
  }
}

const recordsOf = (file: PulledFile, origin: PulledOrigin): readonly RunRecord[] =>
  file
    .list()
    .filter(({ origin: { storeId } }) => storeId === origin.id)
    .flatMap(({ runId }) => file.record(runId) ?? [])

const lettersOf = (file: PulledFile, origin: PulledOrigin) =>
  recordsOf(file, origin).flatMap(({ id }) => file.letters(id))

type Listers = {
  readonly [Kind in keyof ListQueries]: (
    filter: ListQueries[Kind]['filter'],
  ) => readonly (readonly [id: string, item: ListQueries[Kind]['item']])[]
}

function listersOf(file: PulledFile, origin: PulledOrigin): Listers {
  return {
    runs: ({ statuses, workflowId }) =>
      recordsOf(file, origin)
        .filter((run) => statuses === null || statuses.includes(run.status))
        .filter((run) => workflowId === null || run.workflowId === workflowId)
        .map((run) => [run.id, run]),
    workflowVersions: ({ workflowId }) => file.versions(workflowId).map((version) => [version.hash, version]),
    deadLetters: ({ reason, workflowId, runId }) =>
      lettersOf(file, origin)
        .filter((letter) => reason === null || letter.reason === reason)
        .filter((letter) => workflowId === null || letter.workflowId === workflowId)
        .filter((letter) => runId === null || letter.runId === runId)
        .map((letter) => [letter.id, letter]),
    runners: () => [],
    work: () => [],
    signalWaiters: () => [],
    permits: () => [],
    outbox: () => [],
    registers: () => [],
  }
}

function pageOf<Item>(
  found: readonly (readonly [id: string, item: Item])[],
  { after, limit }: Page,
): readonly Item[] {
  const start = after === null ? 0 : found.findIndex(([id]) => id === after) + 1
  return found.slice(start, start + limit).map(([, item]) => item)
}

/** The newest epoch is the run's own: later ones told nothing of it. */
function eventsOf(
  file: PulledFile,
  origin: PulledOrigin,
  { after, runId, until, limit }: EventQuery,
): readonly EngineEvent[] {
  if (runId === null || file.originOf(runId)?.id !== origin.id) return []
  const newest = file.find(runId)?.origin.epoch ?? 0
  const found: EngineEvent[] = []
  for (const events of file.pages(runId, after)) {
    for (const event of events) {
      if (found.length >= limit) return found
      if (until === null || event.epoch < newest || event.seq <= until) found.push(event)
    }
  }
  return found
}
