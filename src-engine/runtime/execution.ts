/** Work that is under way in this process, by invocation: how to stop it and why it was stopped. */

import type { Fence } from '../model/fence.ts'
import { sameFence } from '../model/fence.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { PassingMap } from '../model/passing-map.ts'
import { assert } from '../model/result.ts'
import type { Instant } from '../model/time.ts'
import type { Pausable } from '../tasks/task.ts'

/**
 * Why running work is told to stop. The first reason given counts. `pause` only before its task was called:
 * then it is handed back, and set aside.
 */
export type StopReason = 'cancel' | 'timeout' | 'lost' | 'stop' | 'pause'

/**
 * What is known of the commit that claims the work. What runs ahead of it has no lease that the store knows of; where
 * it was refused, nothing of the work is recorded.
 */
export type ClaimStanding = 'sent' | 'durable' | 'refused'

/** How near an attempt is to its task. */
export type Progress = 'opened' | 'preparing' | 'begun'

export interface Execution {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly fence: Fence
  readonly claim: () => ClaimStanding
  /** What became of the commit that claims it. */
  readonly settleClaim: (standing: Exclude<ClaimStanding, 'sent'>) => void
  /** Aborted when the work is told to stop; made when it is first asked for. */
  readonly signal: AbortSignal
  readonly stopReason: () => StopReason | null
  readonly stop: (reason: StopReason) => void
  /** Calls when it is stopped, or at once when it was; the latest call given counts. */
  readonly onStop: (call: () => void) => void
  /** What the task needs takes a moment: until it is there, a pause has the task not begin. */
  readonly prepare: () => void
  /** The task is called from here on: it may have an effect, and only a program stands still. */
  readonly begin: () => void
  readonly progress: () => Progress
  /** The task's program can stand still; null once it can't any more. */
  readonly setPausable: (program: Pausable | null) => void
  /** What can stand still; null for most work. */
  readonly pausable: () => Pausable | null
  /** When the attempt's time is over; null while it has no bound or stands still. */
  readonly deadlineAt: () => Instant | null
  readonly setDeadline: (at: Instant | null) => void
  /** Calls with each deadline that is set from now on. */
  readonly onDeadline: (call: (at: Instant | null) => void) => void
}

export interface Executions {
  readonly open: (work: {
    readonly runId: RunId
    readonly invocationId: InvocationId
    readonly fence: Fence
    /** It runs ahead of the commit that claims it. */
    readonly ahead?: boolean
  }) => Execution
  readonly close: (execution: Execution) => void
  readonly get: (id: InvocationId) => Execution | undefined
  /**
   * Whether whoever asks may open this work, which was found with nobody at it: false once somebody is, or was told
   * so before. Fences are given once, so each is taken up once, however many find it.
   */
  readonly takeUp: (work: { readonly invocationId: InvocationId; readonly fence: Fence }) => boolean
  readonly all: () => readonly Execution[]
  /** Those whose leases the store knows of: what runs ahead of its claim would be told that it lost it. */
  readonly claimed: () => readonly Execution[]
  /** Those that can stand still, or whose task is about to be called: almost always none. */
  readonly pausable: () => ReadonlySet<Execution>
  /** Calls when something has begun that can stand still. */
  readonly onPausable: (call: (execution: Execution) => void) => void
}

/** `onClosed` is called when work has ended, whichever way. */
export function createExecutions(onClosed: (id: InvocationId) => void = () => {}): Executions {
  const byId = new PassingMap<InvocationId, Execution>()
  const pausable = new Set<Execution>()
  /** Taken up and not opened yet; almost always none. */
  const takenUp = new Map<InvocationId, Fence>()
  let began: (execution: Execution) => void = () => {}
  const changed = (execution: Execution): void => {
    const isPausable = execution.pausable() !== null
    if (!isPausable && execution.progress() !== 'preparing') pausable.delete(execution)
    else if (byId.get(execution.invocationId) === execution) {
      pausable.add(execution)
      if (isPausable) began(execution)
    }
  }
  return {
    pausable: () => pausable,
    onPausable: (call) => {
      began = call
    },
    open: (work) => {
      const execution = new OwnedExecution(work, changed)
      byId.set(work.invocationId, execution)
      if (takenUp.size > 0) takenUp.delete(work.invocationId)
      return execution
    },
    close: (execution) => {
      pausable.delete(execution)
      if (byId.get(execution.invocationId) !== execution) return
      byId.delete(execution.invocationId)
      onClosed(execution.invocationId)
    },
    get: (id) => byId.get(id),
    takeUp: ({ invocationId, fence }) => {
      const before = takenUp.get(invocationId)
      if (byId.has(invocationId) || (before !== undefined && sameFence(before, fence))) return false
      takenUp.set(invocationId, fence)
      return true
    },
    all: () => [...byId.values()],
    claimed: () => [...byId.values()].filter((execution) => execution.claim() === 'durable'),
  }
}

/** Opens the work of a decision that started it; `ahead` of the commit that claims it, or after. */
export function openStarted(
  executions: Pick<Executions, 'open'>,
  { id: invocationId, runId, lease }: InvocationRecord,
  ahead: boolean,
): Execution {
  assert(lease !== null, 'started work is owned')
  return executions.open({ runId, invocationId, fence: lease.fence, ahead })
}

class OwnedExecution implements Execution {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly fence: Fence
  #claim: ClaimStanding
  #reason: StopReason | null = null
  #controller: AbortController | null = null
  #listener: (() => void) | null = null
  #pausable: Pausable | null = null
  readonly #onPausable: (execution: Execution) => void
  #progress: Progress = 'opened'
  #deadlineAt: Instant | null = null
  #deadlineListener: ((at: Instant | null) => void) | null = null

  constructor(
    work: Pick<Execution, 'runId' | 'invocationId' | 'fence'> & { readonly ahead?: boolean },
    onPausable: (execution: Execution) => void,
  ) {
    this.#onPausable = onPausable
    this.runId = work.runId
    this.invocationId = work.invocationId
    this.fence = work.fence
    this.#claim = work.ahead === true ? 'sent' : 'durable'
  }

  claim(): ClaimStanding {
    return this.#claim
  }

  settleClaim(standing: Exclude<ClaimStanding, 'sent'>): void {
    this.#claim = standing
    if (standing === 'refused') this.stop('lost')
  }

  // Most steps end before anybody looks at it, and it is costly to make.
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#reason !== null) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  stopReason(): StopReason | null {
    return this.#reason
  }

  stop(reason: StopReason): void {
    if (this.#reason !== null) return
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.()
  }

  onStop(call: () => void): void {
    this.#listener = call
    if (this.#reason !== null) call()
  }

  prepare(): void {
    this.#progress = 'preparing'
    this.#onPausable(this)
  }

  begin(): void {
    const wasPrepared = this.#progress === 'preparing'
    this.#progress = 'begun'
    if (wasPrepared) this.#onPausable(this)
  }

  progress(): Progress {
    return this.#progress
  }

  setPausable(program: Pausable | null): void {
    this.#pausable = program
    this.#onPausable(this)
  }

  pausable(): Pausable | null {
    return this.#pausable
  }

  deadlineAt(): Instant | null {
    return this.#deadlineAt
  }

  setDeadline(at: Instant | null): void {
    this.#deadlineAt = at
    this.#deadlineListener?.(at)
  }

  onDeadline(call: (at: Instant | null) => void): void {
    this.#deadlineListener = call
  }
}
