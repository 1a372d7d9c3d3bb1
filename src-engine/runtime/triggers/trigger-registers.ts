/** Triggers and their records as registers at home: reading them, and the one way they are written. */

import type { Checkpoint, RegisterWrite } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import type { EventDraft } from '../../model/event.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { FiringRecord, TriggerName, TriggerRecord } from '../../model/trigger.ts'
import {
  firingKey,
  readFiring,
  readTrigger,
  triggerKey,
  triggerPrefix,
  triggerValue,
} from '../../model/trigger.ts'
import type { Store } from '../../store/store.ts'
import type { RegisterAge, RegisterGuard, RegisterPlace } from '../register-look.ts'
import { epochOfLook, expecting, lookAtRegister } from '../register-look.ts'

export interface TriggerRegistersParts {
  readonly store: Store
  /** Home: where all triggers live. */
  readonly partition: number
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
}

/** A trigger, and how old what was seen of it is. */
export interface StoredTrigger extends RegisterAge {
  readonly record: TriggerRecord
}

/** A write with the version that it replaces; 0 for a register that must not be there. */
export type GuardedWrite = RegisterGuard & RegisterWrite

/** Grows with every change of what there is: who keeps triggers in mind looks here whether they still count. */
export const catalogueKey = 'triggers-catalogue'

/** Null for one that isn't published. */
export async function loadTrigger(place: RegisterPlace, name: TriggerName): Promise<StoredTrigger | null> {
  const { register, epoch, version } = await lookAtRegister(place, triggerKey(name))
  const record = readTrigger(register?.value)
  return record === null ? null : { record, epoch, version }
}

/** The write that makes a trigger another one than was seen. */
export const movedTrigger = (
  { epoch, version }: RegisterAge,
  { record, dueAt }: { readonly record: TriggerRecord; readonly dueAt: Instant | null },
): GuardedWrite => ({ key: triggerKey(record), epoch, version, value: triggerValue(record), dueAt })

/** The write that tells everybody who keeps triggers in mind to look again. */
export async function grownCatalogue(
  parts: RegisterPlace & Pick<TriggerRegistersParts, 'clock'>,
): Promise<GuardedWrite> {
  const { epoch, version } = await lookAtRegister(parts, catalogueKey)
  return { key: catalogueKey, epoch, version, value: { at: parts.clock.now() } }
}

/** All triggers whose keys begin so, by key. */
export async function listTriggers(
  place: RegisterPlace,
  prefix: string = triggerPrefix,
): Promise<readonly StoredTrigger[]> {
  const { store, partition } = place
  const epoch = epochOfLook(place)
  const found: StoredTrigger[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly key: string; readonly value: JsonValue; readonly version: number }[] =
      await store.list(partition, 'registers', { filter: { prefix }, page: { after, limit: pageSizeMax } })
    for (const { value, version } of page) {
      const record = readTrigger(value)
      if (record !== null) found.push({ record, epoch, version })
    }
    after = page.at(-1)?.key ?? null
    if (page.length < pageSizeMax || after === null) return found
  }
}

/** A record of an occurrence, and how old what was seen of it is. */
export interface StoredFiring extends RegisterAge {
  readonly record: FiringRecord
}

/** Null for one that never was, or is no longer kept. */
export async function loadStoredFiring(place: RegisterPlace, firingId: string): Promise<StoredFiring | null> {
  const { register, epoch, version } = await lookAtRegister(place, firingKey(firingId))
  const record = readFiring(register?.value)
  return record === null ? null : { record, epoch, version }
}

/** Null for one that never was, or is no longer kept. */
export const loadFiring = async (place: RegisterPlace, firingId: string): Promise<FiringRecord | null> =>
  (await loadStoredFiring(place, firingId))?.record ?? null

/** Writes all of them or none; false when one of them, or of the guards, is not as it was. */
export async function writeRegisters(
  { store, partition, clock, ids }: TriggerRegistersParts,
  writes: readonly GuardedWrite[],
  guards: readonly RegisterGuard[] = [],
): Promise<boolean> {
  const checkpoint: Checkpoint = {
    partition,
    opId: opId(`triggers:${ids.next()}`),
    actor: { kind: 'trigger', id: null },
    at: clock.now(),
    expect: expecting([...writes, ...guards]),
    writes: { ...noWrites, registers: writes.map(plain) },
    events: writes.filter(({ key }) => key === catalogueKey).map(told),
  }
  const [answer] = await store.commit(partition, [checkpoint])
  return answer?.kind === 'accepted'
}

/** Who keeps triggers in mind watches the store, and hears of events. */
const told = ({ key, value }: GuardedWrite): EventDraft => ({
  runId: null,
  invocationId: null,
  cause: { kind: 'triggers', by: null, detail: null },
  body: { type: 'register.changed', key, value },
})

const plain = ({ key, value, dueAt }: GuardedWrite): RegisterWrite =>
  dueAt === undefined ? { key, value } : { key, value, dueAt }
