/** How many cards stand at the canvas' edge. */

import { useTriggers } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { cardIds } from './trigger-look.ts'

/** Followed. */
export function useEdgeCount(): number {
  const isReadOnly = useReadOnly()
  const known = useShownDocument(({ triggers }) => triggers)
  const views = useTriggers((state) => state.views)
  return cardIds(known, isReadOnly ? null : views).length
}
