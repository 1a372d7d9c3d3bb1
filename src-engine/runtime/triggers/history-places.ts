/** Places in the history of a store's partitions: where it ends now, and up to where it was looked at. */

import type { Cursor, PartitionCursor } from '../../model/event.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Store } from '../../store/store.ts'
import type { RegisterAge, RegisterPlace } from '../register-look.ts'
import { lookAtRegister } from '../register-look.ts'
import { feedStart } from '../run-place.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'
import { writeRegisters } from './trigger-registers.ts'

/** Where each partition ends now: what is written from now on comes after it. */
export function historyEnds({ store }: { readonly store: Store }): Promise<Cursor> {
  return Promise.all(store.info.partitions.map((partition) => store.load(partition, 'feedEnd', {})))
}

/** Whether the one place comes after the other, in the same partition. */
export const isBehind = (
  { epoch, seq }: Omit<PartitionCursor, 'partition'>,
  other: Omit<PartitionCursor, 'partition'>,
): boolean => epoch > other.epoch || (epoch === other.epoch && seq > other.seq)

/** Up to where somebody looked at a partition, and how that is kept. */
export interface LookedUpTo {
  readonly place: PartitionCursor
  /** How old what is kept of it is. */
  readonly age: RegisterAge
}

/** All of them have keys with this beginning. */
const placePrefix = 'triggers-heard/'

const placeKey = (partition: number): string => `${placePrefix}${partition}`

/** At the beginning where nobody has looked yet. */
export async function loadPlace(home: RegisterPlace, partition: number): Promise<LookedUpTo> {
  const { register, epoch, version } = await lookAtRegister(home, placeKey(partition))
  const place = readPlace(partition, register?.value) ?? feedStart(partition)
  return { place, age: { epoch, version } }
}

function readPlace(partition: number, value: JsonValue | undefined): PartitionCursor | null {
  if (!isJsonObject(value)) return null
  const { epoch, seq } = value
  return typeof epoch === 'number' && typeof seq === 'number' ? { partition, epoch, seq } : null
}

/** Keeps the place; null when somebody else moved it meanwhile. */
export async function keepPlace(
  parts: TriggerRegistersParts,
  { place, age }: LookedUpTo,
): Promise<LookedUpTo | null> {
  const { partition, epoch, seq } = place
  const isKept = await writeRegisters(parts, [{ key: placeKey(partition), ...age, value: { epoch, seq } }])
  return isKept ? { place, age: { ...age, version: age.version + 1 } } : null
}
