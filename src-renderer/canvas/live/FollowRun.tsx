/** Keeps what is at work in view while a run goes on; the first move of the view by hand ends that. */

import { LocateFixed } from 'lucide-react'
import { useEffect } from 'react'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import type { OpenRun } from '../../state/runs-store.ts'
import { isStoppable, shownModel } from '../../state/runs-store.ts'
import { instrumentWords as words } from '../../text/instrument-words.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Instruments.module.css'

/** Steps that pass by faster than this don't move the view. */
const restMs = 350

export function FollowRun() {
  const designer = useDesigner()
  const isFollowing = useView((state) => state.isFollowing)
  const isGoingOn = useRuns(({ current }) => isStoppable(current))
  const newest = useRuns(({ current }) => (isFollowing && current !== null ? newestAtWork(current) : null))
  useEffect(() => {
    if (!isFollowing || !isGoingOn || newest === null) return undefined
    return designer.ambient.after(restMs, () => designer.canvas.current?.reveal(newest))
  }, [designer, isFollowing, isGoingOn, newest])
  if (!isFollowing || !isGoingOn) return null
  return (
    <span className={styles['pill']}>
      <Button
        isSmall
        icon={LocateFixed}
        testId="following"
        title={words.stopFollowing}
        aria-pressed
        onClick={() => designer.view.getState().setFollowing(false)}
      >
        {words.following}
      </Button>
    </span>
  )
}

/** The step that began last of those at work. */
function newestAtWork(current: OpenRun): string | null {
  let found: { readonly id: string; readonly at: number } | null = null
  for (const [id, { invocation }] of shownModel(current).nodes) {
    if (invocation === null || invocation.lease === null) continue
    const at = invocation.startedAt ?? invocation.registeredAt
    if (found === null || at >= found.at) found = { id, at }
  }
  return found?.id ?? null
}
