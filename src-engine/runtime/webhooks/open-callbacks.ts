/**
 * Whether web calls of steps are listened for: from the first address that is given out until long after the
 * last one, and for as long as a step waits. One register says so, on every process that listens.
 */

import { webCallName } from '../../core/web-calls.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Millis } from '../../model/time.ts'
import { day, hour } from '../../model/time.ts'
import { lookAtRegister } from '../register-look.ts'
import type { TriggerRegistersParts } from '../triggers/trigger-registers.ts'
import { writeRegisters } from '../triggers/trigger-registers.ts'

/** When an address was given out last. */
const openedKey = 'webhook-callbacks'
/** Who gives out another one within this time writes nothing. */
const freshMs: Millis = hour
/** Whoever has an address may call before its step waits; then for as long as it waits. */
const openMs: Millis = 7 * day
const racesMax = 10

type OpenParts = TriggerRegistersParts

/** Has the calls be listened for. Answers whether anything was written. */
export async function openCallbacks(parts: OpenParts): Promise<boolean> {
  for (let races = 0; races < racesMax; races += 1) {
    const { register, epoch, version } = await lookAtRegister(parts, openedKey)
    const now = parts.clock.now()
    const at = openedAt(register?.value)
    if (at !== null && at <= now && now < at + freshMs) return false
    if (await writeRegisters(parts, [{ key: openedKey, epoch, version, value: { at: now } }])) return true
  }
  // So many at a time: one of them has written it.
  return false
}

/** Whether somebody may call a step. */
export async function areCallbacksOpen(parts: OpenParts): Promise<boolean> {
  const { store, partition, clock } = parts
  const register = await store.load(partition, 'register', { key: openedKey })
  const at = openedAt(register?.value)
  if (at === null) return false
  return clock.now() < at + openMs || isCallAwaited(parts)
}

/** Whether a step waits for one. */
export async function isCallAwaited({ store, partition }: OpenParts): Promise<boolean> {
  const page = { after: null, limit: 1 }
  return (await store.list(partition, 'signalWaiters', { filter: { name: webCallName }, page })).length > 0
}

function openedAt(value: unknown): number | null {
  return isJsonObject(value) && typeof value['at'] === 'number' ? value['at'] : null
}
