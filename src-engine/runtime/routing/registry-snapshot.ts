/**
 * The warm start: a list of the runners, written by one of them every few seconds, that a new runner reads
 * before it has heard anybody. Only a hint: it is used while it is young, and a live heartbeat beats it.
 */

import { z } from 'zod'
import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { runnerId as asRunnerId, opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Ids } from '../../model/ports.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Locks } from '../locks/locks.ts'
import type { RegisterAge } from '../register-look.ts'
import { expecting, lookAtRegister } from '../register-look.ts'
import type { BoardDependencies, RunnerBoard } from './runner-board.ts'

/** The register that the list is kept in. */
export const registryKey = 'registry/snapshot'
/** A start waits no longer than this for the list. */
const readMs: Millis = 5 * second
/** A list that is nearly due may be written: timers of several runners are never quite together. */
const dueShare = 0.9

export interface RegistrySnapshot {
  /** The runners of a young list; none when there is none, it can't be read, or not in time. */
  readonly read: () => Promise<readonly RunnerRecord[]>
  readonly start: () => void
  readonly stop: () => void
}

export interface RegistryDependencies extends Omit<BoardDependencies, 'settings'> {
  readonly settings: Pick<
    EngineSettings,
    'registrySnapshotIntervalMs' | 'registrySnapshotLockTtlMs' | 'registryEntryTtlMs' | 'retryDelayLockBusyMs'
  >
  readonly ids: Ids
  readonly locks: Locks
  readonly board: Pick<RunnerBoard, 'others'>
  /** This runner's own row. */
  readonly row: () => RunnerRecord
}

export function createRegistrySnapshot(dependencies: RegistryDependencies): RegistrySnapshot {
  const { clock, log, settings } = dependencies
  let running = false
  let cancel: () => void = () => {}
  const { registrySnapshotIntervalMs: intervalMs, retryDelayLockBusyMs } = settings
  const turn = async (): Promise<boolean> => {
    try {
      return await writeInTurn(dependencies)
    } catch (thrown) {
      log.warn('registry.unwritten', { error: recordOfThrown(thrown).message })
      return true
    }
  }
  const later = (spanMs: Millis): void => {
    cancel = clock.after(spanMs, () => {
      void turn().then((isDone) => {
        // Who has the lock may have died with it: the list is looked at again soon.
        if (running) later(isDone ? intervalMs : Math.max(1, retryDelayLockBusyMs))
      })
    })
  }
  return {
    read: () => readInTime(dependencies),
    start: () => {
      if (running) return
      running = true
      later(intervalMs)
    },
    stop: () => {
      running = false
      cancel()
    },
  }
}

async function readInTime(dependencies: RegistryDependencies): Promise<readonly RunnerRecord[]> {
  const { clock, log } = dependencies
  let cancel: () => void = () => {}
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(readMs, () => resolve(null))
  })
  try {
    const stored = await Promise.race([load(dependencies), late])
    if (stored === null) return []
    return youngRows(stored.value, dependencies)
  } catch (thrown) {
    log.warn('registry.unread', { error: recordOfThrown(thrown).message })
    return []
  } finally {
    cancel()
  }
}

const load = ({ store, partition }: RegistryDependencies) =>
  store.load(partition, 'register', { key: registryKey })

/** What can't be read is a cold start, and so is what is older than its entries may be. */
function youngRows(
  value: JsonValue,
  { clock, log, settings, runnerId }: RegistryDependencies,
): readonly RunnerRecord[] {
  const list = readList(value)
  if (list === null) {
    log.warn('registry.corrupt', { key: registryKey })
    return []
  }
  const ttlMs = settings.registryEntryTtlMs
  if (clock.now() - list.at >= ttlMs) return []
  return list.runners.filter(({ id, heartbeatAt }) => id !== runnerId && list.at - heartbeatAt < ttlMs)
}

/**
 * False when somebody else has the lock. Nobody writes for itself alone: the store knows the one row that
 * there is.
 */
async function writeInTurn(dependencies: RegistryDependencies): Promise<boolean> {
  const { clock, settings, board, locks } = dependencies
  if (board.others().length === 0) return true
  const isDue = (at: Instant): boolean =>
    Math.abs(clock.now() - at) >= settings.registrySnapshotIntervalMs * dueShare
  const before = await lookAtRegister(dependencies, registryKey)
  if (before.register !== null && !isDue(readList(before.register.value)?.at ?? 0)) return true
  const lock = await locks.acquire('registry:snapshot', settings.registrySnapshotLockTtlMs)
  if (lock === null) return false
  try {
    await write(dependencies, before)
    return true
  } finally {
    await lock.release()
  }
}

async function write(
  { store, partition, runnerId, clock, ids, board, row }: RegistryDependencies,
  { epoch, version }: RegisterAge,
): Promise<void> {
  const runners = [{ ...row(), heartbeatAt: clock.now() }, ...board.others()].map(brief)
  // Rows are JSON: the store keeps them so already.
  const value = { at: clock.now(), runners } as unknown as JsonValue
  const checkpoint: Checkpoint = {
    partition,
    opId: opId(`registry:${ids.next()}`),
    actor: { kind: 'runner', id: runnerId },
    at: clock.now(),
    expect: expecting([{ key: registryKey, epoch, version }]),
    writes: { ...noWrites, registers: [{ key: registryKey, value }] },
    // A list every few seconds is no history that anybody wants to read.
    events: [],
  }
  // Refused when somebody else was faster: then there is a list.
  await store.commit(partition, [checkpoint])
}

/** Without what the rows themselves tell at length: a register has only so much room. */
const brief = ({ trust: _trust, secrets: _secrets, ...rest }: RunnerRecord): RunnerRecord => rest

const texts = z.array(z.string())
const row = z.object({
  id: z.string().transform(asRunnerId),
  process: z.object({
    host: z.string(),
    pid: z.number(),
    startTime: z.string().nullable(),
    bootId: z.string().nullable(),
  }),
  startedAt: z.number(),
  heartbeatAt: z.number(),
  stoppedAt: z.number().nullable(),
  pools: texts,
  slots: z.number(),
  active: z.number(),
  labels: texts,
  capabilities: texts,
  canRunAtomicService: z.boolean(),
  parentId: z.string().transform(asRunnerId).nullable(),
  cpuPercent: z.number().nullable(),
  gpuPercent: z.number().nullable(),
  drainingSince: z.number().nullable(),
})
const list = z.object({ at: z.number(), runners: z.array(row) })

interface RegistryList {
  readonly at: Instant
  readonly runners: readonly RunnerRecord[]
}

function readList(value: JsonValue): RegistryList | null {
  const read = list.safeParse(value)
  return read.success ? read.data : null
}
