/** The folders of this machine: what lies in them, and hints that something may have changed. */

import { watch } from 'node:fs'
import { realPlace } from '../../tasks/file-place.ts'
import type { FolderFiles } from '../../triggers/file-watch/folder-changes.ts'
import type { FolderToScan } from '../../triggers/file-watch/scan-folder.ts'
import { scanFolder } from '../../triggers/file-watch/scan-folder.ts'

/**
 * Calls when something changed in there; returns the way to stop. Never throws. Only a hint: some drives never
 * tell, and looks go on.
 */
export type FolderHints = (
  place: { readonly folder: string; readonly recursive: boolean },
  changed: () => void,
) => () => void

export interface FolderAccess {
  readonly scan: (folder: FolderToScan) => Promise<FolderFiles>
  readonly hints: FolderHints
  /** Where a path really is, links followed as far as there are any. Never throws. */
  readonly real: (path: string) => Promise<string>
}

const systemHints: FolderHints = ({ folder, recursive }, changed) => {
  try {
    const watcher = watch(folder, { recursive, persistent: false }, changed)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    // No such folder, or too many are watched: the looks find what changes.
    return () => undefined
  }
}

/** As the system has them. */
export const systemFolders: FolderAccess = { scan: scanFolder, hints: systemHints, real: realPlace }
