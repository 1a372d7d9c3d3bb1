/** What whoever looks on asks beside the events: claims, whose renewals are no events, and what runs did before. */

import { z } from 'zod'
import type { Ghosts } from '../model/ghosts.ts'
import type { InvocationId, RunnerId, WorkflowId } from '../model/ids.ts'
import { invocationId, workflowId } from '../model/ids.ts'
import { ghostRunsMax, leasesAskedMax } from '../model/limits.ts'
import type { Millis } from '../model/time.ts'
import type { HistoryApi } from './history.ts'
import { historySchemas } from './history.ts'

/** A step that somebody has. */
export interface LeaseLeft {
  readonly invocationId: InvocationId
  readonly runnerId: RunnerId
  /** Until it counts as lost, on the engine's clock; not below 0. */
  readonly leftMs: Millis
}

export interface WatchingApi extends HistoryApi {
  /** Of these steps, those that somebody has now. */
  readonly 'runs.leases': {
    readonly input: { readonly invocationIds: readonly InvocationId[] }
    readonly output: { readonly leases: readonly LeaseLeft[] }
  }
  /** What the last runs of a workflow that ended did: how often, how long, where they failed. */
  readonly 'runs.ghosts': {
    readonly input: { readonly workflowId: WorkflowId; readonly limit: number }
    readonly output: Ghosts
  }
}

const text = z.string().min(1).max(2_000)

/** Forms of the inputs. */
export const watchingSchemas = {
  ...historySchemas,
  'runs.leases': z.object({ invocationIds: z.array(text.transform(invocationId)).max(leasesAskedMax) }),
  'runs.ghosts': z.object({
    workflowId: text.transform(workflowId),
    limit: z.int().min(1).max(ghostRunsMax),
  }),
} as const
