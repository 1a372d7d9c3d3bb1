/** The entries that the filter fits, as far back as somebody looked, with what comes while they look. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ErrorRecord } from '../../../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../../../src-engine/model/errors.ts'
import type { LogPage, LogQuery } from '../../../../src-engine/protocol/history.ts'
import type { EngineConnection } from '../../../bridge/connection.ts'
import { useDesigner, useLine } from '../../../state/context.ts'
import type { LogFilter } from '../../../state/logs-store.ts'
import { logQueryOf } from '../../../state/logs-store.ts'
import type { ShownEntries } from './shown-entries.ts'
import { firstEntries, withNews, withOlder } from './shown-entries.ts'

const pageSize = 100
/** What is rare is looked for in several strides, but not through the whole history at once. */
const pagesMax = 5
/** Often enough to look live, seldom enough to cost nothing. */
const everyMs = 1_500

export interface Logs {
  /** Null until the first answer. */
  readonly shown: ShownEntries | null
  readonly error: ErrorRecord | null
  readonly isLoading: boolean
  readonly older: () => void
}

type Ask = Pick<EngineConnection, 'call'>

export function useLogs(filter: LogFilter, isLive: boolean): Logs {
  const { ambient } = useDesigner()
  const line = useLine()
  const { status } = useStore(line.state)
  const [shown, setShown] = useState<ShownEntries | null>(null)
  const [error, setError] = useState<ErrorRecord | null>(null)
  /** The filter that was answered, and what is older that is being looked for. */
  const [answered, setAnswered] = useState<LogFilter | null>(null)
  const [isReading, setReading] = useState(false)
  const asked = useRef(filter)
  const latest = useRef<ShownEntries | null>(null)
  const put = useCallback((next: ShownEntries): void => {
    latest.current = next
    setShown(next)
    setError(null)
  }, [])
  const attempt = useCallback(async (about: LogFilter, act: () => Promise<void>): Promise<void> => {
    try {
      await act()
    } catch (thrown) {
      // Another filter may be chosen meanwhile: its own answer is on the way.
      if (asked.current === about) setError(recordOfThrown(thrown))
    }
  }, [])
  useEffect(() => {
    asked.current = filter
    if (status !== 'open') return
    const query = logQueryOf(filter, ambient.now())
    void attempt(filter, async () => {
      const page = await backTo(line, { ...query, before: null, after: null, limit: pageSize })
      if (asked.current === filter) put(firstEntries(page))
    }).finally(() => {
      if (asked.current === filter) setAnswered(filter)
    })
  }, [ambient, line, status, filter, attempt, put])
  useTail({ isOn: isLive && status === 'open' && shown !== null }, () =>
    attempt(filter, async () => {
      const before = latest.current
      if (before === null || asked.current !== filter) return
      const query = { ...logQueryOf(filter, ambient.now()), before: null, limit: pageSize }
      const page = await line.call('logs.search', { ...query, after: before.cursor })
      // Something older may have been looked for meanwhile.
      if (asked.current === filter && latest.current !== null) put(withNews(latest.current, page))
    }),
  )
  const older = (): void => {
    const before = shown?.next ?? null
    if (before === null) return
    setReading(true)
    const query = logQueryOf(filter, ambient.now())
    void attempt(filter, async () => {
      const page = await backTo(line, { ...query, before, after: null, limit: pageSize })
      if (asked.current === filter && latest.current !== null) put(withOlder(latest.current, page))
    }).finally(() => setReading(false))
  }
  return { shown, error, isLoading: answered !== filter || isReading, older }
}

/** Looks every moment, one look after the other. */
function useTail({ isOn }: { readonly isOn: boolean }, look: () => Promise<void>): void {
  const { ambient } = useDesigner()
  const newest = useRef(look)
  useEffect(() => {
    newest.current = look
  })
  useEffect(() => {
    if (!isOn) return undefined
    let isShown = true
    let cancel = (): void => undefined
    const wait = (): void => {
      cancel = ambient.after(everyMs, () => void newest.current().finally(() => isShown && wait()))
    }
    wait()
    return () => {
      isShown = false
      cancel()
    }
  }, [ambient, isOn])
}

/** A page may end early where nothing fits for long: then the next one is asked for, too. */
export async function backTo({ call }: Ask, query: LogQuery): Promise<LogPage> {
  const first = await call('logs.search', query)
  let page = first
  const entries = [...first.entries]
  for (let count = 1; page.next !== null && entries.length < query.limit && count < pagesMax; count += 1) {
    page = await call('logs.search', { ...query, before: page.next })
    entries.push(...page.entries)
  }
  return { ...first, entries, next: page.next, since: page.since }
}
