/**
 * The start record: the mutex of the chores. One register names the run that is on; opening, ending and
 * taking it from a dead runner are compare-and-sets on it, each with its audit row in the same checkpoint.
 * Its version in its epoch is the fence: what a run writes names it as a precondition and is refused once it was taken.
 */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import type { RunnerId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { RegisterAge, RegisterGuard } from '../register-look.ts'
import { expecting, lookAtRegister } from '../register-look.ts'
import type { ExecutionRecord } from './execution-record.ts'
import { executionKey, executionPrefix, executionValue, readExecution } from './execution-record.ts'

/** The register that names the run that is on. */
const startRecordKey = 'atomic-service/running'
const freed = 'free'
/** As many rows as are kept by default. */
const pageSize = 1_000
/** Lost races in a row after which the start is left to those who win them. */
const triesMax = 20

export interface StartRecordDependencies {
  readonly store: Store
  readonly partition: number
  readonly runnerId: RunnerId
  readonly clock: Clock
  readonly ids: Ids
}

/** A run that holds the mutex; add `fence` to the preconditions of everything it writes. */
export interface OpenedRun {
  readonly record: ExecutionRecord
  readonly fence: Required<RegisterGuard>
}

export type OpenAnswer =
  | { readonly kind: 'opened'; readonly run: OpenedRun }
  | { readonly kind: 'blocked'; readonly record: ExecutionRecord }

interface Current extends RegisterAge {
  readonly running: ExecutionRecord | null
}

/** The run that is on, with the version of the mutex. */
async function loadRunning(dependencies: StartRecordDependencies): Promise<Current> {
  const { epoch, version, register } = await lookAtRegister(dependencies, startRecordKey)
  return { epoch, version, running: register === null ? null : readExecution(register.value) }
}

/** Begins a run; blocked, with an audit row that says by whom, while another one is on. */
export async function openRun(
  dependencies: StartRecordDependencies,
  record: ExecutionRecord,
): Promise<OpenAnswer> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { epoch, version, running } = await loadRunning(dependencies)
    if (running?.id === record.id) return opened(running, { epoch, version })
    if (running !== null)
      return { kind: 'blocked', record: await recordBlocked(dependencies, record, running) }
    const value = executionValue(record)
    const moves = [
      { key: startRecordKey, version, epoch, value },
      { key: executionKey(record), version: 0, value },
    ]
    if (await write(dependencies, moves)) return opened(record, { epoch, version: version + 1 })
  }
  return { kind: 'blocked', record: await recordBlocked(dependencies, record, 'lost_race') }
}

const opened = (record: ExecutionRecord, at: RegisterAge): OpenAnswer => ({
  kind: 'opened',
  run: { record, fence: { key: startRecordKey, version: at.version, epoch: at.epoch } },
})

/**
 * Ends a run. False when it was taken from its runner meanwhile: then its end is already recorded. It is known by its
 * id: after a failover the mutex may have another version, or another run the same.
 */
export async function endRun(
  dependencies: StartRecordDependencies,
  run: Pick<OpenedRun, 'record'>,
  end: { readonly status: 'COMPLETED' | 'ABANDONED'; readonly reason: string | null },
): Promise<boolean> {
  const value = executionValue({ ...run.record, ...end, endedAt: dependencies.clock.now() })
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { epoch, version, running } = await loadRunning(dependencies)
    if (running?.id !== run.record.id) return false
    const moves = [
      { key: startRecordKey, version, epoch, value: freed },
      { key: executionKey(run.record), version: 1, value },
    ]
    if (await write(dependencies, moves)) return true
  }
  return false
}

/**
 * Takes the mutex from a runner that is no longer active, and from one that lives but has held it for longer
 * than `expiresAfterMs`: it hangs. Returns what was abandoned.
 */
export async function reapAbandoned(
  dependencies: StartRecordDependencies,
  bounds: { readonly isActive: (id: RunnerId) => boolean; readonly expiresAfterMs: Millis },
): Promise<ExecutionRecord | null> {
  const { running } = await loadRunning(dependencies)
  if (running === null) return null
  const isActive = bounds.isActive(running.runnerId)
  if (isActive && dependencies.clock.now() - running.startedAt < bounds.expiresAfterMs) return null
  const reason = isActive ? 'run_expired' : 'runner_inactive'
  const taken = await endRun(dependencies, { record: running }, { status: 'ABANDONED', reason })
  return taken ? running : null
}

/** Writes the audit row of a start that was refused. */
export async function recordBlocked(
  dependencies: StartRecordDependencies,
  record: ExecutionRecord,
  by: ExecutionRecord | string,
): Promise<ExecutionRecord> {
  const reason = typeof by === 'string' ? by : `prior_running:${by.id} runner:${by.runnerId}`
  const blocked: ExecutionRecord = { ...record, status: 'BLOCKED', reason, endedAt: record.startedAt }
  // Somebody who wrote the same row before said the same.
  await write(dependencies, [{ key: executionKey(blocked), version: 0, value: executionValue(blocked) }])
  return blocked
}

/** All audit rows with their versions, oldest first. */
export async function listExecutions({
  store,
  partition,
}: Pick<StartRecordDependencies, 'store' | 'partition'>): Promise<readonly StoredExecution[]> {
  const rows: StoredExecution[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly key: string; readonly value: JsonValue; readonly version: number }[] =
      await store.list(partition, 'registers', {
        filter: { prefix: executionPrefix },
        page: { after, limit: pageSize },
      })
    for (const { key, value, version } of page) {
      const record = readExecution(value)
      if (record !== null) rows.push({ key, version, record })
    }
    after = page.at(-1)?.key ?? null
    if (page.length < pageSize || after === null) return rows
  }
}

export interface StoredExecution {
  readonly key: string
  readonly version: number
  readonly record: ExecutionRecord
}

/** Removes these rows, all or none; false when one of them was changed or removed meanwhile. */
export const removeExecutions = (
  dependencies: StartRecordDependencies,
  rows: readonly StoredExecution[],
): Promise<boolean> =>
  write(
    dependencies,
    rows.map(({ key, version }) => ({ key, version, value: null })),
  )

async function write(
  { store, partition, runnerId, clock, ids }: StartRecordDependencies,
  changes: readonly (RegisterGuard & { readonly value: JsonValue | null })[],
): Promise<boolean> {
  const checkpoint: Checkpoint = {
    partition,
    opId: opId(`atomic-service:${ids.next()}`),
    actor: { kind: 'runner', id: runnerId },
    at: clock.now(),
    expect: expecting(changes),
    writes: { ...noWrites, registers: changes.map(({ key, value }) => ({ key, value })) },
    events: [],
  }
  const [answer] = await store.commit(partition, [checkpoint])
  return answer?.kind === 'accepted'
}
