/** Whether the card of the rollback is on the canvas: it says what the banner and the panel would say, and they give way. */

import { useStore } from 'zustand'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import { rollbackOf } from '../../state/rollback.ts'
import { shownModel } from '../../state/runs-store.ts'

/** Followed. */
export function useHasRewindCard(): boolean {
  const isClosed = useStore(useDesigner().rewind, (state) => state.isCardClosed)
  const isPanelOpen = useView(({ panels }) => panels.isBottomOpen && panels.bottomTab === 'rollback')
  const hasGoneBack = useRuns(({ current }) => current !== null && rollbackOf(shownModel(current)) !== null)
  return hasGoneBack && !isClosed && !isPanelOpen
}
