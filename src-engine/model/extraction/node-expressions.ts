/** The expressions of a node: those of its parameters, and those of what undoes it. Pure. */

import type { FieldPath, FieldText } from '../field-hints.ts'
import { fieldTexts, untypedTexts } from '../field-hints.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { retryConditionOf } from '../retry.ts'
import type { TaskSpec } from '../task-spec.ts'
import { templateExpressions } from '../template.ts'
import type { Compensation, RetryPolicy, WorkflowNode } from '../workflow.ts'

export type TaskSpecs = ReadonlyMap<string, TaskSpec>

export interface NodeExpressions {
  readonly own: readonly string[]
  /** They see what was there when the step is undone. */
  readonly undoing: readonly string[]
  /** Programs in a language of their own. */
  readonly code: readonly string[]
}

/** All of them, in the order of the document. */
export function expressionsOf(node: WorkflowNode, specs: TaskSpecs): NodeExpressions {
  const own = textsOf(node.kind, node.parameters ?? {}, specs)
  const task = node.compensation?.task
  const undoing = [
    ...untypedTexts(saidOf(node.compensation ?? {})),
    ...(task === undefined ? [] : textsOf(task.kind, task.parameters, specs)),
  ]
  const codeOf = (texts: readonly FieldText[]) =>
    texts.flatMap(({ role, text, hints }) =>
      role === 'code' && hints.language === 'javascript' ? [text] : [],
    )
  const settings = [
    node.skipIf ?? '',
    node.cache?.key ?? '',
    node.stopAfterIf ?? '',
    retryConditionOf(node.retry) ?? '',
  ].filter((text) => text.trim() !== '')
  return {
    own: [...own.flatMap(sources), ...settings],
    undoing: [...undoing.flatMap(sources), ...conditionsOf(node.compensation?.retry)],
    code: codeOf([...own, ...undoing]),
  }
}

function conditionsOf(retry: RetryPolicy | undefined): readonly string[] {
  const condition = retryConditionOf(retry)
  return condition === null ? [] : [condition]
}

/** The node with every expression as `rewrite` gives it. */
export function withExpressions(
  node: WorkflowNode,
  specs: TaskSpecs,
  rewrite: (expression: string) => string,
): WorkflowNode {
  const { parameters, compensation, skipIf = '', stopAfterIf = '', cache, retry } = node
  const rewritten = (kind: string, of: JsonObject): JsonObject =>
    replaced(of, textsOf(kind, of, specs), rewrite)
  return {
    ...node,
    ...(parameters === undefined ? {} : { parameters: rewritten(node.kind, parameters) }),
    ...(skipIf.trim() === '' ? {} : { skipIf: rewrite(skipIf) }),
    ...(stopAfterIf.trim() === '' ? {} : { stopAfterIf: rewrite(stopAfterIf) }),
    ...(cache?.key === undefined || cache.key.trim() === ''
      ? {}
      : { cache: { ...cache, key: rewrite(cache.key) } }),
    ...(retry === undefined ? {} : { retry: retried(retry, rewrite) }),
    ...(compensation === undefined ? {} : { compensation: undone(compensation, rewritten, rewrite) }),
  }
}

function retried(retry: RetryPolicy, rewrite: (expression: string) => string): RetryPolicy {
  const condition = retryConditionOf(retry)
  return condition === null ? retry : { ...retry, retryIf: rewrite(condition) }
}

function undone(
  compensation: Compensation,
  rewritten: (kind: string, of: JsonObject) => JsonObject,
  rewrite: (expression: string) => string,
): Compensation {
  const { task } = compensation
  const said = saidOf(compensation)
  const { retry } = compensation
  return {
    ...compensation,
    ...(retry === undefined ? {} : { retry: retried(retry, rewrite) }),
    ...replaced(said, untypedTexts(said), rewrite),
    ...(task === undefined ? {} : { task: { ...task, parameters: rewritten(task.kind, task.parameters) } }),
  }
}

/** What of it holds texts with expressions beside its task. */
const saidOf = ({ input, idempotencyKey, labels, env }: Compensation): JsonObject => ({
  ...(input === undefined ? {} : { input }),
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(labels === undefined ? {} : { labels }),
  ...(env === undefined ? {} : { env }),
})

function textsOf(kind: string, parameters: JsonObject, specs: TaskSpecs): readonly FieldText[] {
  const spec = specs.get(kind)
  return spec === undefined ? untypedTexts(parameters) : fieldTexts(parameters, spec.parameters)
}

function sources({ role, text }: FieldText): readonly string[] {
  if (role === 'code' || text.trim() === '') return []
  return role === 'expression' ? [text] : templateExpressions(text).map(({ source }) => source)
}

function replaced(
  parameters: JsonObject,
  texts: readonly FieldText[],
  rewrite: (expression: string) => string,
): JsonObject {
  let made = parameters
  for (const { path, role, text } of texts) {
    if (role === 'code' || text.trim() === '') continue
    const next = role === 'expression' ? rewrite(text) : inTemplate(text, rewrite)
    if (next !== text) made = withText(made, path, next) as JsonObject
  }
  return made
}

function inTemplate(text: string, rewrite: (expression: string) => string): string {
  let made = ''
  let at = 0
  for (const { source, position } of templateExpressions(text)) {
    made += text.slice(at, position) + rewrite(source)
    at = position + source.length
  }
  return made + text.slice(at)
}

function withText(value: JsonValue, path: FieldPath, text: string): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) return text
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => (index === key ? withText(item, rest, text) : item))
  if (!isJsonObject(value)) return value
  return { ...value, [key]: withText(value[key] ?? null, rest, text) }
}
