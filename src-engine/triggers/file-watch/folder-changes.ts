/**
 * What changed in a folder since it was last accounted for. Pure: the same look at the same files says the
 * same. A change counts once the file has stood still for the settle time, so that one which is still being
 * written, or is replaced by renaming, is one change and not several.
 */

import type { Millis } from '../../model/time.ts'

/** Size and time of the last change, as one text; equal stamps are the same content. */
export type FileStamp = string

/** Stamps by path, relative to the folder and with slashes. */
export type FolderFiles = ReadonlyMap<string, FileStamp>

export type FileChangeKind = 'add' | 'change' | 'remove'

export interface FileChange {
  readonly path: string
  readonly change: FileChangeKind
  /** Null for one that has gone. */
  readonly stamp: FileStamp | null
}

/** A file that isn't what it was, and since when it looks as it does now. */
export interface UnsettledFile {
  readonly stamp: FileStamp | null
  readonly since: Millis
}

export type UnsettledFiles = ReadonlyMap<string, UnsettledFile>

export interface FolderLook {
  /** What was accounted for. */
  readonly known: FolderFiles
  readonly seen: FolderFiles
  readonly unsettled: UnsettledFiles
  /** By a clock that never jumps, as all instants here. */
  readonly now: Millis
  readonly settleMs: Millis
}

export interface FolderChanges {
  /** What has settled, by path. */
  readonly settled: readonly FileChange[]
  readonly unsettled: UnsettledFiles
  /** When the next of those could have settled; null when there is none. */
  readonly nextAt: Millis | null
}

/** Compares a look with what is known. */
export function folderChanges(look: FolderLook): FolderChanges {
  const settled: FileChange[] = []
  const unsettled = new Map<string, UnsettledFile>()
  let nextAt: Millis | null = null
  for (const path of differing(look.known, look.seen)) {
    const stamp = look.seen.get(path) ?? null
    const before = look.unsettled.get(path)
    const since = before !== undefined && before.stamp === stamp ? before.since : look.now
    const settlesAt = since + look.settleMs
    if (settlesAt <= look.now) {
      settled.push({ path, change: changeOf(look.known.has(path), stamp), stamp })
    } else {
      unsettled.set(path, { stamp, since })
      nextAt = nextAt === null ? settlesAt : Math.min(nextAt, settlesAt)
    }
  }
  return { settled, unsettled, nextAt }
}

function changeOf(wasKnown: boolean, stamp: FileStamp | null): FileChangeKind {
  if (stamp === null) return 'remove'
  return wasKnown ? 'change' : 'add'
}

/** The paths that differ, ascending: whoever looks tells them in one order. */
function differing(known: FolderFiles, seen: FolderFiles): readonly string[] {
  const paths: string[] = []
  for (const [path, stamp] of seen) if (known.get(path) !== stamp) paths.push(path)
  for (const path of known.keys()) if (!seen.has(path)) paths.push(path)
  return paths.sort()
}
