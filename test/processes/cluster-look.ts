/** Looks at the runs of a cluster over one connection: a command for each look of a poll would be most of its test. */

import { onTestFinished } from 'vitest'
import type { RunSummary } from '../../src-engine/protocol/api.ts'
import { connectCluster } from '../../src-engine/shell/clusters/cluster-connection.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'

/** What lists up to 200 runs of the cluster, newest first, as `runs list` does on that data directory. */
export async function openLook(data: string, address: string): Promise<() => Promise<readonly RunSummary[]>> {
  const { client, close } = await connectCluster(address, loadSettings({ flags: { data }, environment: {} }))
  onTestFinished(close)
  await client.welcome
  const all = { statuses: null, workflowId: null, after: null, limit: 200 }
  return async () => (await client.call('runs.list', all)).runs
}
