/** What of the shown run is seen while its rollback is still being shown, followed. */

import { useStore } from 'zustand'
import { useDesigner, useRuns } from './context.ts'
import type { RewindMark } from './rewind.ts'
import { rewindMark, shownDone, trailOf } from './rewind.ts'
import { rollbackOf } from './rollback.ts'
import { nodesAt } from './run-model.ts'
import type { OpenRun } from './runs-store.ts'
import { shownModel, shownUntil } from './runs-store.ts'
import { placeOf } from './turns.ts'

/** How much of a run's way back is shown; in its past, the playhead says how far it has come. */
export const revealedOf = (current: OpenRun, revealed: number): number =>
  Number.isFinite(shownUntil(current)) ? Number.POSITIVE_INFINITY : revealed

type Plain = string | number | boolean | null

/**
 * A value of the shown run and of how much of its way back is shown. It is a plain one, so that what sees it is
 * drawn again only when it differs.
 */
function useRewound<T extends Plain>(select: (current: OpenRun, revealed: number) => T, none: T): T {
  const designer = useDesigner()
  const selectAt = (current: OpenRun | null, revealed: number): T =>
    current === null ? none : select(current, revealedOf(current, revealed))
  useStore(designer.rewind, ({ revealed }) => selectAt(designer.runs.getState().current, revealed))
  return useRuns(({ current }) => selectAt(current, designer.rewind.getState().revealed))
}

/** Where the movement stands at a node, in the turn that is looked at. */
export function useRewindMark(id: string): RewindMark {
  const designer = useDesigner()
  return useRewound<RewindMark>((current, revealed) => {
    const model = shownModel(current)
    const { turns } = designer.view.getState()
    const record = nodesAt(model, turns).get(id)?.invocation ?? null
    return record === null ? 'none' : rewindMark(model, placeOf(id, record.path), revealed)
  }, 'none')
}

/** How many of the undone steps are shown as such. */
export function useShownDone(): number {
  return useRewound((current, revealed) => shownDone(shownModel(current), revealed), 0)
}

/** Whether something of a way back is still to come, or to be shown. */
export function useIsRewinding(): boolean {
  return useRewound((current, revealed) => {
    const model = shownModel(current)
    const rollback = rollbackOf(model)
    return rollback !== null && (rollback.status === 'COMPENSATING' || revealed < trailOf(model).length)
  }, false)
}
