/** Where the entry of another process or thread lies: beside its source in a checkout, bundled elsewhere. */

import { existsSync } from 'node:fs'

/**
 * The URL of an entry file. `from` is the caller's `import.meta.url`, `source` the entry's path from there in
 * a checkout, `bundled` its name without extension among the bundle's entries.
 */
export function entryFile(entry: {
  readonly from: string
  readonly source: string
  readonly bundled: string
}): URL {
  if (entry.from.endsWith('.ts')) return new URL(entry.source, entry.from)
  const beside = new URL(`./${entry.bundled}.js`, entry.from)
  // Code shared by several entries stands in a folder of chunks below them.
  return existsSync(beside) ? beside : new URL(`../${entry.bundled}.js`, entry.from)
}
