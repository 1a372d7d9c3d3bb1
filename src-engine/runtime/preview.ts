/**
 * What a field's expression gives on the data of a run, while somebody edits it. The graph is the one on the
 * canvas and may differ from the run's: what counts is which of the node's predecessors have an output.
 */

import type { CompiledNode, CompiledWorkflow } from '../core/compile.ts'
import { compileWorkflow } from '../core/compile.ts'
import { keptGenerations } from '../core/generations.ts'
import { nodeInput } from '../core/node-input.ts'
import { forwardId } from '../core/run-state.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import { nodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { parseDocument } from '../model/read-document.ts'
import type { RunRecord } from '../model/run.ts'
import type { Store } from '../store/store.ts'
import { scopeOf } from './attempt-scope.ts'
import type { Engine, ExpressionPreview } from './engine.ts'
import type { PreviewExpression } from './engine-parts.ts'
import type { ExpressionService } from './expressions/expression-service.ts'
import type { PayloadStore } from './payload-store.ts'
import { createPayloadStore } from './payload-store.ts'
import type { TaskHost } from './task-host.ts'

type Preview = Awaited<ReturnType<Engine['previewExpression']>>

/** The preview on the engine's own expression service, so that it shows exactly what a run would use. */
export function createPreview(
  host: Pick<TaskHost, 'specsByKind'>,
  expressions: ExpressionService,
): PreviewExpression {
  return async (preview, engine) => {
    const fault = preview.mode === 'expression' ? expressions.check(preview.text) : null
    if (fault !== null) return { kind: 'problem', ...fault }
    if (preview.runId === null) return { kind: 'no-data' }
    const place = await placeOf(engine.store, preview, host)
    if (place === null) return { kind: 'no-data' }
    return evaluate(expressions, preview, { place, payloads: createPayloadStore(engine.store) })
  }
}

interface Place {
  readonly workflow: CompiledWorkflow
  readonly node: CompiledNode
  readonly run: RunRecord
  readonly recordOf: (id: string) => InvocationRecord | undefined
}

async function placeOf(
  store: Store,
  preview: ExpressionPreview,
  host: Pick<TaskHost, 'specsByKind'>,
): Promise<Place | null> {
  const parsed = parseDocument(preview.document)
  const records = preview.runId === null ? null : await recordsOf(store, preview.runId)
  if (!parsed.ok || records === null) return null
  const workflow = compileWorkflow(parsed.value.document, host.specsByKind)
  const node = workflow.nodeById.get(preview.nodeId)
  if (node === undefined) return null
  const { run, byId } = records
  const invocations = [...byId.values()]
  const at = { run, kept: keptGenerations(workflow, run.generation, { invocations }) }
  return { workflow, node, run, recordOf: (id) => byId.get(forwardId(at, nodeId(id))) }
}

async function recordsOf(store: Store, runId: RunId) {
  const partition = store.info.partitions[0] ?? 0
  const run = await store.load(partition, 'run', { runId })
  if (run === null) return null
  const invocations = await store.load(partition, 'invocations', { runId })
  return { run, byId: new Map(invocations.map((record) => [record.id, record])) }
}

async function evaluate(
  expressions: ExpressionService,
  preview: ExpressionPreview,
  work: { readonly place: Place; readonly payloads: PayloadStore },
): Promise<Preview> {
  const { place, payloads } = work
  const { node, run, recordOf, workflow } = place
  const arrived = node.waysIn.some((edge) => recordOf(edge.from.id)?.status === 'SUCCESS')
  if (node.waysIn.length > 0 && !arrived) return { kind: 'no-data' }
  const input = nodeInput(
    {
      scopeInput: { kind: 'single', payload: run.input },
      arrived: null,
      isTaken: (edge) => recordOf(edge.from.id)?.status === 'SUCCESS',
      record: (from) => recordOf(from.id),
    },
    node,
  )
  const record = { attempt: recordOf(node.id)?.attempt ?? 1, wait: null }
  const scope = scopeOf(
    { payloads },
    { run, record, input, variables: workflow.variables, recordOf, around: null },
  )
  try {
    return {
      kind: 'value',
      value: await expressions.evaluate({ text: preview.text, mode: preview.mode, scope }),
    }
  } catch (thrown) {
    const { message, details } = recordOfThrown(thrown)
    return {
      kind: 'problem',
      message,
      position: typeof details['position'] === 'number' ? details['position'] : null,
    }
  }
}
