/** How the steps of two versions of a workflow differ in what each of them means by itself. */

import { definitionHashOf } from '../../model/definition-hash.ts'
import type { DefinitionHash, NodeId } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson, isJsonObject } from '../../model/json.ts'
import { nodeMeaningsOf } from '../../model/node-meanings.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ReplayDifference } from '../../protocol/teleport.ts'
import { differenceOf } from './replay-answers.ts'

export interface Definitions {
  readonly before: DefinitionHash
  readonly after: DefinitionHash
  /** Null for a step that means the same, or that one of them doesn't have. */
  readonly differenceAt: (nodeId: NodeId) => ReplayDifference | null
}

/** From the version that a run was bound to, to the one that it is replayed with. */
export function compareDefinitions(
  before: { readonly hash: DefinitionHash; readonly document: WorkflowDocument },
  after: WorkflowDocument,
  specsByKind: ReadonlyMap<string, TaskSpec>,
): Definitions {
  const own = nodeMeaningsOf(before.document, specsByKind)
  const other = nodeMeaningsOf(after, specsByKind)
  return {
    before: before.hash,
    after: definitionHashOf(after, specsByKind),
    differenceAt: (nodeId) => {
      const [was, is] = [own.get(nodeId), other.get(nodeId)]
      if (was === undefined || is === undefined || was === is) return null
      const [before, after] = [alone(nodeId, was), alone(nodeId, is)]
      return differenceOf('definition', without(before, after), without(after, before))
    },
  }
}

/**
 * A step's own part of its meaning, field by field: what arrives at it is compared by value, and what is inside
 * of it by the steps there.
 */
function alone(nodeId: NodeId, meaning: string): JsonObject {
  const parsed = parse(meaning)
  const part = isJsonObject(parsed) ? parsed[nodeId] : undefined
  if (!isJsonObject(part)) return { output: meaning }
  const { said = null, reads = null } = part
  if (!isJsonObject(said)) return { said, variables: reads }
  const { parameters = null, ...rest } = said
  const fields = isJsonObject(parameters) ? Object.entries(parameters) : []
  const named = fields.map(([name, value]) => [`parameters.${name}`, value] as const)
  return { ...rest, ...Object.fromEntries(named), variables: reads }
}

/** The fields that the other one has otherwise, or not at all. */
function without(own: JsonObject, other: JsonObject): JsonObject {
  const isSame = (name: string, value: JsonValue): boolean =>
    canonicalJson(other[name] ?? null) === canonicalJson(value)
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => !isSame(name, value)))
}

/** Of the output step it is an expression. */
function parse(meaning: string): JsonValue {
  try {
    return JSON.parse(meaning) as JsonValue
  } catch {
    return meaning
  }
}
