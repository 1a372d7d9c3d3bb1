/** How far undoing a run has come, told by its events. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { SagaEffect } from '../../src-engine/model/saga-coverage.ts'
import type { UndoPhase } from '../canvas/undo-look.ts'
import { undoPhaseOf } from '../canvas/undo-look.ts'
import { isRolledBack } from './rolled-back.ts'
import type { RunModel } from './run-model.ts'
import { undosByPlace } from './run-model.ts'
import { placeOf } from './turns.ts'

export interface Rollback {
  readonly status: RunRecord['status']
  /** What could be undone. */
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Passed over, or not allowed. */
  readonly left: number
}

/** Null for a run that is not being undone, and never was. Pure. */
export function rollbackOf({ replay }: RunModel): Rollback | null {
  const { run } = replay
  if (run === null || !isRolledBack(run.status)) return null
  const phases = [...undosByPlace(replay).values()].map(undoPhaseOf)
  const count = (phase: ReturnType<typeof undoPhaseOf>): number =>
    phases.filter((one) => one === phase).length
  return {
    status: run.status,
    total: phases.length,
    done: count('done'),
    failed: count('failed'),
    left: count('left'),
  }
}

/** How many steps of an ended run could be undone by hand; 0 while it is none of those. Pure. */
export function undoableOf({ replay }: RunModel): number {
  const status = replay.run?.status
  const isEnded =
    status === 'SUCCEEDED' ||
    status === 'FAILED' ||
    status === 'CANCELLED' ||
    status === 'TIMED_OUT' ||
    status === 'DENIED'
  if (!isEnded) return 0
  return [...undosByPlace(replay).values()].filter((one) => undoPhaseOf(one) === 'recorded').length
}

/** One step that can be undone, as the panel lists it. */
export interface UndoEntry {
  /** Of what undoes it; the newest of several tries. */
  readonly undo: InvocationRecord
  readonly phase: UndoPhase
  /** Tries of it, those of earlier ones included. */
  readonly attempts: number
}

/** What undoes the steps of a run, in the order in which they are undone: the last that ended first. Pure. */
export function undoEntries({ replay }: RunModel): readonly UndoEntry[] {
  const records = [...replay.invocations.values()]
  const endOf = new Map<string, number>()
  for (const { role, nodeId, path, finishedAt } of records) {
    if (role === 'forward') endOf.set(placeOf(nodeId, path), finishedAt ?? 0)
  }
  const attemptsOf = Map.groupBy(
    records.filter(({ role }) => role === 'compensation'),
    ({ nodeId, path }) => placeOf(nodeId, path),
  )
  return [...undosByPlace(replay)]
    .toSorted(([left], [right]) => (endOf.get(right) ?? 0) - (endOf.get(left) ?? 0))
    .map(([place, undo]) => ({
      undo,
      phase: undoPhaseOf(undo),
      attempts: (attemptsOf.get(place) ?? []).reduce((sum, { attempt }) => sum + attempt, 0),
    }))
}

/** A step whose effect stays, and why. */
export interface Staying {
  readonly nodeId: NodeId
  readonly path: string
  /** The document's own words; null where it has none. */
  readonly reason: string | null
  readonly why: 'impossible' | 'missing' | 'failed' | 'left' | 'abandoned'
}

/** The steps that were done and stay so: for now, or for good. Pure. */
export function stayingSteps(model: RunModel, effects: readonly SagaEffect[]): readonly Staying[] {
  const { replay } = model
  // What a started run did is told by that run.
  const own = effects.filter(({ inside }) => inside.length === 0)
  const plans = new Map(own.map((effect) => [effect.nodeId, effect]))
  const undone = undosByPlace(replay)
  const isOver = replay.run !== null && runMachine.final.has(replay.run.status)
  return [...replay.invocations.values()].flatMap((record): readonly Staying[] => {
    const { role, status, nodeId, path } = record
    if (role !== 'forward' || status !== 'SUCCESS') return []
    const effect = plans.get(nodeId)
    const undo = undone.get(placeOf(nodeId, path))
    if (undo === undefined) {
      // Only what a started run does is apart.
      if (effect === undefined || effect.plan === 'undone' || effect.plan === 'apart') return []
      return [{ nodeId, path, reason: effect.reason, why: effect.plan }]
    }
    const phase = undoPhaseOf(undo)
    const reason = undo.error?.message ?? null
    if (phase === 'failed' || phase === 'left') return [{ nodeId, path, reason, why: phase }]
    const isGivenUp = replay.run?.status === 'ABANDONED' && phase !== 'done'
    return isOver && isGivenUp ? [{ nodeId, path, reason, why: 'abandoned' }] : []
  })
}
