/** What cards and ways of the canvas show of a run: at once, or of a stream of changes in turn with others. */

import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useDesigner, useView } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import type { NodeRun } from '../../state/run-model.ts'
import { nodesAt } from '../../state/run-model.ts'
import type { OpenRun } from '../../state/runs-store.ts'
import { shownModel, shownUntil } from '../../state/runs-store.ts'
import { revealedOf } from '../../state/use-rewound.ts'
import type { TurnsToShow } from './turns-to-show.ts'
import { createTurnsToShow } from './turns-to-show.ts'

/**
 * A value of the shown run, and of how much of its way back is shown. `select` has to be the same function while it selects
 * the same, and to give the same value while nothing about it changes.
 */
export function useInTurn<T>(select: (current: OpenRun | null, revealed: number) => T): T {
  const designer = useDesigner()
  const shown = useMemo(
    () =>
      turnsOf(designer).follow(() => {
        const { current } = designer.runs.getState()
        const { revealed } = designer.rewind.getState()
        return select(current, current === null ? revealed : revealedOf(current, revealed))
      }),
    [designer, select],
  )
  return useSyncExternalStore(shown.subscribe, shown.read)
}

/** What the shown run says about a card's node; null when it says nothing. */
export function useCardRun(id: string): NodeRun | null {
  const turns = useView((state) => state.turns)
  return useInTurn(
    useCallback(
      (current: OpenRun | null) =>
        current === null ? null : (nodesAt(shownModel(current), turns).get(id) ?? null),
      [id, turns],
    ),
  )
}

const turnsByDesigner = new WeakMap<Designer, TurnsToShow>()

function turnsOf(designer: Designer): TurnsToShow {
  const known = turnsByDesigner.get(designer)
  if (known !== undefined) return known
  const turns = createTurnsToShow(designer.ambient.onFrame)
  turnsByDesigner.set(designer, turns)
  designer.runs.subscribe(({ current }, before) => {
    if (current !== before.current) turns.look(isStream(current, before.current))
  })
  designer.rewind.subscribe(() => turns.look(false))
  return turns
}

/** Whether a run went on while somebody watched; what a person does to see something else is seen at once, all of it. */
export function isStream(now: OpenRun | null, before: OpenRun | null): boolean {
  if (now === null || before === null || now.runId !== before.runId || now.overlay !== before.overlay)
    return false
  const isNew = before.live.replay.run === null
  return !isNew && [now, before].every((one) => shownUntil(one) === Number.POSITIVE_INFINITY)
}
