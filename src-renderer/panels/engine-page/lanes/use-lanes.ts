/** What the runners did in the last while, kept fresh while somebody looks at it. */

import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ErrorRecord } from '../../../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../../../src-engine/model/errors.ts'
import { pageSizeMax } from '../../../../src-engine/model/limits.ts'
import type { Instant, Millis } from '../../../../src-engine/model/time.ts'
import type { RunnerAttempt, RunnerAttemptsPage } from '../../../../src-engine/protocol/history.ts'
import type { EngineConnection } from '../../../bridge/connection.ts'
import { useDesigner, useLine } from '../../../state/context.ts'

/** More than these can't be told apart on a screen. */
export const attemptsMax = 2_000
/** Often enough to look live, seldom enough to cost nothing. */
const everyMs = 1_500
/** What came meanwhile is read on at once, but not without end. */
const pagesMax = 10

export interface Lanes {
  /** Those that ended, newest first. */
  readonly ended: readonly RunnerAttempt[]
  readonly atWork: readonly RunnerAttempt[]
  /** Whether there are older ones in that time. */
  readonly isCut: boolean
  readonly cursor: string
  /** By the engine's clock. */
  readonly now: Instant
}

export interface LanesAnswer {
  /** Null until the first answer. */
  readonly lanes: Lanes | null
  readonly error: ErrorRecord | null
}

/** Asks for all of it when the span changes or it goes live, then for what has come since. */
export function useLanes(spanMs: Millis, isLive: boolean): LanesAnswer {
  const { ambient } = useDesigner()
  const line = useLine()
  const { status } = useStore(line.state)
  const [lanes, setLanes] = useState<Lanes | null>(null)
  const [error, setError] = useState<ErrorRecord | null>(null)
  useEffect(() => {
    if (status !== 'open' || !isLive) return undefined
    let isShown = true
    let cancel = (): void => undefined
    const ask = async (known: Lanes | null): Promise<void> => {
      let next = known
      try {
        next = known === null ? await begun(line, spanMs) : await goneOn(line, known, spanMs)
        if (!isShown) return
        setLanes(next)
        setError(null)
      } catch (thrown) {
        if (isShown) setError(recordOfThrown(thrown))
      }
      if (isShown) cancel = ambient.after(everyMs, () => void ask(next))
    }
    void ask(null)
    return () => {
      isShown = false
      cancel()
    }
  }, [ambient, line, status, spanMs, isLive])
  return { lanes, error }
}

type Ask = Pick<EngineConnection, 'call'>

const all = { runnerId: null, since: null, before: null, after: null, limit: pageSizeMax }

async function begun({ call }: Ask, spanMs: Millis): Promise<Lanes> {
  // What the engine's clock says is told with the first answer.
  const first = await call('runners.attempts', { ...all, limit: 1 })
  const since = first.now - spanMs
  let ended: readonly RunnerAttempt[] = []
  let page: RunnerAttemptsPage | null = null
  let before: string | null = null
  do {
    const answer: RunnerAttemptsPage = await call('runners.attempts', { ...all, since, before })
    page ??= answer
    ended = [...ended, ...answer.attempts]
    before = answer.next
  } while (before !== null && ended.length < attemptsMax)
  const { atWork, cursor, now } = page
  return { ended, atWork, cursor, now, isCut: before !== null }
}

async function goneOn({ call }: Ask, known: Lanes, spanMs: Millis): Promise<Lanes> {
  let { ended, cursor } = known
  for (let page = 1; ; page += 1) {
    const answer = await call('runners.attempts', { ...all, after: cursor })
    ended = [...answer.attempts, ...ended]
    cursor = answer.cursor
    if (answer.more && page < pagesMax) continue
    const { now, atWork } = answer
    const kept = ended.filter(({ endedAt }) => (endedAt ?? now) >= now - spanMs)
    const isCut = kept.length > attemptsMax || (known.isCut && kept.length === ended.length)
    return { ended: kept.slice(0, attemptsMax), atWork, cursor, now, isCut }
  }
}
