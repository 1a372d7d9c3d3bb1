/**
 * Expressions for the engine: resolves the parameters of a node, and evaluates single texts for the preview.
 * Plain paths are read at once; everything else goes to a worker thread that can be ended.
 */

import { SagasmithError } from '../../model/errors.ts'
import { fieldPathText } from '../../model/field-hints.ts'
import { issueClause } from '../../model/issue-words.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Clock } from '../../model/ports.ts'
import { secretReference } from '../../model/secret.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { Millis } from '../../model/time.ts'
import { fieldTitle } from '../../model/validate-parameters.ts'
import type { ExpressionFault } from '../../model/validation.ts'
import type { Evaluate } from '../../tasks/task-ports.ts'
import type { ExpressionScope, ParameterResolver } from '../task-host.ts'
import { createSecretMarks, MarkedParameters } from '../vault/marked-parameters.ts'
import type { EvaluationResult } from './evaluation-message.ts'
import type { EvaluationThread } from './evaluation-thread.ts'
import { createEvaluationThread } from './evaluation-thread.ts'
import { checkExpression } from './expression-fault.ts'
import { textInTemplate, withValueAt } from './field-values.ts'
import type { ParameterPlan, PlannedExpression, PlannedText } from './parameter-plan.ts'
import { planParameters, planText } from './parameter-plan.ts'
import type { ScopeRoot } from './plain-path.ts'
import { plainStepsOf, readPlainPath } from './plain-path.ts'

export interface ExpressionService extends ParameterResolver {
  /** The value of a bare expression or of a text with `{{ }}`; null when it matches nothing. */
  readonly evaluate: (request: {
    readonly text: string
    readonly mode: 'expression' | 'template'
    readonly scope: ExpressionScope
  }) => Promise<JsonValue>
  /** The value of an expression that sees what it is given and nothing else; null when it matches nothing. */
  readonly evaluateOver: Evaluate
  /** What is wrong with an expression's syntax; null when nothing is. */
  readonly check: (expression: string) => ExpressionFault | null
  readonly close: () => Promise<void>
}

/** The value of each expression; undefined for one that matched nothing. */
type Values = ReadonlyMap<PlannedExpression, JsonValue | undefined>

/** The service; its worker starts with the first expression that needs it. */
export function createExpressionService(options: {
  readonly clock: Clock
  readonly limitMs?: Millis
}): ExpressionService {
  const thread = createEvaluationThread(options)
  const resolverByParameters = new WeakMap<JsonObject, NodeResolver>()
  return {
    resolveParameters({ parameters, spec, scope, marksSecrets }) {
      let resolver = resolverByParameters.get(parameters)
      if (resolver === undefined || resolver.spec !== spec) {
        resolver = createNodeResolver(parameters, spec, thread)
        resolverByParameters.set(parameters, resolver)
      }
      return resolver.resolve(scope, marksSecrets === true)
    },
    async evaluate({ text, mode, scope }) {
      const planned = planText(text, mode)
      if (planned === null) return text
      const means = { thread, place: () => null, secretText: secretReference }
      const values = await valuesOf(planned.parts.filter(isExpression), scope, means)
      return textValue(planned, values) ?? null
    },
    async evaluateOver({ expression, scope, now, seed }) {
      const steps = plainStepsOf(expression)
      const found = steps === null ? null : readPlainPath(scope, steps)
      if (found?.kind === 'value') return found.value
      if (found?.kind === 'nothing') return null
      const [result] = await thread.evaluate({ sources: [expression], scope, now, seed })
      return resultValue(result, { source: expression, position: 0 }, null) ?? null
    },
    check: checkExpression,
    close: () => thread.close(),
  }
}

interface NodeResolver {
  readonly spec: TaskSpec
  readonly resolve: (scope: ExpressionScope, marksSecrets: boolean) => unknown
}

function createNodeResolver(parameters: JsonObject, spec: TaskSpec, thread: EvaluationThread): NodeResolver {
  const plan = planParameters(parameters, spec)
  const base = plan.absent.reduce((left, path) => withValueAt(left, path, undefined), parameters)
  if (plan.fields.length === 0) {
    // Nothing in it depends on a run, so checking it once is enough.
    let checked: { readonly value: unknown } | null = null
    return {
      spec,
      resolve() {
        checked ??= { value: validated(base, spec) }
        return checked.value
      },
    }
  }
  const place = placesOf(plan, parameters)
  const expressions = plan.fields.flatMap((field) => field.parts.filter(isExpression))
  const secrets = [...new Set(expressions.flatMap(({ secret }) => (secret === null ? [] : [secret])))]
  return {
    spec,
    async resolve(scope, marksSecrets) {
      const marks = marksSecrets && secrets.length > 0 ? createSecretMarks(secrets) : null
      const means = { thread, place, secretText: marks === null ? secretReference : marks.markOf }
      const values = await valuesOf(expressions, scope, means)
      let resolved = base
      for (const field of plan.fields) {
        resolved = withValueAt(resolved, field.path, textValue(field, values) ?? null)
      }
      const parsed = validated(resolved, spec)
      return marks === null ? parsed : new MarkedParameters(parsed, marks)
    },
  }
}

