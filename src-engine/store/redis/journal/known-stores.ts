/**
 * Which stores the processes of a directory have worked on, and where: a server that is empty though one of them
 * was there has lost it, and is never taken for a new one.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreId } from '../../../model/ids.ts'
import { storeId } from '../../../model/ids.ts'

/** A store and the servers that it was seen on, by any of their addresses. */
export interface KnownStore {
  readonly storeId: StoreId
  readonly prefix: string
  readonly nodes: readonly string[]
}

const fileName = 'store.json'

/** The folder of a store's journals. Its id comes from the servers, so it isn't trusted to be the name of one. */
export const journalFolder = (root: string, id: StoreId): string =>
  join(root, /^[\w-]{1,80}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32))

/** Notes where the store is; addresses that it had before are kept. */
export function noteStore(root: string, store: KnownStore): void {
  const folder = journalFolder(root, store.storeId)
  const known = readKnown(join(folder, fileName))
  const nodes = [...new Set([...store.nodes, ...(known?.nodes ?? [])])].slice(0, nodesMax)
  if (known !== null && nodes.every((node) => known.nodes.includes(node))) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.${fileName}.${process.pid}.tmp`)
  writeFileSync(temporary, `${JSON.stringify({ ...store, nodes }, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, join(folder, fileName))
}

/** Of a cluster that was moved again and again. */
const nodesMax = 1_000

/** A store that was worked on at one of these addresses under the prefix; null for none. */
export function knownStore(root: string, at: Pick<KnownStore, 'prefix' | 'nodes'>): StoreId | null {
  let folders: readonly string[]
  try {
    folders = readdirSync(root)
  } catch {
    return null
  }
  for (const folder of folders) {
    const known = readKnown(join(root, folder, fileName))
    if (known?.prefix === at.prefix && known.nodes.some((node) => at.nodes.includes(node))) {
      return known.storeId
    }
  }
  return null
}

function readKnown(path: string): KnownStore | null {
  try {
    // Written by `noteStore`; one that somebody else wrote is as good as none.
    const { storeId: id, prefix, nodes } = JSON.parse(readFileSync(path, 'utf8')) as Partial<KnownStore>
    if (typeof id !== 'string' || typeof prefix !== 'string' || !Array.isArray(nodes)) return null
    return { storeId: storeId(id), prefix, nodes }
  } catch {
    return null
  }
}
