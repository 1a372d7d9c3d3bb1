/**
 * The clusters that a data directory knows: by name those that somebody connected it to, and by address the
 * stores that it has met, so that an emptied server is never taken for a new one.
 */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import { storeId } from '../../model/ids.ts'
import type { ClusterEntry } from '../../protocol/clusters.ts'
import { clusterColours } from '../../protocol/clusters.ts'
import { textIfThere, writeForOwner } from '../atomic-file.ts'
import { createTurns } from '../in-turn.ts'
import { folderOfOwner } from '../signing-keys.ts'
import type { ClusterAddress } from './cluster-address.ts'
import { isClusterAddress, parseClusterAddress } from './cluster-address.ts'

const entrySchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/),
  address: z.string().max(2_000),
  colour: z.enum(clusterColours),
  /** Nothing can be started, changed or stopped through it. */
  readOnly: z.boolean(),
})

const bookSchema = z.object({
  version: z.literal(1),
  clusters: z.array(entrySchema),
  /** Store ids by nodes and workspace. */
  met: z.record(z.string(), z.string()),
})

type Book = z.infer<typeof bookSchema>

/** A cluster that is meant by a name or an address. */
export interface MeantCluster {
  /** Its name, else its address. */
  readonly label: string
  readonly address: ClusterAddress
  readonly readOnly: boolean
}

export interface ClusterBook {
  readonly list: () => Promise<readonly ClusterEntry[]>
  /** Adds a cluster, or changes the one of that name. Throws `cluster_address_invalid`, `bad_request`. */
  readonly put: (entry: ClusterEntry) => Promise<void>
  /** Throws `cluster_unknown`. */
  readonly remove: (name: string) => Promise<void>
  /** The cluster that a name or an address means. Throws `cluster_unknown`, `cluster_address_invalid`. */
  readonly find: (nameOrAddress: string) => Promise<MeantCluster>
  /** The store that was met there; null for one that never was. */
  readonly metStore: (address: ClusterAddress) => Promise<StoreId | null>
  readonly noteStore: (address: ClusterAddress, id: StoreId) => Promise<void>
}

const noBook: Book = { version: 1, clusters: [], met: {} }

/** The book in a file, which is made with the first entry. */
export function createClusterBook(path: string): ClusterBook {
  const read = () => readBook(path)
  const inTurn = createTurns()
  /** A change that makes the book that is there is none. */
  const change = (make: (book: Book) => Book): Promise<void> =>
    inTurn(async () => {
      const before = await read()
      const after = make(before)
      if (after === before) return
      // It may be the first thing that is written there.
      await mkdir(dirname(path), { recursive: true, mode: folderOfOwner })
      await writeForOwner(path, `${JSON.stringify(after, null, 2)}\n`)
    })
  return {
    list: async () => (await read()).clusters,
    async put(given) {
      parseClusterAddress(given.address)
      const checked = entrySchema.safeParse(given)
      if (!checked.success) {
        throw new SagasmithError('bad_request', {
          message: `“${given.name}” can’t be the name of a cluster.`,
          hint: 'Use up to 40 letters, digits, and . _ -',
          details: { usage: true },
        })
      }
      await change((book) => {
        const others = book.clusters.filter(({ name }) => name !== given.name)
        const clusters = [...others, checked.data].sort((a, b) => (a.name < b.name ? -1 : 1))
        return { ...book, clusters }
      })
    },
    remove: (name) =>
      change((book) => {
        if (!book.clusters.some((entry) => entry.name === name)) throw unknown(name, book)
        return { ...book, clusters: book.clusters.filter((entry) => entry.name !== name) }
      }),
    async find(nameOrAddress) {
      if (isClusterAddress(nameOrAddress)) {
        return { label: nameOrAddress, address: parseClusterAddress(nameOrAddress), readOnly: false }
      }
      const book = await read()
      const entry = book.clusters.find(({ name }) => name === nameOrAddress)
      if (entry === undefined) throw unknown(nameOrAddress, book)
      return { label: entry.name, address: parseClusterAddress(entry.address), readOnly: entry.readOnly }
    },
    async metStore(address) {
      const met = (await read()).met[placeOf(address)]
      return met === undefined ? null : storeId(met)
    },
    noteStore: (address, id) =>
      change((book) => {
        const place = placeOf(address)
        return book.met[place] === id ? book : { ...book, met: { ...book.met, [place]: id } }
      }),
  }
}

/** The same store, whichever of its nodes come first and whoever asks. */
const placeOf = ({ nodes, workspace }: ClusterAddress): string =>
  `${nodes
    .map(({ host, port }) => `${host}:${port}`)
    .sort()
    .join(',')}/${workspace}`

async function readBook(path: string): Promise<Book> {
  const text = await textIfThere(path)
  if (text === null) return noBook
  try {
    return bookSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new SagasmithError('cluster_book_damaged', {
      message: `The file ${path} with the known clusters can’t be read.`,
      details: { path },
      cause,
    })
  }
}

const unknown = (name: string, { clusters }: Book): SagasmithError => {
  const names = clusters.map((entry) => entry.name)
  return new SagasmithError('cluster_unknown', {
    message: `There is no cluster “${name}”.`,
    hint:
      names.length === 0
        ? 'Give it a name with `sagasmith clusters add NAME redis://…`, or write the address.'
        : `Known are ${names.join(', ')}. Add one with \`sagasmith clusters add NAME redis://…\`.`,
    details: { usage: true, cluster: name },
  })
}
