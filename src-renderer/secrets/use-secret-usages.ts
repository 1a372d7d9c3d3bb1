/** Who names which secrets, as it is now; the library is read anew when `round` says that something changed. */

import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { OutputOf } from '../../src-engine/protocol/api.ts'
import { useDesigner, useDocument, useTabs } from '../state/context.ts'
import { loadClusters } from '../state/follow-clusters.ts'
import { openDocuments } from '../state/open-documents.ts'
import type { SecretUsage } from './secret-usage.ts'
import { secretUsages } from './secret-usage.ts'

type Library = OutputOf<'secrets.users'>

const nobody: Library = { users: [], published: [] }

export interface KnownUsages extends Pick<Library, 'published'> {
  readonly usages: readonly SecretUsage[]
  /** False until the library was read: until then nobody knows what is unused. */
  readonly isKnown: boolean
}

export function useSecretUsages(round: string): KnownUsages {
  const designer = useDesigner()
  const [library, setLibrary] = useState<Library | null>(null)
  const front = useDocument((state) => state)
  const tabs = useTabs((state) => state.tabs)
  const clusters = useStore(designer.sites, (state) => state.clusters)
  useEffect(() => {
    let isShown = true
    void loadClusters(designer)
    designer.connection
      .call('secrets.users', {})
      .then((answer) => {
        if (isShown) setLibrary(answer)
      })
      // The page itself says when the line is down.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
    // Another vault asks again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [designer, round])
  return useMemo(() => {
    const { users, published } = library ?? nobody
    const open = openDocuments(front, tabs)
    const usages = secretUsages({ users, open, clusters: clusters ?? [] })
    return { usages, published, isKnown: library !== null }
  }, [library, front, tabs, clusters])
}
