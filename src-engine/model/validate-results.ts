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
  const { redact, stopAfterIf, keepOutput = 'full' } = node
  const stops = typeof stopAfterIf === 'string' && stopAfterIf.trim() !== ''
  const redacts = Array.isArray(redact) && redact.length > 0
  const drops = keepOutput !== 'full'
  if (!stops && !redacts && !drops) return []
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
  if (drops) problems.push(...keepProblems({ id, node, name, isAsked }))
  for (const text of redacts ? redact : []) {
    if (typeof text !== 'string' || redactPathOf(text) !== null) continue
    const message = `${name} is to take out “${text}”, which is no place of a value.`
    const hint = 'Write names with dots, and * for every item: items.*.token. Other names stand in backticks.'
    problems.push(problemOf({ nodeId: id, field: 'redact', code: 'redact_path_invalid', message, hint }))
  }
  return problems
}

/** Who needs what it gives after the end of the run can't do without it. */
function keepProblems(of: {
  readonly id: NodeId
  readonly node: WorkflowNode
  readonly name: string
  readonly isAsked: boolean
}): readonly Problem[] {
  const { id, node, name, isAsked } = of
  const problem = (code: string, message: string, hint: string): Problem =>
    problemOf({ nodeId: id, field: 'keepOutput', code, message, hint })
  if (!isAsked) {
    const message = `What ${name} gives comes from elsewhere, and is kept as it is there.`
    return [problem('keep_not_here', message, 'Say it where it comes from: at the step that gives it.')]
  }
  const { compensation, cache } = node
  const isUndone = compensation !== undefined && compensation.impossible === undefined
  if (isUndone) {
    const message = `What ${name} gives is not to stay, and what undoes it needs it.`
    const hint = 'Keep its output, or take out of it what must not stay.'
    return [problem('kept_output_needed', message, hint)]
  }
  if (cache === undefined) return []
  const message = `What ${name} gives is not to stay, and its cache takes it over in later runs.`
  return [problem('kept_output_needed', message, 'Keep its output, or have it always run.')]
}
