/** One connection to a data file, with every setting that its promises rest on set and read back. */

import type BetterSqlite3 from 'better-sqlite3'
import { SagasmithError } from '../../model/errors.ts'
import type { Millis } from '../../model/time.ts'

export type Database = BetterSqlite3.Database

/**
 * `strict`: a commit survives power loss. `relaxed`: it survives the process's death, but the last commits
 * may be gone after a power loss; the file stays whole either way.
 */
export type Durability = 'strict' | 'relaxed'

/** Waiting longer than this for another process's transaction means that something is stuck. */
export const busyTimeoutMs = 5_000
/**
 * In KiB: enough for what is written at the ends of tables and indexes. What is read again of a large history
 * the system keeps, and SQLite looks through its whole cache after many a commit that moved pages.
 */
const cacheKib = 8_192
/** In pages. Four times the default: fewer checkpoints keep the slowest commit short. */
const checkpointPages = 4_000
const oldestNodeMajor = 22

/** The binding crashes on older versions, so it isn't even loaded there. */
export function requireNode(version: string): void {
  const major = Number.parseInt(version, 10)
  if (major >= oldestNodeMajor) return
  throw new SagasmithError('node_too_old', {
    message: `Node ${version} is too old for the engine: it needs ${oldestNodeMajor} or newer.`,
    details: { version },
  })
}

/** Loads the binding; after `requireNode` only. */
export async function loadBinding(): Promise<typeof BetterSqlite3> {
  requireNode(process.versions.node)
  return (await import('better-sqlite3')).default
}

/** Opens for writing. The settings belong to the connection, so each connection makes its own. */
export function openConnection(
  binding: typeof BetterSqlite3,
  options: { readonly file: string; readonly durability: Durability; readonly busyTimeoutMs: Millis },
): Database {
  const { file, durability } = options
  const database = new binding(file, { timeout: options.busyTimeoutMs })
  try {
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${durability === 'strict' ? 'FULL' : 'NORMAL'}`)
    database.pragma('foreign_keys = ON')
    database.pragma(`cache_size = -${cacheKib}`)
    database.pragma(`wal_autocheckpoint = ${checkpointPages}`)
    // macOS's plain fsync leaves data in the drive's cache; elsewhere these change nothing.
    database.pragma('fullfsync = 1')
    database.pragma('checkpoint_fullfsync = 1')
    assertSettings(database, { file, durability })
    return database
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

/** The library's own default in WAL is weaker than ours, so what was set is read back. */
export function assertSettings(
  database: Database,
  expected: { readonly file: string; readonly durability: Durability },
): void {
  const { file, durability } = expected
  const wanted: readonly (readonly [name: string, value: unknown])[] = [
    ['synchronous', durability === 'strict' ? 2 : 1],
    ['foreign_keys', 1],
    ['journal_mode', file === ':memory:' ? 'memory' : 'wal'],
  ]
  for (const [name, value] of wanted) {
    const found = database.pragma(name, { simple: true })
    if (found === value) continue
    throw new SagasmithError('store_failed', {
      message: `The data file ${file} can't be used safely: ${name} is ${String(found)}, needed is ${String(value)}.`,
      hint: 'Move the data directory to a local disk: network and synchronized folders do not work.',
      details: { file, setting: name },
      retryable: false,
    })
  }
}
