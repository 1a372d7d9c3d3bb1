/**
 * A store whose values are sealed on their way in and opened on their way out. Between the engine and any kind
 * of store: neither knows of it. Ids, statuses, instants and names stay as they are, for claims and lists.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { ListQueries, LoadQueries, Store } from '../../store/store.ts'
import { commitInPlain } from './late-sealing.ts'
import { openedGroup } from './opened-group.ts'
import type { SealDesk, SealState } from './seal-state.ts'
import {
  attemptWith,
  eventWith,
  invocationWith,
  letterWith,
  outboxWith,
  registerWith,
  runWith,
  sealedCheckpoint,
} from './sealed-records.ts'
import { isSealedBlob } from './value-cipher.ts'
import { noKeyOpening, sealedErrorProblem, sealedValueError } from './value-seal.ts'
import type { ValueChange } from './walk-values.ts'
import { walkValues } from './walk-values.ts'

/** The same store; the desk says what may be done with its values. */
export function sealedStore(store: Store, desk: SealDesk): Store {
  return {
    ...store,
    ...writing(store, desk),
    ...working(store, desk),
    ...looking(store, desk),
    sealing: {
      keyId: () => sealingNow(desk)?.cipher.keyId ?? null,
      problem: () => problemOf(desk.state()),
      nameOf: (text) => sealingNow(desk)?.cipher.nameOf(text) ?? null,
      errorOf: sealedValueError,
    },
    close() {
      desk.stop()
      return store.close()
    },
  }
}

const sealingNow = (desk: SealDesk): Extract<SealState, { kind: 'sealing' }> | null => {
  const state = desk.state()
  return state.kind === 'sealing' ? state : null
}

const problemOf = (state: SealState): SagasmithError | null =>
  state.kind === 'reading' ? state.problem : null

/** Null where nobody seals. */
function openingOf(state: SealState): ValueChange | null {
  if (state.kind === 'plain') return null
  return state.kind === 'sealing' ? state.values.opening : state.opening
}

function writing(
  store: Store,
  desk: SealDesk,
): Pick<Store, 'commit' | 'putBlob' | 'getBlob' | 'dropBlobs' | 'prune' | 'repair'> {
  return {
    // As it is where nothing is sealed: each step of each run comes by here.
    commit(partition, checkpoints) {
      const state = desk.state()
      if (state.kind === 'plain') return commitInPlain(store, desk, { partition, checkpoints })
      if (state.kind === 'reading') return Promise.reject(state.problem)
      const { sealing } = state.values
      return store.commit(
        partition,
        checkpoints.map((checkpoint) => sealedCheckpoint(checkpoint, sealing)),
      )
    },
    async putBlob(bytes) {
      // Blobs lie beside the partitions, which would refuse them: the workspace is asked, and again afterwards.
      if (desk.state().kind === 'plain') {
        await desk.refresh()
        const hash = desk.state().kind === 'plain' ? await store.putBlob(bytes) : null
        if (hash !== null && desk.state().kind === 'plain') return hash
      }
      const state = desk.state()
      if (state.kind === 'plain') return store.putBlob(bytes)
      if (state.kind === 'reading') throw state.problem
      return store.putBlob(state.cipher.sealBytes(bytes))
    },
    async getBlob(hash) {
      const bytes = await store.getBlob(hash)
      if (!isSealedBlob(bytes)) return bytes
      const state = desk.state()
      const cipher = state.kind === 'plain' ? null : state.cipher
      const opened = cipher?.openBytes(bytes) ?? 'key-missing'
      if (typeof opened !== 'string') return opened
      if (opened === 'key-missing') throw problemOf(state) ?? new SagasmithError('seal_key_missing')
      throw new SagasmithError('sealed_value_damaged', { details: { blob: hash } })
    },
    async dropBlobs(hashes) {
      const problem = problemOf(desk.state())
      if (problem !== null) throw problem
      return store.dropBlobs(hashes)
    },
    async prune(request) {
      const problem = problemOf(desk.state())
      if (problem !== null) throw problem
      return store.prune(request)
    },
    ...(store.repair === undefined
      ? {}
      : {
          async repair(now) {
            return problemOf(desk.state()) === null ? ((await store.repair?.(now)) ?? 0) : 0
          },
        }),
  }
}

