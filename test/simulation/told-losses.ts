/** In fast mode a failover may take back what was acknowledged, but never in silence: the journals tell each operation. */

import type { FastCluster } from './journaled-store.ts'

/** I34: operations that were acknowledged and are not there, though nobody told that they are lost. */
export function notTold({ server, reports, acknowledged }: FastCluster): readonly string[] {
  const told = new Set(reports.flatMap(({ gone }) => gone.map(({ opId }) => opId)))
  const there = server.raw.info.partitions.map((partition) => server.at(partition).master.records.opIds)
  return [...acknowledged]
    .filter((opId) => !told.has(opId) && !there.some((opIds) => opIds.has(opId)))
    .map((opId) => `I34 ${opId} was acknowledged and is gone, and nothing tells of it`)
}

/**
 * What the outside world saw of a run that lost something, or was told of it: its steps may have run again, it may be
 * gone, and so may what somebody said about it.
 */
const aboutWhatWasDone = /^(?:I10 the accepted run|I1[567]|I25|I37 \w+ was told)/

/** The findings without those that are told as losses. */
export function withoutWhatIsTold({ reports }: FastCluster, found: readonly string[]): readonly string[] {
  const runs = new Set(reports.flatMap(({ gone }) => gone.flatMap(({ runId }) => runId ?? [])))
  const isTold = (text: string): boolean => [...runs].some((id) => text.includes(id))
  return found.filter((text) => !aboutWhatWasDone.test(text) || !isTold(text))
}
