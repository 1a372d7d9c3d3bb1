/** A permit that four partitions count together, and who asks for it. */

import { runId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord, Permit, PermitPlan } from '../../../../src-engine/model/invocation.ts'
import { partitionOf } from '../../../../src-engine/model/partition.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { aClaim, anInvocation, aRun } from '../../../conformance/story.ts'

export const key = 'node:n'
export const planOf = (limit: number): PermitPlan => {
  const permit: Permit = { key, limit, windowMs: null }
  return { permits: [permit], resolved: true, blockedSince: null, blockedBy: null }
}

/** One run in each of the four partitions. */
export const runs: readonly RunRecord[] = [0, 1, 2, 3].map((partition) => aRun({ name: `r~p${partition}` }))
export const stepOf = (run: RunRecord, limit = 1): InvocationRecord =>
  anInvocation(run, 'n', { permits: planOf(limit) })

/** Where the key's permits are counted. */
export const home = partitionOf(runId(key), runs.length)
/** A step of another partition. */
export const idElsewhere = (): InvocationRecord['id'] => {
  const run = runs.find((_, partition) => partition !== home)
  if (run === undefined) throw new Error('There are three.')
  return stepOf(run).id
}

export const claimOf = async (store: Store, name: string, set: Parameters<typeof aClaim>[1]) => {
  const { claimed, blocked } = await store.claim(aClaim(name, set))
  return {
    claimed: claimed.map(({ invocation }) => invocation.id),
    blocked: blocked.map((item) => `${item.invocation.id} ${item.holders.join()}`),
  }
}

export const holdersOf = async (store: Store): Promise<readonly string[]> =>
  (await store.load(0, 'slotHolders', { key })).map(({ holder }) => holder)
