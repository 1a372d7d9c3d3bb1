/**
 * Everything that can be said about a workflow before it runs, as a list for canvas, CLI and engine alike.
 * Errors keep it from running, warnings don't. Never throws, whatever form the fields have.
 */

import { compositesWith } from './composite.ts'
import { fieldPathText, fieldTexts } from './field-hints.ts'
import { buildGraph, topologicalOrder } from './graph.ts'
import type { NodeId } from './ids.ts'
import type { JsonValue } from './json.ts'
import { canonicalJson } from './json.ts'
import type { Problem } from './problem.ts'
import { formProblems } from './read-document.ts'
import { inputJsonSchema, schemaCursor } from './schema-walk.ts'
import type { TaskSpec } from './task-spec.ts'
import { expressionProblems, syntaxProblems } from './validate-expressions.ts'
import { inputSchemaProblems } from './validate-input-schema.ts'
import { nodeProblems } from './validate-nodes.ts'
import { parameterProblems } from './validate-parameters.ts'
import { structureProblems } from './validate-structure.ts'
import type { Validation, ValidationOptions } from './validation.ts'
import { nameOf, nodeOf, objectOrNull, problemOf } from './validation.ts'
import { withoutSchemaDefaults } from './without-defaults.ts'
import type { WorkflowDocument, WorkflowTrigger } from './workflow.ts'

/**
 * The problems of a document, errors first. `taskSpecs` are the kinds that are there, by kind. The document
 * is one that `parseDocument` opened.
 */
export function validateWorkflow(
  document: WorkflowDocument,
  taskSpecs: ReadonlyMap<string, TaskSpec>,
  options: ValidationOptions = {},
): readonly Problem[] {
  const steps = validationSteps(document, taskSpecs, options)
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

/** The same, for who does other things in between: each step is short, the last one gives the problems. */
export function* validationSteps(
  document: WorkflowDocument,
  taskSpecs: ReadonlyMap<string, TaskSpec>,
  options: ValidationOptions = {},
): Generator<undefined, readonly Problem[]> {
  const graph = buildGraph(document)
  yield
  const order = topologicalOrder(graph)
  const validation: Validation = { ...options, taskSpecs, document, graph, order }
  const form = formProblems(document, graph)
  yield
  const structure = structureProblems(validation)
  yield
  const problems = [
    ...form,
    ...structure,
    ...(yield* nodeProblems(validation)),
    ...(yield* expressionProblems(validation)),
    ...sagaProblems(validation),
    ...triggerProblems(validation),
    ...inputSchemaProblems(document.input),
  ]
  return [
    ...problems.filter(({ severity }) => severity === 'error'),
    ...problems.filter(({ severity }) => severity === 'warning'),
  ]
}

/** Whether nothing in the list keeps the workflow from running. */
export function isRunnable(problems: readonly Problem[]): boolean {
  return problems.every(({ severity }) => severity !== 'error')
}

function sagaProblems(validation: Validation): readonly Problem[] {
  const problems: Problem[] = []
  const scopeByNode = new Map<NodeId, string>()
  for (const [id, scope] of Object.entries(validation.document.sagaScopes ?? {})) {
    const name = typeof scope.title === 'string' && scope.title !== '' ? `“${scope.title}”` : `“${id}”`
    for (const node of new Set(scope.nodes)) {
      const field = `sagaScopes.${id}.nodes`
      const other = scopeByNode.get(node)
      if (nodeOf(validation, node) === undefined) {
        const message = `The saga scope ${name} names “${node}”, which isn’t in this workflow.`
        problems.push(
          problemOf({ code: 'saga_unknown_node', field, message, hint: 'Take it out of the scope.' }),
        )
      } else if (other !== undefined) {
        const message = `${nameOf(validation, node)} is in two saga scopes, ${other} and ${name}.`
        const hint = 'Keep it in one of them.'
        problems.push(problemOf({ code: 'saga_overlap', nodeId: node, field, message, hint }))
      } else scopeByNode.set(node, name)
    }
  }
  return problems
}

function triggerProblems(validation: Validation): readonly Problem[] {
  const seen = new Map<string, string>()
  return Object.entries(validation.document.triggers ?? {}).flatMap(([id, trigger]) => {
    const name = triggerName(validation, id, trigger)
    const problems = [...triggerKindProblems(validation, { id, name, trigger })]
    const key = triggerKey(validation, id, trigger)
    const other = seen.get(key)
    if (other === undefined) seen.set(key, name)
    else {
      const message = `The triggers ${other} and ${name} are the same: each occurrence would start two runs.`
      const hint = 'Delete one of them, or change its settings.'
      problems.push(problemOf({ code: 'duplicate_trigger', field: `triggers.${id}`, message, hint }))
    }
    return problems
  })
}

function triggerKindProblems(
  validation: Validation,
  at: { readonly id: string; readonly name: string; readonly trigger: WorkflowTrigger },
): readonly Problem[] {
  if (validation.triggerSpecs === undefined) return []
  const spec = validation.triggerSpecs.get(at.trigger.kind)
  const field = `triggers.${at.id}`
  if (spec === undefined) {
    const kind = `“${at.trigger.kind}”`
    const message = `The trigger ${at.name} is of the kind ${kind}, which this Sagasmith doesn’t have.`
    const hint = 'Install the package that has it, or delete the trigger. Starting by hand still works.'
    return [problemOf({ code: 'unknown_trigger_kind', severity: 'warning', field, message, hint })]
  }
  const parameters = objectOrNull(at.trigger.parameters) ?? {}
  const inForm = parameterProblems({
    schema: spec.parameters,
    parameters,
    name: () => `The trigger ${at.name}`,
    field: `${field}.parameters`,
    nodeId: null,
  })
  if (inForm.length > 0) return inForm
  const texts = fieldTexts(parameters, spec.parameters).filter(({ role }) => role === 'expression')
  const unread = texts.flatMap(({ path, text: source }) => {
    const below = `${field}.parameters.${fieldPathText(path)}`
    const placed = { source, field: below, nodeId: null }
    return source.trim() === '' ? [] : syntaxProblems(validation, placed, `The trigger ${at.name}`)
  })
  if (unread.length > 0) return unread
  const inPlace = spec.problems?.(parameters, { document: validation.document, triggerId: at.id }) ?? []
  return inPlace.map(({ message, field: below, ...problem }) =>
    problemOf({
      ...problem,
      field: `${field}.parameters.${below}`,
      message: `The trigger ${at.name} ${message}.`,
    }),
  )
}

function triggerName(validation: Validation, id: string, trigger: WorkflowTrigger): string {
  if (typeof trigger.title === 'string' && trigger.title !== '') return `“${trigger.title}”`
  const kindTitle = validation.triggerSpecs?.get(trigger.kind)?.title
  return kindTitle === undefined ? `“${id}”` : `“${kindTitle}” (${id})`
}

/** Equal for triggers that fire at the same occurrences. */
function triggerKey(validation: Validation, id: string, trigger: WorkflowTrigger): string {
  const raw: JsonValue = objectOrNull(trigger.parameters) ?? {}
  const spec = validation.triggerSpecs?.get(trigger.kind)
  const cursors = spec === undefined ? [] : [schemaCursor(inputJsonSchema(spec.parameters))]
  // What starts runs only with others does so once for each of these.
  const { document } = validation
  return canonicalJson([trigger.kind, withoutSchemaDefaults(raw, cursors), compositesWith(document, id)])
}
