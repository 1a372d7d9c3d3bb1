/** Which clusters are known, and which one a document was last run on. */

import type { ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import type { Designer } from './designer.ts'
import type { Site } from './site.ts'

/** Asks for the clusters now and whenever the line comes back. */
export function startClusters(designer: Designer): void {
  designer.connection.state.subscribe((state) => {
    if (state.status === 'open') void loadClusters(designer)
  })
}

/** Asks for the clusters. */
export async function loadClusters(designer: Designer): Promise<void> {
  try {
    const { clusters } = await designer.connection.call('clusters.list', {})
    designer.sites.getState().setClusters(clusters)
  } catch {
    // The engine is away; they are asked for again when it is back.
  }
}

/** A page about a cluster and one about this computer each have their own memory. */
const keyOf = ({ cluster }: Pick<Designer, 'cluster'>, document: string): string =>
  `sagasmith.run-at.${cluster?.name ?? ''}.${document}`

/** Remembers where a document was run last. */
export function rememberSite(designer: Designer, document: string, site: Site): void {
  const name = site?.name ?? ''
  designer.memory.write(keyOf(designer, document), name)
  designer.sites.getState().pick(document, name)
}

interface Known {
  readonly clusters: readonly ClusterEntry[] | null
  readonly picked: Readonly<Record<string, string>>
}

/**
 * Where a document runs when nobody says otherwise: where it ran last, unless that cluster is known no more
 * or may not be changed; then what the page is about.
 */
export function siteFor(
  designer: Pick<Designer, 'cluster' | 'memory'>,
  known: Known,
  document: string,
): Site {
  const remembered = known.picked[document] ?? designer.memory.read(keyOf(designer, document))
  if (remembered === null) return designer.cluster
  if (remembered === '') return null
  const entry = known.clusters?.find(({ name }) => name === remembered)
  return entry === undefined || entry.readOnly ? designer.cluster : siteOf(entry)
}

/** What of a known cluster tells where a run is. */
export const siteOf = ({ name, colour, readOnly }: ClusterEntry): NonNullable<Site> => ({
  name,
  colour,
  readOnly,
})
