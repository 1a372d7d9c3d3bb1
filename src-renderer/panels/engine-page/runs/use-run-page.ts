/** The runs that the filter fits, as far back as somebody looked; what comes meanwhile doesn't move them. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ErrorRecord } from '../../../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../../../src-engine/model/limits.ts'
import { useDesigner, useRuns } from '../../../state/context.ts'
import type { RunPageFilter } from '../../../state/run-views-store.ts'
import { searchOf } from '../../../state/run-views-store.ts'
import type { Shown } from './shown-runs.ts'
import { refreshed, withOlder } from './shown-runs.ts'

const pageSize = 50
/** Looking for a text reads many runs: not more often than this while things happen. */
const newsDelayMs = 1_000

export interface RunPage {
  /** Null until the first answer. */
  readonly shown: Shown | null
  readonly error: ErrorRecord | null
  readonly isLoading: boolean
  readonly older: () => void
  /** Puts the new ones on top, and leaves out what fits no more. */
  readonly refresh: () => void
}

export function useRunPage(filter: RunPageFilter): RunPage {
  const designer = useDesigner()
  const { connection, ambient } = designer
  const { status } = useStore(connection.state)
  const [shown, setShown] = useState<Shown | null>(null)
  const [error, setError] = useState<ErrorRecord | null>(null)
  const [isLoading, setLoading] = useState(false)
  const latest = useRef<{ readonly filter: RunPageFilter; readonly count: number }>({ filter, count: 0 })
  const ask = useCallback(
    (after: RunId | null, how: 'begin' | 'follow' | 'older'): Promise<void> => {
      const { count } = latest.current
      latest.current = { filter, count: how === 'begin' ? pageSize : count }
      const limit = how === 'follow' ? Math.min(Math.max(count, pageSize), pageSizeMax) : pageSize
      const query = { ...searchOf(filter, ambient.now()), after, limit }
      // Another filter may be chosen meanwhile: its own answer is on the way.
      const isAsked = (): boolean => latest.current.filter === filter
      return connection
        .call('runs.list', query)
        .then((page) => {
          if (!isAsked()) return
          setError(null)
          setShown((before) => {
            if (how === 'begin' || before === null)
              return { rows: page.runs, next: page.next, fresh: 0, left: new Set() }
            return how === 'older' ? withOlder(before, page) : refreshed(before, page)
          })
        })
        .catch((thrown: unknown) => {
          if (isAsked()) setError(recordOfThrown(thrown))
        })
    },
    [connection, ambient, filter],
  )
  useEffect(() => {
    latest.current = { ...latest.current, count: shown?.rows.length ?? 0 }
  }, [shown])
  useEffect(() => {
    if (status === 'open') void ask(null, 'begin')
  }, [ask, status])
  useNews(() => void ask(null, 'follow'))
  return {
    shown,
    error,
    isLoading,
    older: () => {
      setLoading(true)
      void ask(shown?.next ?? null, 'older').finally(() => setLoading(false))
    },
    refresh: () => void ask(null, 'begin'),
  }
}

/** Calls back a moment after anything happened to a run; what happens meanwhile is seen by the same call. */
function useNews(onNews: () => void): void {
  const { ambient } = useDesigner()
  // The list beside the canvas is asked for again when anything happens to a run: then this one is, too.
  const news = useRuns((state) => state.list)
  const seen = useRef(news)
  const newest = useRef(onNews)
  const cancel = useRef<(() => void) | null>(null)
  useEffect(() => {
    newest.current = onNews
  })
  useEffect(() => {
    if (seen.current === news) return
    seen.current = news
    if (cancel.current !== null) return
    cancel.current = ambient.after(newsDelayMs, () => {
      cancel.current = null
      newest.current()
    })
  }, [ambient, news])
  useEffect(() => () => cancel.current?.(), [])
}
