/** I41: what is not to stay is there for as long as its run may need it, and no longer. */

import type { BlobHash } from '../../src-engine/model/ids.ts'
import { runOutputGraceMs, scanGraceMs } from '../../src-engine/model/limits.ts'
import type { Payload } from '../../src-engine/model/payload.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { Instant, Millis } from '../../src-engine/model/time.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { History, RunHistory } from './history.ts'

/** What was due to go before that instant must have gone by now. */
export interface Forgotten {
  readonly before: Instant
  readonly unkeptGraceMs: Millis
}

export async function checkForgotten(
  store: Store,
  { runs }: History,
  forgotten: Forgotten,
): Promise<readonly string[]> {
  const found: string[] = runs.flatMap(missedWhileItWent)
  for (const [hash, owners] of ownersOf(runs)) {
    const isDue = owners.every((owner) => dueAt(owner, hash, forgotten) <= forgotten.before)
    if (isDue && (await isThere(store, hash)))
      found.push(`I41 ${hash} is still there, and ${namesOf(owners)} have ended`)
  }
  return found
}

/** Whether all of it has gone, due or not. */
export async function isAllForgotten(store: Store, { runs }: History): Promise<boolean> {
  for (const hash of ownersOf(runs).keys()) if (await isThere(store, hash)) return false
  return true
}

/** Values that are not to stay, with the runs that name them. */
function ownersOf(runs: readonly RunHistory[]): ReadonlyMap<BlobHash, readonly RunHistory[]> {
  const naming = new Map<BlobHash, RunHistory[]>()
  for (const history of runs) {
    for (const hash of fleetingOf(history)) naming.set(hash, [...(naming.get(hash) ?? []), history])
  }
  return naming
}

const isThere = (store: Store, hash: BlobHash): Promise<boolean> =>
  store.getBlob(hash).then(
    () => true,
    () => false,
  )

/** Steps that missed a value before their run had come to an end for the first time: nothing was to go by then. */
function missedWhileItWent({ run, events }: RunHistory): readonly string[] {
  const found: string[] = []
  for (const { body, invocationId } of events) {
    if (body.type === 'run.changed' && runMachine.final.has(body.to)) return found
    if (body.type === 'invocation.changed' && body.set.error?.code === 'output_not_kept')
      found.push(`I41 ${invocationId} missed what had gone while ${run.id} went on`)
  }
  return found
}

const namesOf = (owners: readonly RunHistory[]): string =>
  owners.map(({ run }) => `${run.id} ${run.status}`).join(', ')

/** When it goes at the latest for all that this run has to say. */
function dueAt({ run, events }: RunHistory, hash: BlobHash, { unkeptGraceMs }: Forgotten): Instant {
  if (!runMachine.final.has(run.status)) return Number.POSITIVE_INFINITY
  const ended = run.finishedAt ?? Number.POSITIVE_INFINITY
  // Once handed on it may have been held back.
  const own = events.some(({ body }) => body.type === 'run.changed' && isBlob(body.set.output, hash))
  if (own && run.parentInvocationId === null) return ended + runOutputGraceMs
  return ended + Math.max(mayGoOn(run) ? unkeptGraceMs : 0, scanGraceMs)
}

const isBlob = (payload: Payload | null | undefined, hash: BlobHash): boolean =>
  payload !== null && payload !== undefined && 'hash' in payload && payload.hash === hash

const mayGoOn = (run: RunRecord): boolean =>
  runMachine.validateTransition(run.status, 'RUNNING', { kind: 'operator', id: null }) === null

/** Those that its records name, wherever in them, or its history alone. */
function fleetingOf({ run, invocations, events }: RunHistory): ReadonlySet<BlobHash> {
  const named = new Set<BlobHash>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('fleeting' in value && 'hash' in value) named.add(value.hash as BlobHash)
    else for (const item of Object.values(value)) look(item)
  }
  look([run, invocations, events.map(({ body }) => body)])
  return named
}
