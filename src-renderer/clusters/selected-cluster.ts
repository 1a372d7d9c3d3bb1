/** Which cluster the page is about: remembered for the page's next start, which is how it changes. */

import type { ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import { clusterColours } from '../../src-engine/protocol/clusters.ts'
import type { Memory } from '../state/services.ts'
import type { SelectedCluster } from '../state/site.ts'

const key = 'sagasmith.cluster'

/** Null for this computer. */
export function readSelected(memory: Memory): SelectedCluster | null {
  const text = memory.read(key)
  if (text === null || text === '') return null
  try {
    const { name, colour, readOnly } = JSON.parse(text) as Partial<Record<keyof SelectedCluster, unknown>>
    const known = clusterColours.find((each) => each === colour)
    if (typeof name !== 'string' || known === undefined) return null
    return { name, colour: known, readOnly: readOnly === true }
  } catch {
    // Written by another version: this computer is never wrong.
    return null
  }
}

/** Takes effect when the page starts again. */
export function writeSelected(memory: Memory, entry: ClusterEntry | null): void {
  const { name, colour, readOnly } = entry ?? {}
  memory.write(key, entry === null ? '' : JSON.stringify({ name, colour, readOnly }))
}
