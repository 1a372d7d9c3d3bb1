/** The tasks of a rehearsal: everything outside is answered for, and one step does what its cell says. */

import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId, NodeId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { TaskCategory } from '../../model/task-spec.ts'
import type { FailureMode } from '../../protocol/rehearsal.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../../tasks/task.ts'
import type { Mocking } from '../mocked-host.ts'
import { mockedHost } from '../mocked-host.ts'
import type { TaskHost } from '../task-host.ts'
import type { SkippedTime } from './skipped-time.ts'

/** What goes wrong in a cell; null where nothing does. */
export interface Mishap {
  readonly nodeId: NodeId
  readonly mode: FailureMode
  /** For `undo-fails`: the step whose failure starts the rollback. */
  readonly because: NodeId | null
}

/** What a cell's tasks know and tell. */
export interface Scene {
  readonly mishap: Mishap | null
  /** The rehearsed run: runs that its steps start go well. */
  readonly runId: () => RunId | null
  /** The step is executed now. */
  readonly came: (nodeId: NodeId) => void
  /** Whether the step's worker is to die now; dies at most once. */
  readonly dies: () => boolean
}

const never = new Promise<never>(() => {})

/** Their programs and files take real time, which is not skipped; all others only wait. */
const worksForReal: ReadonlySet<TaskCategory> = new Set(['code', 'files'])

/** The host of one process of a cell. */
export function rehearsedHost(host: TaskHost, mocking: Mocking, at: Scene & { time: SkippedTime }): TaskHost {
  const { time } = at
  const waitedFor: TaskHost = {
    ...host,
    resolver: {
      resolveParameters: (request) => {
        const resolved = host.resolver.resolveParameters(request)
        return resolved instanceof Promise ? time.during(() => resolved as Promise<unknown>) : resolved
      },
    },
    runOf: (kind) => {
      const run = host.runOf(kind)
      if (run === null || !worksForReal.has(host.specsByKind.get(kind)?.category ?? 'code')) return run
      return {
        execute: (given, context) =>
          time.during(() => run.execute(given, Object.create(context, { clock: { value: time.real } }))),
      }
    },
  }
  const mocked = mockedHost(waitedFor, mocking)
  return {
    ...mocked,
    runOf: (kind) => {
      const run = mocked.runOf(kind)
      return run === null ? null : { execute: (given, context) => execute(run, given, { context, at }) }
    },
  }
}

function execute(
  run: TaskRun<unknown>,
  parameters: unknown,
  { context, at }: { readonly context: TaskContext; readonly at: Scene },
): TaskOutcome | Promise<TaskOutcome> {
  const { nodeId, invocationId } = context
  const isRehearsed = runIdOf(invocationId) === at.runId()
  const { mishap } = at
  if (!isRehearsed) return run.execute(parameters, context)
  const undoes = isUndo(invocationId)
  if (!undoes) at.came(nodeId)
  if (mishap === null) return run.execute(parameters, context)
  if (mishap.mode === 'undo-fails') {
    if (undoes ? nodeId === mishap.nodeId : nodeId === mishap.because) throw failure(nodeId)
    return run.execute(parameters, context)
  }
  if (undoes || nodeId !== mishap.nodeId) return run.execute(parameters, context)
  return goWrong(run, parameters, { context, at, mode: mishap.mode })
}

function goWrong(
  run: TaskRun<unknown>,
  parameters: unknown,
  given: { readonly context: TaskContext; readonly at: Scene; readonly mode: FailureMode },
): TaskOutcome | Promise<TaskOutcome> {
  const { context, at, mode } = given
  if (mode === 'fails') throw failure(context.nodeId)
  if (mode === 'times-out') return untilAborted(context.signal)
  const outcome = run.execute(parameters, context)
  if (!at.dies()) return outcome
  // The effect has happened, its result is lost with the worker, and so is what it may fail with.
  if (outcome instanceof Promise) outcome.catch(() => undefined)
  return never
}

const failure = (nodeId: NodeId): SagasmithError =>
  new SagasmithError('task_failed', { message: `“${nodeId}” fails in this rehearsal.` })

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new SagasmithError('task_cancelled'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Whether the invocation undoes a step. */
const isUndo = (id: InvocationId): boolean => /~undo\d*$/.test(id)
