/**
 * The files of a watched folder as they were accounted for: kept in registers, a few files in each, so that
 * one changed file is one small write in the checkpoint that starts its run.
 */

import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Instant } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { FileStamp } from '../../triggers/file-watch/folder-changes.ts'
import type { RegisterPlace } from '../register-look.ts'
import { lookAtRegister } from '../register-look.ts'
import type { GuardedWrite, TriggerRegistersParts } from '../triggers/trigger-registers.ts'
import { writeRegisters } from '../triggers/trigger-registers.ts'

/** All of them have keys with this beginning. */
const watchedPrefix = 'watched-files/'

/** A register holds what fits of this share of the most files that may be watched, with the longest paths. */
const bucketCount = 256

const watchedKey = ({ workflowId, triggerId }: TriggerName): string =>
  `${watchedPrefix}${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}`

const bucketKey = (name: TriggerName, bucket: number): string =>
  `${watchedKey(name)}/${String(bucket).padStart(3, '0')}`

/** Which register a path belongs to. */
export function bucketOf(path: string): number {
  let hash = 0
  for (let at = 0; at < path.length; at += 1) hash = (hash * 31 + path.charCodeAt(at)) >>> 0
  return hash % bucketCount
}

interface Bucket {
  readonly version: number
  readonly files: ReadonlyMap<string, FileStamp>
}

/** What is known of a folder, with the versions of its registers. */
export interface WatchedFiles {
  /** In which all of it was looked at. */
  readonly epoch: number
  /** Of which beginning of its trigger it is; null when nobody has looked yet. */
  readonly since: Instant | null
  readonly headVersion: number
  readonly buckets: ReadonlyMap<number, Bucket>
}

/** All files of all buckets. */
export function knownFiles({ buckets }: WatchedFiles): Map<string, FileStamp> {
  const files = new Map<string, FileStamp>()
  for (const bucket of buckets.values()) for (const [path, stamp] of bucket.files) files.set(path, stamp)
  return files
}

export async function loadWatchedFiles(place: RegisterPlace, name: TriggerName): Promise<WatchedFiles> {
  const { store, partition } = place
  const { register: head, epoch, version: headVersion } = await lookAtRegister(place, watchedKey(name))
  const since = isJsonObject(head?.value) ? head.value['since'] : null
  const buckets = new Map<number, Bucket>()
  const prefix = `${watchedKey(name)}/`
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly key: string; readonly value: JsonValue; readonly version: number }[] =
      await store.list(partition, 'registers', { filter: { prefix }, page: { after, limit: pageSizeMax } })
    for (const { key, value, version } of page) {
      buckets.set(Number(key.slice(prefix.length)), { version, files: filesOf(value) })
    }
    after = page.at(-1)?.key ?? null
    if (page.length < pageSizeMax || after === null) break
  }
  return { epoch, since: typeof since === 'number' ? since : null, headVersion, buckets }
}

function filesOf(value: JsonValue): ReadonlyMap<string, FileStamp> {
  if (!isJsonObject(value)) return new Map()
  const stamps = Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string')
  return new Map(stamps)
}

/** The write that makes a bucket hold these. */
export function bucketWrite(
  name: TriggerName,
  known: WatchedFiles,
  { bucket, files }: { readonly bucket: number; readonly files: ReadonlyMap<string, FileStamp> },
): GuardedWrite {
  const version = known.buckets.get(bucket)?.version ?? 0
  // Once there, an empty one stays: its version goes on, by which a repeat is known.
  return { key: bucketKey(name, bucket), epoch: known.epoch, version, value: Object.fromEntries(files) }
}

/** The write that says of which beginning the files are. */
export const headWrite = (name: TriggerName, known: WatchedFiles, since: Instant): GuardedWrite => ({
  key: watchedKey(name),
  epoch: known.epoch,
  version: known.headVersion,
  value: { since },
})

/** Nobody watches for this trigger any more. */
export async function forgetWatchedFiles(parts: TriggerRegistersParts, name: TriggerName): Promise<void> {
  const { epoch, headVersion, buckets } = await loadWatchedFiles(parts, name)
  if (headVersion === 0) return
  const rest = [...buckets].map(([bucket, { version }]) => ({
    key: bucketKey(name, bucket),
    epoch,
    version,
    value: null,
  }))
  // Refused, somebody else has forgotten it, or begun anew.
  await writeRegisters(parts, [{ key: watchedKey(name), epoch, version: headVersion, value: null }, ...rest])
}

/** The files by their registers. */
export function bucketed(files: ReadonlyMap<string, FileStamp>): Map<number, Map<string, FileStamp>> {
  const buckets = new Map<number, Map<string, FileStamp>>()
  for (const [path, stamp] of files) {
    const bucket = bucketOf(path)
    const found = buckets.get(bucket) ?? new Map<string, FileStamp>()
    buckets.set(bucket, found.set(path, stamp))
  }
  return buckets
}
