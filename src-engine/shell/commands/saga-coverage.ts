/** What `validate --saga` says: which effects can be undone, and which would stay after which failure. */

import type { NodeId } from '../../model/ids.ts'
import type { SagaCoverage, SagaEffect } from '../../model/saga-coverage.ts'
import { sagaCoverage } from '../../model/saga-coverage.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { startedWorkflows } from '../started-workflows.ts'
import { createWorkflowSource } from '../workflow-source.ts'
import type { CommandContext } from './command.ts'
import type { WorkflowFile } from './workflow-file.ts'

/** JSON lines on stdout, or words. Workflows that steps start are looked for beside the file, and by id below it. */
export async function printSagaCoverage(
  context: CommandContext,
  { document, baseDirectory }: Pick<WorkflowFile, 'document' | 'baseDirectory'>,
): Promise<void> {
  const root = { document, folder: baseDirectory }
  const find = await startedWorkflows(root, createWorkflowSource(baseDirectory))
  const coverage = sagaCoverage(document, taskSpecsByKind, find)
  if (context.json) emitCoverage(context, coverage)
  else describeCoverage(context, coverage, document)
}

function emitCoverage({ emit }: CommandContext, coverage: SagaCoverage): void {
  const { effects, undoable, points, rollsBack, unknown } = coverage
  for (const effect of effects) emit({ type: 'saga.effect', ...effect })
  for (const point of points) emit({ type: 'saga.point', ...point })
  emit({ type: 'saga.coverage', effects: effects.length, undoable, rollsBack, unknown })
}

function describeCoverage(
  { terminal }: CommandContext,
  coverage: SagaCoverage,
  document: WorkflowDocument,
): void {
  const { effects, undoable, points, rollsBack, unknown } = coverage
  const { green, yellow, dim } = terminal.colors
  const name = (id: NodeId): string => document.nodes[id]?.title || id
  for (const id of unknown)
    terminal.line(`${yellow('unknown')}  what ${name(id)} starts can’t be looked into`)
  if (effects.length === 0) {
    if (unknown.length === 0)
      terminal.line(`${green('nothing to undo')}  no step changes anything outside of its run`)
    return
  }
  const verdict = `${undoable} of ${effects.length} effects can be undone`
  terminal.line(undoable === effects.length ? green(verdict) : yellow(verdict))
  for (const effect of effects) {
    if (effect.plan === 'undone') continue
    const place = [name(effect.nodeId), ...effect.inside.map(({ title }) => title)].join(' › ')
    terminal.line(`  ${place}  ${dim(whyNot(effect))}`)
  }
  if (!rollsBack) {
    terminal.line(yellow('a failure undoes nothing: the workflow’s settings leave it out of rollbackOn'))
  }
  for (const { nodes, stays } of byWhatStays(points)) {
    terminal.line(`  if ${nodes.map(name).join(', ')} fails, what stays: ${stays.map(name).join(', ')}`)
  }
}

function whyNot({ plan, reason, sideEffect }: SagaEffect): string {
  if (plan === 'impossible') return `can’t be undone: ${reason}`
  if (plan === 'apart') return `happens in a run that nobody waits for (${sideEffect})`
  return `has nothing that undoes it (${sideEffect})`
}

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
