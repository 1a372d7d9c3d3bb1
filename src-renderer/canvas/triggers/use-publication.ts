/** Whether what is on the canvas is what acts. */

import { useTriggers } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { cardIds, lookOf } from './trigger-look.ts'

/** `triggers`: some are not as they were published. `workflow`: they are, but what they start isn't. */
export type Publication = 'triggers' | 'workflow' | 'done'

const unlike: readonly string[] = ['unpublished', 'changed', 'gone']

/** Followed. */
export function usePublication(): Publication {
  const known = useShownDocument(({ triggers }) => triggers)
  const views = useTriggers((state) => state.views)
  const isBehind = useTriggers((state) => state.isAsPublished === false)
  const ids = cardIds(known, views)
  if (ids.some((id) => unlike.includes(lookOf(id, known?.[id] ?? null, views).standing))) return 'triggers'
  return isBehind && ids.length > 0 ? 'workflow' : 'done'
}
