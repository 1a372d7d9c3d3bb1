/** The clusters that the designer can connect to. */

import type { HandlerDeps, Handlers } from './contract.ts'

type ClusterMethods = 'clusters.list' | 'clusters.put' | 'clusters.remove' | 'clusters.check'

/** Handlers of `clusters.*`. */
export const clusterHandlers = ({ clusters }: HandlerDeps): Handlers<ClusterMethods> => ({
  'clusters.list': async () => ({ clusters: await clusters.list() }),
  'clusters.put': async (entry) => {
    await clusters.put(entry)
    return {}
  },
  'clusters.remove': async ({ name }) => {
    await clusters.remove(name)
    return {}
  },
  'clusters.check': ({ cluster }) => clusters.check(cluster),
})
