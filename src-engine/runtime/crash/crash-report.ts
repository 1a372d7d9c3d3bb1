/** What became of a crash that somebody asked for, read from the history of the run alone. */

import { crashCauses } from '../../core/control/note-crash.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, RunnerId } from '../../model/ids.ts'
import { runnerId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { SideEffectClass } from '../../model/workflow.ts'
import type { CrashedEffect, CrashedStep, CrashMoment, CrashReport } from '../../protocol/crash.ts'
import { crashMoments } from '../../protocol/crash.ts'

/** Of a step of the run's version. */
export type SideEffectOf = (record: Pick<InvocationRecord, 'nodeId'>) => SideEffectClass

interface Wish {
  readonly moment: CrashMoment
  readonly askedAt: number
  readonly by: string | null
}

/** All events of the run, in their order; null where nobody asked for a crash. The newest one counts. */
export function crashReportOf(
  events: readonly EngineEvent[],
  sideEffectOf: SideEffectOf,
): CrashReport | null {
  const reader = new CrashReader(sideEffectOf)
  for (const event of events) reader.read(event)
  return reader.report()
}

class CrashReader {
  readonly #sideEffectOf: SideEffectOf
  readonly #records = new Map<InvocationId, InvocationRecord>()
  #wish: Wish | null = null
  #dead: RunnerId | null = null
  #diedAt: number | null = null
  #hasMissed = false
  #keptCount = 0
  /** What was taken from any owner since the wish: who died is told last, perhaps. */
  #taken = new Map<InvocationId, { readonly from: RunnerId; readonly step: CrashedStep }>()

  constructor(sideEffectOf: SideEffectOf) {
    this.#sideEffectOf = sideEffectOf
  }

  read(event: EngineEvent): void {
    const { cause, body, at } = event
    if (cause.kind === crashCauses.asked)
      this.#begin({ moment: momentOf(cause.detail), askedAt: at, by: cause.by })
    else if (cause.kind === crashCauses.missed) this.#hasMissed = true
    else if (cause.kind === crashCauses.died && cause.by !== null) {
      this.#dead = runnerId(cause.by)
      this.#diedAt = Number(cause.detail)
    }
    if (body.type === 'invocation.registered') this.#records.set(body.invocation.id, body.invocation)
    if (body.type === 'invocation.changed' && event.invocationId !== null) this.#change(event, body)
  }

  #begin(wish: Wish): void {
    this.#wish = wish
    this.#dead = null
    this.#diedAt = null
    this.#hasMissed = false
    this.#taken = new Map()
    this.#keptCount = [...this.#records.values()].filter(({ status }) => status === 'SUCCESS').length
  }

  #change(
    event: EngineEvent,
    body: Extract<EngineEvent['body'], { readonly type: 'invocation.changed' }>,
  ): void {
    const { invocationId: id, at } = event
    const before = id === null ? undefined : this.#records.get(id)
    if (id === null || before === undefined) return
    const after = { ...before, ...body.set, status: body.to }
    this.#records.set(id, after)
    const isTaken = body.to === 'RUNNING_RECOVERY' || body.to === 'PENDING_RECOVERY'
    if (isTaken && before.lease !== null && this.#wish !== null) {
      const { fence, runnerId: from } = before.lease
      this.#taken.set(id, {
        from,
        step: {
          invocationId: id,
          nodeId: after.nodeId,
          path: after.path,
          sideEffect: this.#sideEffectOf(after),
          effect: 'none',
          fenced: fence,
          takenAt: at,
          takenBy: null,
          state: 'waiting',
          endedAt: null,
          ...(body.to === 'RUNNING_RECOVERY' ? { effect: effectOf(this.#sideEffectOf(after)) } : {}),
        },
      })
      return
    }
    const taken = this.#taken.get(id)
    if (taken !== undefined && taken.step.endedAt === null)
      this.#taken.set(id, { ...taken, step: goneOn(taken.step, after, at) })
  }

  report(): CrashReport | null {
    const wish = this.#wish
    if (wish === null) return null
    const steps = [...this.#taken.values()].filter(({ from }) => from === this.#dead).map(({ step }) => step)
    const isSettled = steps.every(({ state }) => state !== 'waiting' && state !== 'again')
    return {
      ...wish,
      runnerId: this.#dead,
      diedAt: this.#diedAt,
      state:
        this.#dead === null
          ? this.#hasMissed
            ? 'missed'
            : 'armed'
          : isSettled && steps.length > 0
            ? 'recovered'
            : 'lost',
      steps,
      keptCount: this.#keptCount,
      takeoverMs: this.#since(steps.map((step) => (step.state === 'waiting' ? null : step.takenAt))),
      recoveryMs: this.#since(
        steps.map((step) => step.endedAt ?? (step.state === 'person' ? step.takenAt : null)),
      ),
    }
  }

  /** From the death to the last of the instants; null while one isn't known. */
  #since(instants: readonly (number | null)[]): number | null {
    const known = instants.filter((at) => at !== null)
    if (this.#diedAt === null || known.length === 0 || known.length < instants.length) return null
    return Math.max(0, Math.max(...known) - this.#diedAt)
  }
}

/** The wish was checked when it was written. */
const momentOf = (detail: string | null): CrashMoment =>
  crashMoments.find((moment) => moment === detail) ?? 'now'

/** Of a step that had begun, should it begin again. */
function effectOf(sideEffect: SideEffectClass): CrashedEffect {
  if (sideEffect === 'pure') return 'none'
  return sideEffect === 'unsafe' ? 'doubled' : sideEffect
}

function goneOn(step: CrashedStep, after: InvocationRecord, at: number): CrashedStep {
  if (after.status === 'APPROVAL_REQUIRED') return { ...step, state: 'person', effect: 'asked' }
  if (after.status === 'PENDING' || after.status === 'RUNNING') {
    return { ...step, state: 'again', takenBy: after.lease?.runnerId ?? step.takenBy }
  }
  if (!invocationMachine.final.has(after.status)) return step
  const gaveUp = after.error?.code === 'worker_lost'
  // It ended without having begun again: what was begun may have been done, once.
  const effect = step.takenBy === null && step.effect === 'doubled' ? 'asked' : step.effect
  return { ...step, state: gaveUp ? 'given-up' : 'done', effect, endedAt: at }
}
