/**
 * The rollback as a movement: backwards over what was done, the last step first. What it is past is known from
 * the run's records; how much of that is shown already is the view's own matter. Pure.
 */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { undoPhaseOf } from '../canvas/undo-look.ts'
import { isRolledBack } from './rolled-back.ts'
import type { RunModel } from './run-model.ts'
import { undosByPlace } from './run-model.ts'
import { placeOf } from './turns.ts'

/** How the movement stands to a step. */
export type RewindMark =
  /** It has nothing to do with it. */
  | 'none'
  /** What went wrong there made the run go back. */
  | 'origin'
  /** The records say that it is past; it is still to be shown. */
  | 'ahead'
  /** The one that is shown next. */
  | 'next'
  | 'passed'

/** The places that a rollback has moved over, in its order. */
export function trailOf(model: RunModel): readonly string[] {
  return pathOf(model).trail
}

/** Where the movement stands at a place, when so many of its steps are shown. */
export function rewindMark(model: RunModel, place: string, revealed: number): RewindMark {
  const { indexes, origins } = pathOf(model)
  const index = indexes.get(place)
  if (index === undefined) return origins.has(place) ? 'origin' : 'none'
  return index < revealed ? 'passed' : index === revealed ? 'next' : 'ahead'
}

interface Path {
  readonly trail: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
  readonly origins: ReadonlySet<string>
}

const noPath: Path = { trail: [], indexes: new Map(), origins: new Set() }
const pathByModel = new WeakMap<RunModel, Path>()

/** Every card and edge asks: it is found out once for each state of the run. */
function pathOf(model: RunModel): Path {
  const known = pathByModel.get(model)
  if (known !== undefined) return known
  const path = findPath(model)
  pathByModel.set(model, path)
  return path
}

const ends: ReadonlySet<InvocationStatus> = new Set(['FAILED', 'TIMEOUT', 'DENIED', 'OUTPUT_QUARANTINED'])

function findPath({ replay }: RunModel): Path {
  const { run } = replay
  if (run === null || !isRolledBack(run.status)) return noPath
  const undos = undosByPlace(replay)
  const newest = new Map<string, InvocationRecord>()
  for (const record of replay.invocations.values()) {
    if (record.role !== 'forward') continue
    const place = placeOf(record.nodeId, record.path)
    if (record.generation >= (newest.get(place)?.generation ?? 0)) newest.set(place, record)
  }
  const done = [...newest].filter(([place, record]) => wasDone(record) || undos.has(place))
  const order = done.toSorted(([, left], [, right]) => (right.finishedAt ?? 0) - (left.finishedAt ?? 0))
  const trail: string[] = []
  let past = 0
  for (const [place] of order) {
    const undo = undos.get(place)
    const phase = undo === undefined ? null : undoPhaseOf(undo)
    if (phase !== null && phase !== 'done' && phase !== 'left') break
    trail.push(place)
    // Steps that nothing undoes are passed on the way to one that is.
    if (phase !== null) past = trail.length
  }
  if (run.status !== 'COMPENSATED') trail.length = past
  const origins = new Set(
    [...newest].flatMap(([place, { status, ports }]) => (ends.has(status) && ports === null ? [place] : [])),
  )
  return { trail, indexes: new Map(trail.map((place, index) => [place, index])), origins }
}

/** Whether ink leads on from it. */
const wasDone = ({ status, ports, finishedAt }: InvocationRecord): boolean =>
  finishedAt !== null && (status === 'SUCCESS' || ports !== null)

/** How many of the undone steps are shown as such. */
export function shownDone(model: RunModel, revealed: number): number {
  const { trail } = pathOf(model)
  const hidden = new Set(trail.slice(Math.min(revealed, trail.length)))
  const done = [...undosByPlace(model.replay)].filter(
    ([place, undo]) => undoPhaseOf(undo) === 'done' && !hidden.has(place),
  )
  return done.length
}

/** How long one step of the movement is shown; a long way back takes no longer than people look at it. */
export const revealMs = (steps: number): number => Math.min(520, Math.max(50, Math.round(5_200 / steps)))
