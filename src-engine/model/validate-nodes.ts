/** Each node by itself: its kind, its parameters, what undoes it, its policies. */

import { leavesTurn, loopKind } from './containers.ts'
import { edgesInto } from './graph.ts'
import type { NodeId } from './ids.ts'
import { toldTimeoutMs } from './join-rules.ts'
import { timerAheadMsMax } from './limits.ts'
import type { Problem } from './problem.ts'
import { versionProblems } from './task-versions.ts'
import { unknownKind } from './unknown-kind.ts'
import { parentOf } from './validate-bodies.ts'
import { cacheProblems } from './validate-cache.ts'
import { compensationProblems } from './validate-compensation.ts'
import { parameterProblems } from './validate-parameters.ts'
import { resultProblems } from './validate-results.ts'
import type { Validation } from './validation.ts'
import { nameOf, nodeOf, nodesOfStep, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** Problems of the nodes, in document order. */
export function* nodeProblems(validation: Validation): Generator<undefined, readonly Problem[]> {
  const problems: Problem[] = []
  for (const { id, node, index } of validation.graph.nodes) {
    if (index % nodesOfStep === 0) yield
    problems.push(...ownProblems(validation, id, node))
    // Most nodes have none of these.
    if (node.onLost === 'verify') problems.push(...probeProblems(validation, id, node))
    if (node.cache !== undefined) problems.push(...cacheProblems(validation, id, node))
    if ([node.stopAfterIf, node.redact, node.keepOutput].some((setting) => setting !== undefined))
      problems.push(...resultProblems(validation, id, node))
    if (node.join !== undefined) problems.push(...joinProblems(validation, id, node))
    if (node.compensation !== undefined) problems.push(...compensationProblems(validation, id, node))
    if (node.kind === 'join') problems.push(...joinTimeProblems(validation, id, node))
    if (node.kind === 'steer-runs') problems.push(...steeringProblems(validation, id, node))
    if (leavesTurn(node.kind)) problems.push(...leavingProblems(validation, id))
    if (node.concurrency !== undefined) problems.push(...concurrencyProblems(validation, id, node))
  }
  return problems
}

/** Of its kind and parameters; what only follows from another version of its task isn't told beside that. */
function ownProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  if (node.taskVersion === undefined && node.compensation?.task?.taskVersion === undefined)
    return kindProblems(validation, id, node)
  const versions = versionProblems(validation, id, node)
  const isHeldBack = versions.some(({ severity, field }) => severity === 'error' && field === 'taskVersion')
  return isHeldBack ? versions : [...kindProblems(validation, id, node), ...versions]
}

function kindProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined) {
    return [unknownKind({ name: nameOf(validation, id), kind: node.kind, field: 'kind', nodeId: id })]
  }
  return parameterProblems({
    schema: spec.parameters,
    parameters: node.parameters ?? {},
    name: () => nameOf(validation, id),
    field: 'parameters',
    nodeId: id,
  })
}

function probeProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined || spec.probes?.(node.parameters ?? {}) === true) return []
  const message = `${nameOf(validation, id)} is to find out whether it happened, and its kind can’t.`
  const hint = 'Ask a person instead, or use a task with code that has a probe.'
  return [problemOf({ code: 'probe_missing', nodeId: id, field: 'onLost', message, hint })]
}

function joinProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const join = objectOrNull(node.join)
  const count = join?.['count'] ?? 1
  if (join?.['mode'] !== 'count' || typeof count !== 'number') return []
  const ways = edgesInto(validation.graph, id).length
  if (count <= ways) return []
  const name = nameOf(validation, id)
  const message = `${name} waits for ${count} ways in but has ${ways}: it would never start.`
  const hint = `Lower the number to at most ${ways}, or connect more ways in.`
  return [problemOf({ code: 'join_impossible', nodeId: id, field: 'join.count', message, hint })]
}

function joinTimeProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const waitsMs = toldTimeoutMs(node.parameters ?? {})
  if (waitsMs === null || node.disabled === true) return []
  const name = nameOf(validation, id)
  const at = { nodeId: id, field: 'parameters.onTimeout' }
  if (waitsMs > timerAheadMsMax) {
    const message = `${name} would wait for its branches for more than ten years.`
    const hint = 'Choose a shorter time, or let it wait as long as it takes.'
    return [problemOf({ ...at, code: 'join_too_long', field: 'parameters.amount', message, hint })]
  }
  if (edgesInto(validation.graph, id).length > 1) return []
  const message = `${name} has a time to wait for its branches but at most one way in: there is nothing to wait for.`
  const hint = 'Connect the other branches, or let it wait as long as it takes.'
  return [problemOf({ ...at, code: 'join_of_one', severity: 'warning', message, hint })]
}

function steeringProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const { action, which, name, runs } = node.parameters ?? {}
  const isBlank = (value: unknown): boolean => value === undefined || value === ''
  const told = nameOf(validation, id)
  const problems: Problem[] = []
  if (which !== 'filter' && isBlank(runs)) {
    const message = `${told} says nothing of the runs that it means.`
    const hint = 'Give their ids, or choose all runs that fit.'
    problems.push(problemOf({ code: 'no_runs_meant', nodeId: id, field: 'parameters.runs', message, hint }))
  }
  if (action === 'signal' && isBlank(name)) {
    const message = `${told} sends a signal without a name.`
    const hint = 'Name what the steps that are meant wait for.'
    problems.push(
      problemOf({ code: 'signal_without_name', nodeId: id, field: 'parameters.name', message, hint }),
    )
  }
  return problems
}

function leavingProblems(validation: Validation, id: NodeId): readonly Problem[] {
  // As many steps as there are nodes: what stands inside of itself has no outermost place.
  let at = parentOf(validation, id)
  for (let left = validation.graph.nodes.length; at !== null && left > 0; left -= 1) {
    if (nodeOf(validation, at)?.kind === loopKind) return []
    at = parentOf(validation, at)
  }
  const message = `${nameOf(validation, id)} leaves a loop, and stands in none.`
  const hint = 'Move it into the loop that it is to leave. To end the whole run, use a Stop.'
  return [problemOf({ code: 'not_in_a_loop', nodeId: id, field: 'parent', message, hint })]
}

function concurrencyProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const policy = objectOrNull(node.concurrency)
  if (policy?.['registration'] !== 'KEYS' && policy?.['running'] !== 'KEYS') return []
  const keys = policy['keys']
  if (Array.isArray(keys) && keys.length > 0) return []
  const message = `${nameOf(validation, id)} limits concurrency by keys but names none.`
  const hint = 'Name at least one parameter as key, or choose another mode.'
  return [
    problemOf({ code: 'concurrency_without_keys', nodeId: id, field: 'concurrency.keys', message, hint }),
  ]
}
