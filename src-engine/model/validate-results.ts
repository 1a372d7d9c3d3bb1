/** Settings that look at what a step gives: can they, and do they name places? */

import type { NodeId } from './ids.ts'
import type { Problem } from './problem.ts'
import { redactPathOf } from './redact-paths.ts'
import { givesAtOnce } from './result-kinds.ts'
import type { Validation } from './validation.ts'
import { nameOf, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** When the run is to end after it, and what is to be taken out of its output. */
export function resultProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const { redact, stopAfterIf } = node
  const stops = typeof stopAfterIf === 'string' && stopAfterIf.trim() !== ''
  const redacts = Array.isArray(redact) && redact.length > 0
  if (!stops && !redacts) return []
  const name = nameOf(validation, id)
  const spec = validation.taskSpecs.get(node.kind)
  const isAsked = spec === undefined || (givesAtOnce(node.kind) && spec.execution !== 'inline')
  const problems: Problem[] = []
  if (stops && (!isAsked || node.kind === 'stop')) {
    const message = `${name} is to end the run by what it gives, and nobody asks a step of this kind.`
    const hint = 'Put an If and a Stop behind it instead.'
    problems.push(problemOf({ nodeId: id, field: 'stopAfterIf', code: 'stop_not_here', message, hint }))
  }
  if (redacts && !isAsked) {
    const message = `Nothing can be taken out of what ${name} gives: it comes from elsewhere, and is written there.`
    const hint = 'Take it out where it comes from: of the step, the message or the run that gives it.'
    problems.push(problemOf({ nodeId: id, field: 'redact', code: 'redact_not_here', message, hint }))
  }
  for (const text of redacts ? redact : []) {
    if (typeof text !== 'string' || redactPathOf(text) !== null) continue
    const message = `${name} is to take out “${text}”, which is no place of a value.`
    const hint = 'Write names with dots, and * for every item: items.*.token. Other names stand in backticks.'
    problems.push(problemOf({ nodeId: id, field: 'redact', code: 'redact_path_invalid', message, hint }))
  }
  return problems
}
