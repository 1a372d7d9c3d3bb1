/**
 * What a field's expression gives on the data at hand, while somebody edits it: on those of a run, and on what
 * mocks say where a set of them is chosen. The graph is the one on the canvas and may differ from the run's:
 * what counts is which of the node's predecessors have an output.
 */

import type { CompiledNode, CompiledWorkflow } from '../core/compile.ts'
import { compileWorkflow } from '../core/compile.ts'
import { keptGenerations } from '../core/generations.ts'
import type { NodeInput } from '../core/node-input.ts'
import { nodeInput } from '../core/node-input.ts'
import { forwardId } from '../core/run-state.ts'
import { scopeInputOf } from '../core/scope-input.ts'
import { pathSeenFrom, placeOf } from '../core/scope-path.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord, recordOfThrown } from '../model/errors.ts'
import type { InvocationId, NodeId, RunId } from '../model/ids.ts'
import { invocationId, nodeId, runId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { newInvocation, newRun } from '../model/new-records.ts'
import type { Payload } from '../model/payload.ts'
import { parseDocument } from '../model/read-document.ts'
import type { RunRecord } from '../model/run.ts'
import type { NodeMock, WorkflowDocument } from '../model/workflow.ts'
import type { ExpressionPreview } from '../protocol/expressions.ts'
import type { Store } from '../store/store.ts'
import { scopeOf } from './attempt-scope.ts'
import { calledFrom } from './attempt-work.ts'
import type { Engine } from './engine.ts'
import type { PreviewExpression } from './engine-parts.ts'
import type { ExpressionService } from './expressions/expression-service.ts'
import type { PayloadStore } from './payload-store.ts'
import { createPayloadStore } from './payload-store.ts'
import { seenError } from './retry-condition.ts'
import type { ExpressionScope, TaskHost } from './task-host.ts'

type Preview = Awaited<ReturnType<Engine['previewExpression']>>

/** The preview on the engine's own expression service, so that it shows exactly what a run would use. */
export function createPreview(
  host: Pick<TaskHost, 'specsByKind' | 'callbacks'>,
  expressions: ExpressionService,
): PreviewExpression {
  return async (preview, engine) => {
    const fault = preview.mode === 'expression' ? expressions.check(preview.text) : null
    if (fault !== null) return { kind: 'problem', ...fault }
    const place = await placeToLookFrom(engine, preview, host)
    if (place === null) return { kind: 'no-data' }
    const payloads = createPayloadStore(engine.store)
    const end = await endSeen(engine.store, { place, payloads, sees: preview.sees ?? null })
    return evaluate(expressions, preview, { place, host, payloads, end })
  }
}

type ScopeHost = Pick<TaskHost, 'callbacks'>

/** Thrown where an expression reads what no run and no mock has said yet. */
class NoDataYet extends Error {}

interface Place {
  readonly workflow: CompiledWorkflow
  readonly node: CompiledNode
  readonly run: RunRecord
  /** Whether there is a run; without one, only mocks say something. */
  readonly isReal: boolean
  /** The item or turn that is looked at; empty outside of maps and loops. */
  readonly path: string
  /** A node's record as it is seen from that place, its mock's before its run's. */
  readonly recordOf: (id: string) => InvocationRecord | undefined
  readonly recordById: (id: InvocationId) => InvocationRecord | undefined
  /** The steps that wait for web calls, as seen from there; null where there is none. */
  readonly called: ReadonlyMap<NodeId, InvocationId> | null
}

async function placeToLookFrom(
  engine: Pick<Engine, 'store' | 'now'>,
  preview: ExpressionPreview,
  host: Pick<TaskHost, 'specsByKind'>,
): Promise<Place | null> {
  const parsed = parseDocument(preview.document)
  if (!parsed.ok) return null
  const { document } = parsed.value
  const found = preview.runId === null ? null : await recordsOf(engine.store, preview.runId)
  const { path = '', mocks = null } = preview
  const { run, byId } = found ?? { run: noRun(document, engine.now()), byId: new Map() }
  const workflow = compileWorkflow(document, host.specsByKind)
  const node = workflow.nodeById.get(preview.nodeId)
  if (node === undefined) return null
  const at = { run, kept: keptGenerations(workflow, run.generation, { invocations: [...byId.values()] }) }
  const recordOf = (id: string): InvocationRecord | undefined => {
    const named = workflow.nodeById.get(nodeId(id))
    const mock = mocks === null ? undefined : document.nodes[nodeId(id)]?.mocks?.[mocks]
    if (mock !== undefined) return mockedRecord(run, id, mock)
    const level = named === undefined ? null : pathSeenFrom(path, named)
    return level === null ? undefined : byId.get(forwardId(at, nodeId(id), level))
  }
  const called = calledFrom({ ...at, workflow }, path)
  return {
    workflow,
    node,
    run,
    isReal: found !== null,
    path,
    recordOf,
    called,
    recordById: (id) => byId.get(id),
  }
}

async function recordsOf(store: Store, id: RunId) {
  const partition = store.info.partitions[0] ?? 0
  const run = await store.load(partition, 'run', { runId: id })
  if (run === null) return null
  const invocations = await store.load(partition, 'invocations', { runId: id })
  return { run, byId: new Map(invocations.map((record) => [record.id, record])) }
}

/** What stands in for a run while there is none. */
const noRun = (document: WorkflowDocument, now: number): RunRecord =>
  newRun({
    id: runId('run_preview'),
    workflowId: document.id,
    workflowTitle: document.title,
    definitionHash: '' as RunRecord['definitionHash'],
    input: inline(null),
    now,
    seed: 'preview',
  })

/** The step as it would have ended by its mock. */
function mockedRecord({ id, now }: RunRecord, node: string, mock: NodeMock): InvocationRecord {
  const { output, port, error } = mock
  return newInvocation({
    id: invocationId(`${id}/${node}`),
    runId: id,
    nodeId: nodeId(node),
    taskKind: '',
    registeredAt: now,
    cause: { kind: 'mock', by: null, detail: null },
    status: error === undefined ? 'SUCCESS' : 'FAILED',
    output: error === undefined ? inline(output ?? null) : null,
    ports: port === undefined ? null : [port],
    error: error === undefined ? null : errorRecord('task_failed', { message: error.message }),
  })
}

async function evaluate(
  expressions: ExpressionService,
  preview: ExpressionPreview,
  means: SeenFrom,
): Promise<Preview> {
  try {
    const { text, mode } = preview
    return { kind: 'value', value: await expressions.evaluate({ text, mode, scope: seenFrom(means) }) }
  } catch (thrown) {
    if (thrown instanceof NoDataYet) return { kind: 'no-data' }
    const { message, details } = recordOfThrown(thrown)
    return {
      kind: 'problem',
      message,
      position: typeof details['position'] === 'number' ? details['position'] : null,
    }
  }
}

/** What the step gave, or why its last attempt that failed did, for an expression that is asked about that. */
async function endSeen(
  store: Store,
  of: {
    readonly place: Place
    readonly payloads: PayloadStore
    readonly sees: 'output' | 'error' | null
  },
): Promise<SeenFrom['end']> {
  const { place, payloads, sees } = of
  if (sees === null) return {}
  const record = place.recordOf(place.node.id)
  if (sees === 'output') {
    const output = record?.status === 'SUCCESS' ? record.output : null
    const value = output === null ? undefined : await payloads.value(output)
    return { output: () => (value === undefined ? refuse() : value) }
  }
  const error = record === undefined ? null : (record.error ?? (await lastError(store, record)))
  return { error: () => (error === null ? refuse() : seenError(error)) }
}

/** Of the attempts of a step that went well in the end. */
async function lastError(store: Store, { id, runId }: InvocationRecord): Promise<ErrorRecord | null> {
  const partition = store.info.partitions[0] ?? 0
  const attempts = await store.load(partition, 'attempts', { runId, invocationId: id })
  return attempts.findLast(({ error }) => error !== null)?.error ?? null
}

interface SeenFrom {
  readonly place: Place
  readonly host: ScopeHost
  readonly payloads: PayloadStore
  readonly end: Pick<ExpressionScope, 'output' | 'error'>
}

/** What expressions see there. What nobody knows yet isn't null: asking for it says so. */
function seenFrom({ place, host, payloads, end }: SeenFrom): ExpressionScope {
  const { run, node, recordOf, workflow, path, isReal, called } = place
  const input = arrivedAt(place)
  const record = { attempt: recordOf(node.id)?.attempt ?? 1, wait: null }
  const turn = path === '' ? null : { index: placeOf(path).index, value: levelInput(place) }
  const scope = scopeOf(
    { payloads, host },
    {
      run,
      record,
      input: input ?? nothing,
      variables: workflow.variables,
      recordOf,
      around: turn,
      node,
      called,
    },
  )
  const around = async (root: 'item' | 'loop') => {
    const value = (await scope.around?.(root)) ?? null
    return root === 'item' && value === null ? endedItem(place, payloads) : value
  }
  return {
    input: () => (input === null ? refuse() : scope.input()),
    nodes: async (ids) => {
      const known = await scope.nodes(ids)
      return ids.length > 0 && Object.keys(known).length === 0 ? refuse() : known
    },
    run: () => (isReal ? scope.run() : refuse()),
    // Outside of maps and loops those names mean nothing, and nobody waits for them.
    ...(node.container === null ? {} : { around }),
    vars: scope.vars,
    now: scope.now,
    seed: scope.seed,
    ...end,
  }
}

function refuse(): never {
  throw new NoDataYet()
}

const nothing: NodeInput = { kind: 'single', payload: inline(null) }

const levelInput = ({ run, path, recordById }: Place) => scopeInputOf({ run, kept: null }, path, recordById)

/** What arrived at the node; null while nothing has. */
function arrivedAt(place: Place): NodeInput | null {
  const { node, recordOf, isReal, path } = place
  const isTaken = (from: string): boolean => recordOf(from)?.status === 'SUCCESS'
  if (node.waysIn.length === 0) {
    // The first step of a body gets its item, the first of all the run's input.
    if (path !== '' || isReal) return levelInput(place)
    return null
  }
  if (!node.waysIn.some(({ from }) => isTaken(from.id))) return null
  return nodeInput(
    {
      scopeInput: levelInput(place),
      arrived: null,
      isTaken: (edge) => isTaken(edge.from.id),
      record: (from) => recordOf(from.id),
    },
    node,
  )
}

/** The item of a map that has ended: it keeps the list that it was called with. */
async function endedItem(place: Place, payloads: PayloadStore): Promise<JsonValue> {
  if (place.path === '') return refuse()
  const { container, parent, index } = placeOf(place.path)
  const record = place.recordById(forwardId({ run: place.run, kept: null }, container, parent))
  const called: JsonValue =
    record === undefined || record.input === null ? null : await payloads.value(record.input)
  const items = isJsonObject(called) && isPlain(called) ? called['items'] : null
  return Array.isArray(items) && index < items.length ? (items[index] ?? null) : refuse()
}

/** Batches are made of the items: then an item is none of the list. */
const isPlain = ({ batchSize }: JsonObject): boolean => batchSize === undefined || batchSize === 1

/** Never stored: its size doesn't matter. */
function inline(value: JsonValue): Payload {
  return { kind: 'inline', json: JSON.stringify(value) }
}
