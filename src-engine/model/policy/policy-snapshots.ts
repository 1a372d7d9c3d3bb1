/**
 * How a policy is kept: the register `policy` says which one counts and which came before it; each policy has a
 * register of its own under its hash, so that going back is to name another one.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { JsonValue } from '../json.ts'
import { canonicalJson, isJsonObject } from '../json.ts'
import type { Instant } from '../time.ts'
import type { PolicyDocument } from './policy.ts'
import { policyJson } from './policy.ts'

/** The register that says which policy counts. */
export const policyRegisterKey = 'policy'

/** How many policies are kept, the one that counts included. */
export const policySnapshotsMax = 10

/** A policy that counts or counted. */
export interface PolicySnapshot {
  readonly hash: string
  /** When it was last made the one that counts. */
  readonly at: Instant
  readonly by: string
  readonly note: string
  readonly title: string
  readonly ruleCount: number
}

/** What the register says: newest first, each policy once; none at all before the first is set. */
export interface PolicyIndex {
  /** Null while there is no policy: everything is allowed. */
  readonly current: string | null
  readonly snapshots: readonly PolicySnapshot[]
}

export const noPolicyIndex: PolicyIndex = { current: null, snapshots: [] }

/** The name of a policy: equal for equal content. */
export const policyHashOf = (policy: PolicyDocument): string =>
  `policy_${bytesToHex(sha256(utf8ToBytes(canonicalJson(policyJson(policy))))).slice(0, 32)}`

/** The register that holds the policy of that hash. */
export const policyContentKey = (hash: string): string => `${policyRegisterKey}:${hash}`

/** The index with this policy first, and the hashes of those that are dropped for it. */
export function withSnapshot(
  index: PolicyIndex,
  snapshot: PolicySnapshot,
): { readonly index: PolicyIndex; readonly dropped: readonly string[] } {
  const all = [snapshot, ...index.snapshots.filter(({ hash }) => hash !== snapshot.hash)]
  return {
    index: { current: snapshot.hash, snapshots: all.slice(0, policySnapshotsMax) },
    dropped: all.slice(policySnapshotsMax).map(({ hash }) => hash),
  }
}

/** The index as a register's value. */
export const writePolicyIndex = ({ current, snapshots }: PolicyIndex): JsonValue => ({
  current,
  snapshots: snapshots.map((snapshot) => ({ ...snapshot })),
})

/** The index that a register's value is; null for one that makes no sense. */
export function readPolicyIndex(value: unknown): PolicyIndex | null {
  if (!isJsonObject(value)) return null
  const { current, snapshots } = value
  if ((current !== null && typeof current !== 'string') || !Array.isArray(snapshots)) return null
  const read = snapshots.map(readSnapshot)
  if (read.some((snapshot) => snapshot === null)) return null
  return { current, snapshots: read.filter((snapshot) => snapshot !== null) }
}

function readSnapshot(value: JsonValue): PolicySnapshot | null {
  if (!isJsonObject(value)) return null
  const { hash, at, by, note, title, ruleCount } = value
  if (typeof hash !== 'string' || typeof at !== 'number' || typeof by !== 'string') return null
  if (typeof note !== 'string' || typeof title !== 'string' || typeof ruleCount !== 'number') return null
  return { hash, at, by, note, title, ruleCount }
}
