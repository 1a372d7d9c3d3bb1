/**
 * For which version of a task with code a step was set up, and what it means that another one is here. A document notes
 * it (`taskVersion`); what nobody noted is taken as it is.
 */

import type { NodeId } from './ids.ts'
import { nodeId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import type { TaskSpec } from './task-spec.ts'
import type { Validation } from './validation.ts'
import { nameOf, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowDocument, WorkflowNode } from './workflow.ts'

/**
 * How what a step was set up for stands to what is here: `behind` an older one, or one that can't be put in order;
 * `ahead` a newer one; `unnoted` nobody knows.
 */
export type VersionGap = 'none' | 'unnoted' | 'behind' | 'ahead'

/** The step itself, or the task that undoes it. */
export type TaskPlace = 'step' | 'undo'

/** A use of a task that has versions. */
export interface TaskUse {
  readonly nodeId: NodeId
  readonly place: TaskPlace
  readonly kind: string
  readonly parameters: JsonObject
  /** For which version it was set up; null where nobody noted it. */
  readonly madeFor: string | null
  /** The version that is here. */
  readonly here: string
  /** Whether the task takes over parameters of other versions. */
  readonly migrates: boolean
  readonly gap: VersionGap
}

/** All uses of tasks with versions, in document order. */
export function taskUses(
  { nodes }: WorkflowDocument,
  specs: ReadonlyMap<string, TaskSpec>,
): readonly TaskUse[] {
  return Object.entries(nodes).flatMap(([id, node]) => usesOfNode(nodeId(id), node, specs))
}

/** Those of one step: its own, and that of the task that undoes it. */
export function usesOfNode(
  id: NodeId,
  { kind, parameters, taskVersion, compensation }: WorkflowNode,
  specs: ReadonlyMap<string, TaskSpec>,
): readonly TaskUse[] {
  const undo = compensation?.task
  const told = [
    { place: 'step', kind, parameters, taskVersion },
    ...(undo === undefined ? [] : [{ ...undo, place: 'undo' } as const]),
  ] as const
  return told.flatMap((use): readonly TaskUse[] => {
    const spec = specs.get(use.kind)
    if (spec?.version === undefined) return []
    const made = { madeFor: use.taskVersion ?? null, here: spec.version }
    const { place, kind } = use
    const migrates = spec.migrates === true
    return [
      { nodeId: id, place, kind, parameters: use.parameters ?? {}, ...made, migrates, gap: versionGap(made) },
    ]
  })
}

/** How the one stands to the other. */
export function versionGap({ madeFor, here }: Pick<TaskUse, 'madeFor' | 'here'>): VersionGap {
  if (madeFor === null) return 'unnoted'
  if (madeFor === here) return 'none'
  return isNewer(madeFor, here) ? 'ahead' : 'behind'
}

const numbered = /^v?\d+(?:\.\d+)*$/

/** Versions are texts of their author’s own: only those that are made of numbers have an order. */
function isNewer(version: string, other: string): boolean {
  if (!numbered.test(version) || !numbered.test(other)) return false
  const [a, b] = [version, other].map((text) => text.replace('v', '').split('.').map(Number))
  for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

/**
 * Whether a gap keeps a workflow from running. The author of a task that migrates says that its parameters don't mean
 * what they did; and a task that is older than what a step was set up for may not know what the step says.
 */
export const holdsBack = ({ gap, migrates }: Pick<TaskUse, 'gap' | 'migrates'>): boolean =>
  gap === 'ahead' || (gap === 'behind' && migrates)

/** The step as one that was set up for the version, with the parameters given where they are others. */
export function madeForVersion(
  node: WorkflowNode,
  place: TaskPlace,
  { version, parameters }: { readonly version: string; readonly parameters: JsonObject | null },
): WorkflowNode {
  const set = { taskVersion: version, ...(parameters === null ? {} : { parameters }) }
  if (place === 'step') return { ...node, ...set }
  const { compensation } = node
  if (compensation?.task === undefined) return node
  return { ...node, compensation: { ...compensation, task: { ...compensation.task, ...set } } }
}

/** What a step of a kind begins with. */
export const notedVersion = (spec: TaskSpec | undefined): { readonly taskVersion?: string } =>
  spec?.version === undefined ? {} : { taskVersion: spec.version }

/** Problems of a step whose task is here in another version than it was set up for. */
export function versionProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const { kind, taskVersion, compensation } = node
  const undo = objectOrNull(compensation?.task)
  // Other forms are told by the form check.
  const noted = (version: unknown) => (typeof version === 'string' ? { taskVersion: version } : {})
  const undone =
    typeof undo?.['kind'] === 'string'
      ? { compensation: { task: { kind: undo['kind'], parameters: {}, ...noted(undo['taskVersion']) } } }
      : {}
  const told = { kind, ...noted(taskVersion), ...undone }
  return usesOfNode(id, told, validation.taskSpecs).flatMap((use) => problemOfGap(validation, use))
}

function problemOfGap(validation: Validation, use: TaskUse): readonly Problem[] {
  const { gap, nodeId, place, madeFor, here, migrates } = use
  if (gap === 'none' || gap === 'unnoted') return []
  const name = nameOf(validation, nodeId)
  const who = place === 'step' ? name : `What undoes ${name}`
  const field = place === 'step' ? 'taskVersion' : 'compensation.task.taskVersion'
  const at = { nodeId, field }
  const message = `${who} was set up for version ${madeFor} of its task, and version ${here} is here.`
  if (gap === 'ahead') {
    const hint = 'Get the newer file of the task, or have the step take the version that is here as it is.'
    return [problemOf({ ...at, code: 'task_version_older', message, hint })]
  }
  const hint = migrates
    ? 'Migrate its parameters in its form, or those of all steps with “Migrate steps to the tasks that are here”.'
    : 'Look over its parameters, then have the step take the version that is here.'
  const severity = migrates ? 'error' : 'warning'
  return [problemOf({ ...at, code: 'task_version_newer', severity, message, hint })]
}
