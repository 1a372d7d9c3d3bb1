/** The list of decisions, as far back as somebody looked. */

import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ErrorRecord } from '../../../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../../../src-engine/model/errors.ts'
import type {
  AuditEntry,
  AuditPage,
  AuditQuery,
  AuditSubject,
} from '../../../../src-engine/protocol/audit.ts'
import type { EngineConnection } from '../../../bridge/connection.ts'
import { useLine } from '../../../state/context.ts'

const pageSize = 50
/** A history in which nobody decided anything is not looked through to its beginning at once. */
const pagesMax = 40

export interface AuditFilter {
  /** Null for everything. */
  readonly about: AuditSubject | null
  /** Empty for anybody. */
  readonly by: string
}

interface Found {
  readonly entries: readonly AuditEntry[]
  readonly next: string | null
}

export interface AuditList {
  /** Null until the first answer. */
  readonly found: Found | null
  readonly error: ErrorRecord | null
  readonly isLoading: boolean
  readonly older: () => void
  readonly refresh: () => void
}

/** Asks when the filter changes, and for more when it is asked to. */
export function useAudit({ about, by }: AuditFilter): AuditList {
  const line = useLine()
  const { status } = useStore(line.state)
  const [found, setFound] = useState<Found | null>(null)
  const [error, setError] = useState<ErrorRecord | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [round, setRound] = useState(0)
  /** What was there stays while what comes before it is asked for. */
  const load = useCallback(
    async (before: Found | null, isShown: () => boolean): Promise<void> => {
      setLoading(true)
      try {
        const query = { runId: null, about: about === null ? null : [about], by: by === '' ? null : by }
        const more = await lookBack(line, { ...query, before: before?.next ?? null, limit: pageSize })
        if (!isShown()) return
        setFound({ entries: [...(before?.entries ?? []), ...more.entries], next: more.next })
        setError(null)
      } catch (thrown) {
        if (isShown()) setError(recordOfThrown(thrown))
      } finally {
        if (isShown()) setLoading(false)
      }
    },
    [line, about, by],
  )
  useEffect(() => {
    if (status !== 'open') return undefined
    let isShown = true
    void load(null, () => isShown)
    return () => {
      isShown = false
    }
    // A new round asks again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [load, status, round])
  return {
    found,
    error,
    isLoading,
    older: () => void load(found, () => true),
    refresh: () => setRound((before) => before + 1),
  }
}

/** A page may end early where nobody decided anything for long: then the next one is asked for, too. */
export async function lookBack({ call }: Pick<EngineConnection, 'call'>, query: AuditQuery): Promise<Found> {
  const entries: AuditEntry[] = []
  let { before } = query
  for (let page = 0; page < pagesMax; page += 1) {
    const limit = query.limit - entries.length
    const answer: AuditPage = await call('audit.list', { ...query, before, limit })
    entries.push(...answer.entries)
    before = answer.next
    if (before === null || entries.length >= query.limit) break
  }
  return { entries, next: before }
}
