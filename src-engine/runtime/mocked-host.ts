/**
 * Task kinds with mocks in front of them: for tests and dry runs. What has an effect outside, or takes its
 * time, is answered for; everything else runs as it is.
 */

import type { ErrorCode } from '../model/error-codes.ts'
import { errorCatalogue } from '../model/error-codes.ts'
import { SagasmithError } from '../model/errors.ts'
import type { NodeId, RunId } from '../model/ids.ts'
import { stepPlaceOf } from '../model/ids.ts'
import type { NodeMock, WorkflowDocument } from '../model/workflow.ts'
import type { TaskMock } from '../tasks/mock.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../tasks/task.ts'
import { completed } from '../tasks/task.ts'
import { unlimitedSpecs } from './permits/unlimited-specs.ts'
import type { TaskHost } from './task-host.ts'
import { referencesOnly } from './vault/attempt-secrets.ts'

/** A step that was answered for. */
export interface MockedStep {
  readonly runId: RunId
  readonly nodeId: NodeId
  readonly kind: string
  /** Whether its node says what it gives, or its kind does. */
  readonly source: 'node' | 'kind'
}

/** By the invocation's place in its run (`stepPlaceOf`), or by node. */
export type NodeMocks = ReadonlyMap<string, NodeMock>

export interface Mocking {
  /** What steps give, before anything else; as a function where runs of several workflows are mocked. */
  readonly nodes: NodeMocks | ((runId: RunId) => Promise<NodeMocks>)
  /** Whether kinds are mocked of which no node says what they give. */
  readonly kinds: ReadonlyMap<string, TaskMock<unknown>> | null
  readonly told: (step: MockedStep) => void
}

/** The mocks that a document's nodes have: those of the named set, else the first one of each node. */
export function nodeMocksOf(document: WorkflowDocument, set: string | null): NodeMocks {
  const mocks = new Map<string, NodeMock>()
  for (const [id, node] of Object.entries(document.nodes)) {
    const own = node.mocks ?? {}
    const chosen = set === null ? Object.values(own)[0] : own[set]
    if (chosen !== undefined) mocks.set(id, chosen)
  }
  return mocks
}

/** The host with mocks in front of it. A kind with effects and no mock is refused with `mock_missing`. */
export function mockedHost(host: TaskHost, mocking: Mocking): TaskHost {
  return {
    ...host,
    // What is answered for needs no value of a secret.
    ...(mocking.kinds === null
      ? {}
      : {
          secrets: referencesOnly,
          specsByKind: unlimitedSpecs(host.specsByKind),
          callbacks: { urlOf: async (id) => `https://callbacks.invalid/${encodeURIComponent(id)}` },
        }),
    runOf: (kind) => {
      const run = host.runOf(kind)
      return run === null ? null : mocked(host, mocking, { kind, run })
    },
  }
}

function mocked(
  host: TaskHost,
  { nodes, kinds, told }: Mocking,
  real: { readonly kind: string; readonly run: TaskRun<unknown> },
): TaskRun<unknown> {
  const { kind, run } = real
  const ofKind = kinds?.get(kind)
  const hasEffect = (host.specsByKind.get(kind)?.sideEffect ?? 'unsafe') !== 'pure'
  return {
    execute: async (parameters, context) => {
      const { runId, nodeId, invocationId } = context
      const known = typeof nodes === 'function' ? await nodes(runId) : nodes
      const ofNode = known.get(stepPlaceOf(invocationId)) ?? known.get(nodeId)
      if (ofNode !== undefined) {
        told({ runId, nodeId, kind, source: 'node' })
        return nodeAnswer(ofNode, context)
      }
      if (ofKind !== undefined) {
        const answer = ofKind(parameters, context)
        if (answer === null) return run.execute(parameters, context)
        told({ runId, nodeId, kind, source: 'kind' })
        return answer
      }
      if (kinds === null || !hasEffect) return run.execute(parameters, context)
      throw new SagasmithError('mock_missing', {
        message: `“${nodeId}” would touch the outside, and neither it nor its kind “${kind}” has a mock.`,
        details: { nodeId, kind },
      })
    },
  }
}

/** What the node says that it gives. */
export async function nodeAnswer(mock: NodeMock, context: TaskContext): Promise<TaskOutcome> {
  const { output, port, error, delayMs } = mock
  context.log({ level: 'info', stream: 'task', text: 'Mocked: it gives what its node says.' })
  if (delayMs !== undefined) await pause(context, delayMs)
  if (error !== undefined) {
    const { code, message } = error
    // One of the engine's own kinds is that kind, with all that follows from it: retries, ports, the saga.
    if (code in errorCatalogue) throw new SagasmithError(code as ErrorCode, { message })
    throw new SagasmithError('task_failed', { message, details: { mockedCode: code } })
  }
  return completed(output ?? context.input, port === undefined ? null : [port])
}

function pause({ clock, signal }: TaskContext, span: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(span, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      reject(new SagasmithError('task_cancelled'))
    })
  })
}
