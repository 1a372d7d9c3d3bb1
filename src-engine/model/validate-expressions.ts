/** Expressions of the document: can they be read, and do they name nodes whose data is there by then? */

import { expressionReferences } from './expression-references.ts'
import type { FieldText } from './field-hints.ts'
import { fieldPathText, fieldTexts, untypedTexts } from './field-hints.ts'
import { edgesInto } from './graph.ts'
import type { NodeId } from './ids.ts'
import type { JsonObject } from './json.ts'
import { expressionBytesMax } from './limits.ts'
import { utf8Bytes } from './payload.ts'
import type { Problem } from './problem.ts'
import { parseTemplate, templateExpressions } from './template.ts'
import { parentOf } from './validate-bodies.ts'
import {
  compensationKind,
  hiddenSecretProblems,
  secretTextProblems,
  settingSecretProblems,
} from './validate-secrets.ts'
import type { Validation } from './validation.ts'
import { nameOf, nodeOf, nodesOfStep, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** Steps that the search for what comes before may take; beyond, only the order of nodes is compared. */
const searchStepsMax = 2_000_000

/** One expression and where it stands. */
interface PlacedExpression {
  readonly source: string
  readonly field: string
  /** Null for the workflow's own output. */
  readonly nodeId: NodeId | null
  /** Whether what it names must run before this node. */
  readonly isOrdered: boolean
}

/** Problems of every expression, node by node, then of the workflow's output. */
export function* expressionProblems(validation: Validation): Generator<undefined, readonly Problem[]> {
  const problems: Problem[] = []
  const comesBefore = precedence(validation)
  const check = (placed: PlacedExpression): void => {
    problems.push(...syntaxProblems(validation, placed, ownerOf(validation, placed)))
    problems.push(...referenceProblems(validation, placed, comesBefore))
  }
  for (const { id, node, index } of validation.graph.nodes) {
    if (index % nodesOfStep === 0) yield
    for (const setting of settingSources(node)) {
      problems.push(...hiddenSecretProblems(validation, id, setting))
      check({ ...setting, nodeId: id })
    }
    if (node.parameters === undefined && node.compensation === undefined) continue
    const own = {
      kind: node.kind,
      parameters: node.parameters ?? {},
      field: 'parameters',
      id,
      isOrdered: true,
    }
    for (const set of [own, ...compensationSets(id, objectOrNull(node.compensation))]) {
      for (const text of textsOf(validation, set)) {
        const field = `${set.field}.${fieldPathText(text.path)}`
        problems.push(...templateProblems(validation, id, { text, field }))
        problems.push(...secretTextProblems(validation, { text, nodeId: id, kind: set.kind, field }))
        for (const source of laterSources(text))
          problems.push(...syntaxProblems(validation, { source, field, nodeId: id }, nameOf(validation, id)))
        for (const source of sourcesOf(text)) check({ source, field, nodeId: id, isOrdered: set.isOrdered })
      }
    }
  }
  const settings = objectOrNull(validation.document.settings)
  const output = settings?.['output']
  if (typeof output === 'string' && output.trim() !== '') {
    check({ source: output, field: 'settings.output', nodeId: null, isOrdered: false })
  }
  const key = objectOrNull(settings?.['concurrency'])?.['key']
  if (typeof key === 'string' && key.trim() !== '') {
    check({ source: key, field: 'settings.concurrency.key', nodeId: null, isOrdered: false })
  }
  problems.push(...settingSecretProblems(settings))
  return problems
}

/** Expressions among the settings of a node. */
function settingSources(node: WorkflowNode): readonly Omit<PlacedExpression, 'nodeId'>[] {
  const undoing = objectOrNull(objectOrNull(node.compensation)?.['retry'])
  const found = [
    { field: 'skipIf', source: node.skipIf, isOrdered: true },
    { field: 'stopAfterIf', source: node.stopAfterIf, isOrdered: true },
    { field: 'cache.key', source: objectOrNull(node.cache)?.['key'], isOrdered: true },
    { field: 'retry.retryIf', source: objectOrNull(node.retry)?.['retryIf'], isOrdered: true },
    // What undoes a step runs after everything.
    { field: 'compensation.retry.retryIf', source: undoing?.['retryIf'], isOrdered: false },
  ]
  return found.flatMap(({ field, source, isOrdered }) =>
    typeof source === 'string' && source.trim() !== '' ? [{ field, source, isOrdered }] : [],
  )
}

interface ParameterSet {
  readonly kind: string
  readonly parameters: JsonObject
  readonly field: string
  readonly id: NodeId
  readonly isOrdered: boolean
}

/** A compensation runs after everything, so it may read every node. */
function compensationSets(id: NodeId, compensation: JsonObject | null): readonly ParameterSet[] {
  if (compensation === null) return []
  const { task, input, idempotencyKey, labels, env } = compensation
  const said = Object.entries({ input, idempotencyKey, labels, env }).filter(
    ([, value]) => value !== undefined,
  )
  const sets: ParameterSet[] = []
  if (said.length > 0) {
    const parameters = Object.fromEntries(said) as JsonObject
    sets.push({ kind: compensationKind, parameters, field: 'compensation', id, isOrdered: false })
  }
  const parameters = objectOrNull(objectOrNull(task)?.['parameters'])
  const kind = objectOrNull(task)?.['kind']
  if (parameters !== null && typeof kind === 'string')
    sets.push({ kind, parameters, field: 'compensation.task.parameters', id, isOrdered: false })
  return sets
}

function textsOf(validation: Validation, set: ParameterSet): readonly FieldText[] {
  const spec = validation.taskSpecs.get(set.kind)
  return spec === undefined ? untypedTexts(set.parameters) : fieldTexts(set.parameters, spec.parameters)
}

function sourcesOf(text: FieldText): readonly string[] {
  if (text.role === 'code') return []
  if (text.role === 'template') return templateExpressions(text.text).map((expression) => expression.source)
  return text.text.trim() === '' ? [] : [text.text]
}

/** What the step itself evaluates, over what it gets: nothing of the run can be named there. */
function laterSources({ role, hints, text }: FieldText): readonly string[] {
  return role === 'code' && hints.language === 'jsonata' && text.trim() !== '' ? [text] : []
}

function templateProblems(
  validation: Validation,
  id: NodeId,
  place: { readonly text: FieldText; readonly field: string },
): readonly Problem[] {
  if (place.text.role !== 'template') return []
  const template = parseTemplate(place.text.text)
  if (template.ok) return []
  const { code, message } = template.error
  const hint =
    code === 'template_empty'
      ? 'Write an expression between the braces, or remove them.'
      : 'Close the expression with }}. Literal braces are written as {{ "{{" }}.'
  return [
    problemOf({
      code,
      nodeId: id,
      field: place.field,
      message: `${nameOf(validation, id)}: ${message}`,
      hint,
    }),
  ]
}

const ownerOf = (validation: Validation, { nodeId }: PlacedExpression): string =>
  nodeId === null ? 'The workflow’s output' : nameOf(validation, nodeId)

/** What keeps an expression from being read; `owner` is who has it, as people know it. */
export function syntaxProblems(
  validation: Validation,
  placed: Pick<PlacedExpression, 'source' | 'field' | 'nodeId'>,
  owner: string,
): readonly Problem[] {
  const at = { nodeId: placed.nodeId, field: placed.field }
  if (utf8Bytes(placed.source) > expressionBytesMax) {
    const message = `${owner}: the expression is longer than ${expressionBytesMax / 1024} KB.`
    const hint = 'Do the work in a JavaScript step, or move data into a file.'
    return [problemOf({ ...at, code: 'expression_too_long', message, hint })]
  }
  const fault = validation.checkExpression?.(placed.source) ?? null
  if (fault === null) return []
  const place = fault.position === null ? '' : ` (character ${fault.position + 1})`
  const shown = placed.source.length > 60 ? `${placed.source.slice(0, 60)}…` : placed.source
  const message = `${owner}: the expression “${shown}” can’t be read${place}: ${fault.message}`
  return [problemOf({ ...at, code: 'expression_invalid', message, hint: 'Correct it at the named place.' })]
}

function referenceProblems(
  validation: Validation,
  placed: PlacedExpression,
  comesBefore: (earlier: NodeId, later: NodeId) => boolean,
): readonly Problem[] {
  const names = new Set(expressionReferences(placed.source).map((reference) => reference.nodeId))
  const at = { severity: 'warning', nodeId: placed.nodeId, field: placed.field } as const
  const owner = ownerOf(validation, placed)
  const problems: Problem[] = []
  for (const name of names) {
    if (nodeOf(validation, name) === undefined) {
      const message = `${owner} reads the node “${name}”, which isn’t in this workflow.`
      const hint = 'Check the name. A name with a dash stands in backticks: nodes.`fetch-orders`.'
      problems.push(problemOf({ ...at, code: 'unknown_reference', message, hint }))
    } else if (placed.nodeId === null && parentOf(validation, name) !== null) {
      const message = `${owner} reads ${nameOf(validation, name)}, which runs inside of a map or loop.`
      const hint = 'Read the map or loop itself: it hands on what its steps gave.'
      problems.push(problemOf({ ...at, code: 'reference_into_body', message, hint }))
    } else if (placed.nodeId !== null && placed.isOrdered && !comesBefore(name as NodeId, placed.nodeId)) {
      const message = `${owner} reads ${nameOf(validation, name)}, which doesn’t run before it.`
      const hint = 'Read a node that leads here, or connect the two.'
      problems.push(problemOf({ ...at, code: 'reference_not_before', message, hint }))
    }
  }
  return problems
}

/**
 * Whether one node leads to another. Ancestors are looked up once per reading node; a document that would
 * take too many steps is judged by its order alone, which only misses warnings.
 */
function precedence(validation: Validation): (earlier: NodeId, later: NodeId) => boolean {
  const { graph } = validation
  const isNested = graph.nodes.some(({ node }) => node.parent !== undefined)
  // The order knows nothing of bodies, whose nodes come after what leads to their map or loop.
  const order = isNested ? null : validation.order
  let ranks: ReadonlyMap<NodeId, number> | null = null
  const known = new Map<NodeId, ReadonlySet<NodeId>>()
  let stepsLeft = searchStepsMax
  const ancestors = (of: NodeId): ReadonlySet<NodeId> => {
    const found = new Set<NodeId>()
    const seen = new Set<NodeId>([of])
    const open: NodeId[] = [of]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const container = isNested ? parentOf(validation, node) : null
      if (container !== null && !seen.has(container)) {
        seen.add(container)
        open.push(container)
      }
      for (const { from } of edgesInto(graph, node)) {
        stepsLeft -= 1
        if (found.has(from)) continue
        found.add(from)
        open.push(from)
      }
    }
    known.set(of, found)
    return found
  }
  return (earlier, later) => {
    ranks ??= new Map(order?.map((id, index) => [id, index]))
    if (order !== null && (ranks.get(earlier) ?? 0) >= (ranks.get(later) ?? 0)) return false
    const cached = known.get(later)
    if (cached !== undefined) return cached.has(earlier)
    return stepsLeft <= 0 || ancestors(later).has(earlier)
  }
}