/** Who can't read its values leaves all work to those who can. */
function working(store: Store, desk: SealDesk): Pick<Store, 'fetch' | 'claim' | 'listExpired' | 'listDue'> {
  const openAll = (records: readonly InvocationRecord[]): readonly InvocationRecord[] => {
    const opening = openingOf(desk.state())
    return opening === null ? records : records.map((record) => invocationWith(record, opening))
  }
  const isReading = (): boolean => desk.state().kind === 'reading'
  return {
    fetch: async (request) => (isReading() ? [] : openAll(await store.fetch(request))),
    async claim(request) {
      if (isReading()) return { claimed: [], blocked: [] }
      const answer = await store.claim(request)
      const opening = openingOf(desk.state())
      if (opening === null) return answer
      return {
        ...answer,
        claimed: answer.claimed.map(({ run, invocation }) => ({
          run: runWith(run, opening),
          invocation: invocationWith(invocation, opening),
        })),
        blocked: answer.blocked.map((item) => ({
          ...item,
          invocation: invocationWith(item.invocation, opening),
        })),
      }
    },
    listExpired: async (query) => (isReading() ? [] : openAll(await store.listExpired(query))),
    listDue: async (query) => (isReading() ? { due: [], nextAt: null } : store.listDue(query)),
  }
}

function looking(store: Store, desk: SealDesk): Pick<Store, 'load' | 'list' | 'readEvents' | 'readGroups'> {
  return {
    async load(partition, kind, input) {
      const found = await store.load(partition, kind, input)
      const opening = openingOf(desk.state())
      if (opening === null) return found
      const open = openers[kind] as Opener | undefined
      return open === undefined ? found : (open(found, opening) as typeof found)
    },
    async list(partition, kind, query) {
      const found = await store.list(partition, kind, query)
      const state = desk.state()
      const opening = openingOf(state)
      if (opening === null) return found
      // Nobody hands on what they can't read.
      if (kind === 'outbox' && state.kind === 'reading') return []
      const open = itemOpeners[kind] as Opener | undefined
      return open === undefined ? found : found.map((item) => open(item, opening) as typeof item)
    },
    async readEvents(query) {
      const events = await store.readEvents(query)
      const opening = openingOf(desk.state())
      if (opening === null) return events
      return events.map((event): EngineEvent => eventWith(event, opening))
    },
    ...(store.readGroups === undefined
      ? {}
      : {
          async readGroups(query) {
            const page = (await store.readGroups?.(query)) ?? null
            const opening = openingOf(desk.state())
            if (page === null || opening === null) return page
            return { ...page, groups: page.groups.map((group) => openedGroup(group, opening)) }
          },
        }),
  }
}

type Opener = (value: unknown, opening: ValueChange) => unknown
type OpenerOf<Value> = (value: Value, opening: ValueChange) => Value

/** The queries that tell values; the others give names and numbers. */
const openers: { readonly [Kind in keyof LoadQueries]?: OpenerOf<LoadQueries[Kind]['output']> } = {
  run: (run, opening) => (run === null ? null : runWith(run, opening)),
  runByRequest: (run, opening) => (run === null ? null : runWith(run, opening)),
  invocation: (record, opening) => (record === null ? null : invocationWith(record, opening)),
  invocations: (records, opening) => records.map((record) => invocationWith(record, opening)),
  attempts: (attempts, opening) => attempts.map((attempt) => attemptWith(attempt, opening)),
  permitWaiters: ({ invocations, runs }, opening) => ({
    invocations: invocations.map((record) => invocationWith(record, opening)),
    runs: runs.map((run) => runWith(run, opening)),
  }),
  deadLetter: (letter, opening) => (letter === null ? null : letterWith(letter, opening)),
  register: (register, opening) => (register === null ? null : registerWith(register, opening)),
}

const itemOpeners: { readonly [Kind in keyof ListQueries]?: OpenerOf<ListQueries[Kind]['item']> } = {
  runs: runWith,
  deadLetters: letterWith,
  work: invocationWith,
  signalWaiters: invocationWith,
  outbox: outboxWith,
  registers: registerWith,
}

/** A run that can't be read whole isn't decided about: what keeps it from that, or null. */
export function unreadable(values: readonly object[]): SagasmithError | null {
  let found: SagasmithError | null = null
  const look: ValueChange = {
    ...noKeyOpening,
    payload: (value) => {
      if (value.kind === 'sealed') found ??= sealedValueError(value)
      return value
    },
    error: (value) => {
      found ??= sealedErrorProblem(value)
      return value
    },
  }
  for (const value of values) {
    walkValues(value, { scope: '', path: '' }, look)
    if (found !== null) return found
  }
  return null
}
