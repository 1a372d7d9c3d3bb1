/** The error codes of connections to clusters. */

import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'

export const clusterErrorCatalogue = {
  cluster_address_invalid: entry(
    'That is no address of a cluster.',
    'Write it as redis://HOST:PORT[,HOST:PORT…][/WORKSPACE].',
  ),
  cluster_unknown: entry(
    'There is no cluster of that name.',
    'See `sagasmith clusters list` for those that are known.',
  ),
  cluster_book_damaged: entry(
    'The list of known clusters can’t be read.',
    'Correct the file, or move it away and add the clusters again.',
  ),
  cluster_read_only: entry(
    'The connection to this cluster is read-only.',
    'Allow changes with `sagasmith clusters add NAME ADDRESS --writable`, or use a connection that may change things.',
  ),
} as const satisfies Record<string, ErrorEntry>