function isExpression(part: string | PlannedExpression): part is PlannedExpression {
  return typeof part !== 'string'
}

/** The field an expression stands in, for messages. */
type PlaceOf = (expression: PlannedExpression) => { readonly title: string; readonly field: string } | null

function placesOf(plan: ParameterPlan, parameters: JsonObject): PlaceOf {
  return (expression) => {
    const field = plan.fields.find(({ parts }) => parts.includes(expression))
    if (field === undefined) return null
    const title = fieldTitle(plan.spec.parameters, field.path, parameters)
    return { title, field: fieldPathText(field.path) }
  }
}

function textValue(text: PlannedText, values: Values): JsonValue | undefined {
  const [first] = text.parts
  if (text.isValue && first !== undefined && isExpression(first)) return values.get(first)
  return text.parts.map((part) => (isExpression(part) ? textInTemplate(values.get(part)) : part)).join('')
}

interface Means {
  readonly thread: EvaluationThread
  readonly place: PlaceOf
  /** What stands for a secret. */
  readonly secretText: (name: string) => string
}

async function valuesOf(
  expressions: readonly PlannedExpression[],
  scope: ExpressionScope,
  means: Means,
): Promise<Values> {
  const values = new Map<PlannedExpression, JsonValue | undefined>()
  const nodeIds = [...new Set(expressions.flatMap((expression) => expression.nodeIds))]
  const nodes = nodeIds.length === 0 ? {} : await scope.nodes(nodeIds)
  const rest: PlannedExpression[] = []
  for (const expression of expressions) {
    const { plain, secret } = expression
    if (secret !== null) {
      values.set(expression, means.secretText(secret))
      continue
    }
    // Elsewhere the name means nothing, as any other does.
    if (plain === null || (plain.root === 'error' && !hasName(scope, plain.root))) {
      rest.push(expression)
      continue
    }
    const found = readPlainPath(await partOf(scope, plain.root, nodes), plain.steps)
    if (found.kind === 'unsure') rest.push(expression)
    else values.set(expression, found.kind === 'value' ? found.value : undefined)
  }
  if (rest.length > 0) await evaluateRest(rest, { scope, nodes, values, means })
  return values
}

/** Some names are there for some expressions only: outside of maps and loops there is no item. */
function hasName(scope: ExpressionScope, root: ScopeRoot): boolean {
  if (root === 'item' || root === 'loop') return scope.around !== undefined
  if (root === 'original' || root === 'output' || root === 'error') return scope[root] !== undefined
  return true
}

async function partOf(scope: ExpressionScope, root: ScopeRoot, nodes: JsonObject): Promise<JsonValue> {
  if (root === 'nodes') return nodes
  if (root === 'vars') return scope.vars
  if (root === 'item' || root === 'loop') return (await scope.around?.(root)) ?? null
  if (root === 'original') return (await scope.original?.()) ?? null
  if (root === 'output') return scope.output?.() ?? null
  if (root === 'error') return scope.error?.() ?? null
  return root === 'run' ? scope.run() : scope.input()
}

async function evaluateRest(
  rest: readonly PlannedExpression[],
  work: {
    readonly scope: ExpressionScope
    readonly nodes: JsonObject
    readonly values: Map<PlannedExpression, JsonValue | undefined>
    readonly means: Means
  },
): Promise<void> {
  const { scope, values, means } = work
  const roots = [...new Set(rest.flatMap((expression) => expression.roots))]
  const parts: Record<string, JsonValue> = {}
  for (const root of roots) {
    if (hasName(scope, root)) parts[root] = await partOf(scope, root, work.nodes)
  }
  const sources = rest.map(({ source }) => source)
  const request = { sources, scope: parts, now: scope.now, seed: scope.seed }
  const results = await means.thread.evaluate(request)
  for (const [index, expression] of rest.entries()) {
    values.set(expression, resultValue(results[index], expression, means.place(expression)))
  }
}

function resultValue(
  result: EvaluationResult | undefined,
  expression: Pick<PlannedExpression, 'source' | 'position'>,
  place: ReturnType<PlaceOf>,
): JsonValue | undefined {
  if (result === undefined || result.kind === 'nothing') return undefined
  // The worker wrote it as JSON.
  if (result.kind === 'value') return JSON.parse(result.json) as JsonValue
  const { message, position, reason } = result
  const details = {
    ...(place === null ? {} : { field: place.field }),
    expression: expression.source.slice(0, 1_000),
    position: position === null ? null : expression.position + position,
  }
  throw new SagasmithError(reason === 'invalid' ? 'expression_invalid' : 'expression_failed', {
    message: place === null ? message : `“${place.title}”: ${message}`,
    ...(reason === 'too-large' ? { hint: 'Make it give less, or do the work in a JavaScript step.' } : {}),
    details,
  })
}

/** The parameters as the kind's schema gives them. Throws `task_input_invalid` for the first wrong field. */
function validated(parameters: JsonObject, spec: TaskSpec): unknown {
  const parsed = spec.parameters.safeParse(parameters)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue === undefined) return null
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
  const title = fieldTitle(spec.parameters, path, parameters)
  throw new SagasmithError('task_input_invalid', {
    message: `“${title}” ${issueClause(issue)}.`,
    details: { field: fieldPathText(path) },
  })
}
