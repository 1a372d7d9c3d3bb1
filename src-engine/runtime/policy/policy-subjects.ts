/** What a policy is asked about: a step, or the start of a run, in the words of the policy. */

import type { CompiledNode, CompiledWorkflow } from '../../core/compile.ts'
import { nodeOfRecord } from '../../core/draft.ts'
import type { RunState } from '../../core/run-state.ts'
import { untypedTexts } from '../../model/field-hints.ts'
import { isCoreWorkflow } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import { utf8Bytes } from '../../model/payload.ts'
import type { PolicyRequest } from '../../model/policy/policy.ts'
import { riskTagsOf } from '../../model/policy/risk-tags.ts'
import type { RunRecord } from '../../model/run.ts'
import { namesIn } from '../../model/secret-uses.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { RoutePolicy } from '../../model/workflow.ts'
import { outputStepId } from '../../model/workflow.ts'

/** What the policy's words say of a node, whatever its run. */
type NodeWords = Pick<
  PolicyRequest,
  'kind' | 'topic' | 'tags' | 'riskTags' | 'requires' | 'labels' | 'secrets'
>

type RouteWords = Pick<RoutePolicy, 'labels' | 'requires'>

export interface PolicySubjects {
  readonly ofStep: (
    state: Pick<RunState, 'run' | 'workflow'>,
    record: InvocationRecord,
    payloadBytes: number | null,
  ) => PolicyRequest
  readonly ofStart: (run: RunRecord, workflow: CompiledWorkflow) => PolicyRequest
}

/** Whether nobody asks about it: the engine's own work, and the step that only evaluates the run's output. */
export const isExempt = (
  { workflowId }: Pick<RunRecord, 'workflowId'>,
  record: Pick<InvocationRecord, 'nodeId'> | null,
): boolean => isCoreWorkflow(workflowId) || record?.nodeId === outputStepId

/** Works out once per node what stays the same. */
export function createPolicySubjects(specsByKind: ReadonlyMap<string, TaskSpec>): PolicySubjects {
  const wordsByNode = new WeakMap<CompiledNode, NodeWords>()
  const wordsOf = (workflow: CompiledWorkflow, node: CompiledNode, route?: RouteWords): NodeWords => {
    const known = wordsByNode.get(node)
    if (known !== undefined) return known
    const said = route ?? workflow.document.nodes[node.id]?.route ?? {}
    const made = nodeWords(node, said, specsByKind.get(node.kind))
    wordsByNode.set(node, made)
    return made
  }
  return {
    ofStep: (state, record, payloadBytes) => {
      const node = nodeOfRecord(state.workflow, record)
      // What undoes a step says for itself where it may run, and what it is known by.
      const { undo } =
        record.role === 'forward' ? noUndo : (state.workflow.nodeById.get(record.nodeId) ?? noUndo)
      const words = node === undefined ? null : wordsOf(state.workflow, node, undo?.route)
      const { tenant, workflowId, id, tags } = state.run
      return {
        at: 'step',
        ...{ tenant, workflowId, runId: id },
        nodeId: record.nodeId,
        pool: record.pool,
        role: record.role,
        ...(words ?? { ...noWords, kind: record.taskKind, topic: record.taskKind }),
        tags: words === null ? tags : [...words.tags, ...tags],
        payloadBytes,
      }
    },
    ofStart: (run, workflow) => {
      const { tenant, workflowId, id, tags, input } = run
      const all = [...workflow.nodeById.values()].map((node) => wordsOf(workflow, node))
      const gathered = (name: 'riskTags' | 'secrets') => [...new Set(all.flatMap((words) => words[name]))]
      return {
        ...noWords,
        at: 'start',
        ...{ tenant, workflowId, runId: id, tags },
        nodeId: null,
        pool: null,
        role: 'forward',
        riskTags: gathered('riskTags'),
        secrets: gathered('secrets'),
        payloadBytes: payloadBytesOf(input),
      }
    },
  }
}

const noUndo = { undo: null }
const noWords = { kind: null, topic: null, tags: [], riskTags: [], requires: [], labels: {}, secrets: [] }

/** How large a payload is; null for one that only its owner can open. */
export function payloadBytesOf(payload: Payload): number | null {
  if (payload.kind === 'inline') return utf8Bytes(payload.json)
  return payload.kind === 'blob' ? payload.bytes : null
}

function nodeWords(node: CompiledNode, route: RouteWords, spec: TaskSpec | undefined): NodeWords {
  const secrets = secretsOf(node.parameters)
  const { tags, sideEffect } = node
  return {
    kind: node.kind,
    topic: node.topic ?? node.kind,
    tags,
    secrets,
    riskTags: riskTagsOf({ spec, sideEffect, tags, secrets }),
    requires: route.requires ?? [],
    labels: route.labels ?? {},
  }
}

function secretsOf(parameters: JsonObject): readonly string[] {
  if (!isJsonObject(parameters)) return []
  const names = untypedTexts(parameters).flatMap(({ text }) => namesIn(text))
  return [...new Set(names)]
}
