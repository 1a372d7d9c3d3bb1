/** A demand of registration control: when one is entered, who stands for it, and how two of them differ. */

import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson, isJsonObject } from '../../model/json.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { NodePermits } from './node-permits.ts'

/** Who registers it has this long to enter it; then whoever claims it does. */
const enterMs: Millis = 2_000

/** From when on a new invocation may be claimed without having been entered; null for at once. */
export const claimableFrom = (permits: NodePermits, now: Instant): Instant | null =>
  permits.registration === 'DISABLED' ? null : now + enterMs

/** Whether its demand is still to be entered. */
export const isUnentered = ({ permits, attempt }: InvocationRecord): boolean =>
  permits !== null && attempt === 0 && permits.registration?.key === null

/** The key of the demand that it stands for; null for what stands for none. */
export function standsFor(record: InvocationRecord): string | null {
  const key = record.permits?.registration?.key ?? null
  if (key === null || record.attempt > 0 || record.status === 'WAITING') return null
  return invocationMachine.final.has(record.status) ? null : key
}

/** What the later demand has that the first one has not; names and short values. */
export interface DemandDifference {
  readonly added: JsonObject
  readonly removed: JsonObject
  readonly changed: JsonObject
}

/** The difference in words. */
export const namesOf = ({ added, removed, changed }: DemandDifference): string =>
  [
    ...Object.keys(changed).map((name) => `${name} differs`),
    ...Object.keys(added).map((name) => `${name} is new`),
    ...Object.keys(removed).map((name) => `${name} is missing`),
  ].join(', ')

/** Compares resolved parameters but for those that make the demand what it is; null when they are the same. */
export function differenceOf(
  permits: NodePermits,
  first: JsonValue,
  later: JsonValue,
): DemandDifference | null {
  if (permits.registration === 'ARGUMENTS') return null
  const before = isJsonObject(first) ? first : {}
  const after = isJsonObject(later) ? later : {}
  const added: Record<string, JsonValue> = {}
  const removed: Record<string, JsonValue> = {}
  const changed: Record<string, JsonValue> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (permits.registration === 'KEYS' && permits.keys.includes(name)) continue
    const [was, is] = [before[name], after[name]]
    if (was === undefined) added[name] = shortValue(is)
    else if (is === undefined) removed[name] = shortValue(was)
    else if (canonicalJson(was) !== canonicalJson(is))
      changed[name] = { first: shortValue(was), later: shortValue(is) }
  }
  const isSame = [added, removed, changed].every((part) => Object.keys(part).length === 0)
  return isSame ? null : { added, removed, changed }
}

/** Enough to tell values apart; whole ones are in the records. */
const shownMax = 200

function shortValue(value: JsonValue | undefined): JsonValue {
  const text = JSON.stringify(value ?? null)
  return text.length <= shownMax ? (value ?? null) : `${text.slice(0, shownMax)}…`
}
