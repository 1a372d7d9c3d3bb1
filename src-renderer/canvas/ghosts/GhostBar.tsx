/** Over the canvas while the last runs are drawn on it: how many they were, and how they ended. */

import { Ghost, X } from 'lucide-react'
import { useEffect } from 'react'
import type { Ghosts } from '../../../src-engine/model/ghosts.ts'
import { ghostRunsMax } from '../../../src-engine/model/limits.ts'
import { useDesigner, useDocument, useGhosts, useLine, useRuns } from '../../state/context.ts'
import { ghostWords as words } from '../../text/ghost-words.ts'
import { fill } from '../../text/messages.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { instantWords, spanWords } from '../../ui/time-words.ts'
import { useSlowClock } from '../../ui/use-clock.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './Ghosts.module.css'

export function GhostBar() {
  const isShown = useGhosts((state) => state.isShown)
  return isShown ? <Bar /> : null
}

function Bar() {
  const designer = useDesigner()
  const ghosts = useGhosts((state) => state.ghosts)
  const hasRun = useRuns(({ current }) => current !== null)
  return (
    <section
      className={styles['bar']}
      aria-label={words.command}
      data-below={hasRun || undefined}
      data-testid="ghost-bar"
    >
      <Reading />
      <Ghost size={15} aria-hidden />
      {ghosts === null ? <span>{words.loading}</span> : <Told ghosts={ghosts} />}
      <IconButton
        icon={X}
        label={words.close}
        onClick={() => {
          designer.ghosts.getState().setShown(false)
          // The button goes with the bar: whoever came by keys goes on where the bar was.
          designer.canvas.current?.focus()
        }}
      />
    </section>
  )
}

/** Asks again when a run ended, never while nothing did: reading a hundred runs is work. */
function Reading() {
  const designer = useDesigner()
  const line = useLine()
  const workflowId = useDocument((state) => state.history.document.id)
  const { answer } = useLiveAnswer('runs.list', { statuses: null, workflowId, after: null, limit: 20 })
  const ended = answer?.runs.flatMap(({ run }) => (run.finishedAt === null ? [] : [run.id])).join(' ')
  useEffect(() => {
    if (ended === undefined) return undefined
    let isWanted = true
    line
      .call('runs.ghosts', { workflowId, limit: ghostRunsMax })
      .then((ghosts) => {
        if (isWanted) designer.ghosts.getState().setGhosts(workflowId, ghosts)
      })
      // The line tells by itself that it broke; the next answer comes with it.
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [designer, line, workflowId, ended])
  return null
}

function Told({ ghosts }: { readonly ghosts: Ghosts }) {
  const now = useSlowClock()
  const { runs, from, statuses, medianMs } = ghosts
  if (runs === 0 || from === null) return <span>{words.none}</span>
  const went = statuses.SUCCEEDED ?? 0
  return (
    <>
      <b>{runs === 1 ? words.titleOne : fill(words.title, { runs })}</b>
      <span>{fill(words.since, { time: instantWords(from, now) })}</span>
      <span data-tone="good">{fill(words.went, { count: went })}</span>
      {went < runs && <span data-tone="bad">{fill(words.other, { count: runs - went })}</span>}
      {medianMs !== null && <span>{fill(words.usual, { span: spanWords(medianMs) })}</span>}
    </>
  )
}
