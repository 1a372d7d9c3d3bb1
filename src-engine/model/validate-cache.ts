/** Whether a result of an earlier run may stand for running a step: never for an effect. */

import type { NodeId } from './ids.ts'
import type { Problem } from './problem.ts'
import { isReplaceable } from './result-kinds.ts'
import type { Validation } from './validation.ts'
import { nameOf, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

export function cacheProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined) return []
  const at = { nodeId: id, field: 'cache' }
  const name = nameOf(validation, id)
  if (!isReplaceable(node.kind) || spec.execution === 'inline') {
    const message = `${name} is to take over earlier results, and its kind can’t: it waits, or steers the run.`
    const hint = 'Take the cache out, and give one to the steps whose results are worth keeping.'
    return [problemOf({ ...at, code: 'cache_not_here', message, hint })]
  }
  const effect = node.sideEffect ?? spec.sideEffect
  if (effect === 'unsafe' || effect === 'keyed') {
    const message = `${name} is to take over earlier results, but it has effects: they would not happen.`
    const hint =
      'Take the cache out. If it only reads, or leaves the outside as it is, say so at “Running it twice”.'
    return [problemOf({ ...at, code: 'cache_with_effects', message, hint })]
  }
  const undo = objectOrNull(node.compensation)
  if (undo === null || undo['impossible'] !== undefined) return []
  const message = `${name} is to take over earlier results, and is undone with its run: the result may be gone by then.`
  const hint = 'Take out the cache, or what undoes the step.'
  return [problemOf({ ...at, code: 'cache_with_undo', message, hint })]
}
