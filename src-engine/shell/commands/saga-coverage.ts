/** What `validate --saga` says: which effects can be undone, and which would stay after which failure. */

import type { NodeId } from '../../model/ids.ts'
import type { SagaCoverage, SagaEffect } from '../../model/saga-coverage.ts'
import { sagaCoverage } from '../../model/saga-coverage.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { CommandContext } from './command.ts'

/** JSON lines on stdout, or words. */
export function printSagaCoverage(context: CommandContext, document: WorkflowDocument): void {
  const coverage = sagaCoverage(document, taskSpecsByKind)
  if (context.json) emitCoverage(context, coverage)
  else describeCoverage(context, coverage, document)
}

function emitCoverage({ emit }: CommandContext, coverage: SagaCoverage): void {
  const { effects, undoable, points, rollsBack } = coverage
  for (const effect of effects) emit({ type: 'saga.effect', ...effect })
  for (const point of points) emit({ type: 'saga.point', ...point })
  emit({ type: 'saga.coverage', effects: effects.length, undoable, rollsBack })
}

function describeCoverage(
  { terminal }: CommandContext,
  coverage: SagaCoverage,
  document: WorkflowDocument,
): void {
  const { effects, undoable, points, rollsBack } = coverage
  const { green, yellow, dim } = terminal.colors
  const name = (id: NodeId): string => document.nodes[id]?.title || id
  if (effects.length === 0) {
    terminal.line(`${green('nothing to undo')}  no step changes anything outside of its run`)
    return
  }
  const verdict = `${undoable} of ${effects.length} effects can be undone`
  terminal.line(undoable === effects.length ? green(verdict) : yellow(verdict))
  for (const effect of effects) {
    if (effect.plan !== 'undone') terminal.line(`  ${name(effect.nodeId)}  ${dim(whyNot(effect))}`)
  }
  if (!rollsBack) {
    terminal.line(yellow('a failure undoes nothing: the workflow’s settings leave it out of rollbackOn'))
  }
  for (const { nodes, stays } of byWhatStays(points)) {
    terminal.line(`  if ${nodes.map(name).join(', ')} fails, what stays: ${stays.map(name).join(', ')}`)
  }
}

const whyNot = ({ plan, reason, sideEffect }: SagaEffect): string =>
  plan === 'impossible' ? `can’t be undone: ${reason}` : `has nothing that undoes it (${sideEffect})`

/** Points that leave the same behind, together; those that leave nothing aren't told. */
function byWhatStays(points: SagaCoverage['points']) {
  const groups = new Map<string, { readonly nodes: NodeId[]; readonly stays: readonly NodeId[] }>()
  for (const { nodeId, stays } of points) {
    if (stays.length === 0) continue
    const key = stays.join('\n')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { nodes: [nodeId], stays })
    else group.nodes.push(nodeId)
  }
  return groups.values()
}
