/** Work that is under way in this process, by invocation: how to stop it and why it was stopped. */

import type { Fence } from '../model/fence.ts'
import type { InvocationId, RunId } from '../model/ids.ts'

/** Why running work is told to stop. The first reason given counts. */
export type StopReason = 'cancel' | 'timeout' | 'lost' | 'stop'

export interface Execution {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly fence: Fence
  readonly signal: AbortSignal
  readonly stopReason: () => StopReason | null
  readonly stop: (reason: StopReason) => void
}

export interface Executions {
  readonly open: (work: {
    readonly runId: RunId
    readonly invocationId: InvocationId
    readonly fence: Fence
  }) => Execution
  readonly close: (execution: Execution) => void
  readonly get: (id: InvocationId) => Execution | undefined
  readonly all: () => readonly Execution[]
}

export function createExecutions(): Executions {
  const byId = new Map<InvocationId, Execution>()
  return {
    open: (work) => {
      const execution = createExecution(work)
      byId.set(work.invocationId, execution)
      return execution
    },
    close: (execution) => {
      if (byId.get(execution.invocationId) === execution) byId.delete(execution.invocationId)
    },
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
  }
}

function createExecution(work: Pick<Execution, 'runId' | 'invocationId' | 'fence'>): Execution {
  const controller = new AbortController()
  let reason: StopReason | null = null
  return {
    ...work,
    signal: controller.signal,
    stopReason: () => reason,
    stop: (given) => {
      if (reason !== null) return
      reason = given
      controller.abort(given)
    },
  }
}
