/** Starts the process in which a step works on a SQLite file. */

import { fileURLToPath } from 'node:url'
import { entryFile } from '../entry-file.ts'
import type { GuardedHost } from '../guarded-process.ts'
import { createNodeGuardedHost } from '../guarded-process.ts'

/** Rows up to their limit, their text, and what SQLite keeps. */
const heapMb = 256

/** The host for a plain Node process. */
export function createNodeSqliteHost(): GuardedHost {
  const entry = entryFile({ from: import.meta.url, source: './sqlite-process.ts', bundled: 'sqlite-steps' })
  return createNodeGuardedHost({
    entry: fileURLToPath(entry),
    root: '../../..',
    heapMb,
    // SQLite is native code, and its folder is looked at before it is opened.
    flags: ['--allow-addons', '--allow-fs-read=*'],
  })
}
