/** Whether a step may take over the result of an earlier run, and which one: what its settings come to. */

import type { NodeId, WorkflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { canonicalJson } from '../model/json.ts'
import { isReplaceable } from '../model/result-kinds.ts'
import type { Millis } from '../model/time.ts'
import type { SideEffectClass, WorkflowNode } from '../model/workflow.ts'

export interface CacheRule {
  /** How old a result may be. */
  readonly ttlMs: Millis
  /** JSONata; null for what arrives and the resolved parameters. */
  readonly key: string | null
  /** The same exactly where the step is: the workflow, the node, its kind, its parameters and what it must give. */
  readonly meaning: string
}

/**
 * Null for a step that always runs. A result never stands for an effect, nor for something that is taken back when its
 * own run is undone; validation says so, and this makes sure.
 */
export function cacheRuleOf(
  place: { readonly id: NodeId; readonly node: WorkflowNode; readonly workflowId: WorkflowId },
  compiled: {
    readonly parameters: JsonObject
    readonly sideEffect: SideEffectClass
    /** Whether it is executed at all, and not switched off or passed by. */
    readonly runs: boolean
  },
): CacheRule | null {
  const { id, node, workflowId } = place
  const { parameters, sideEffect, runs } = compiled
  const { cache, kind, compensation, outputSchema = null } = node
  if (cache === undefined || !runs || !isReplaceable(kind)) return null
  const isUndone = compensation !== undefined && compensation.impossible === undefined
  if (isUndone || (sideEffect !== 'pure' && sideEffect !== 'idempotent')) return null
  const key = cache.key === undefined || cache.key.trim() === '' ? null : cache.key
  const meaning = canonicalJson({ workflowId, id, kind, parameters, outputSchema, key })
  return { ttlMs: cache.ttlMs, key, meaning }
}
