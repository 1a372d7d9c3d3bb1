/** Which runs of the list are marked, for what is asked of many at once. */

import { useState } from 'react'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { RunSummary } from '../../../src-engine/protocol/api.ts'

export interface MarkedRuns {
  /** Those that are still in the list, in its order. */
  readonly marked: readonly RunSummary[]
  readonly isMarked: (id: RunId) => boolean
  /** Marks or unmarks one; with `isRange`, all from the one before to this. */
  readonly toggle: (id: RunId, isRange: boolean) => void
  readonly markAll: () => void
  readonly clear: () => void
}

export function useMarkedRuns(list: readonly RunSummary[]): MarkedRuns {
  const [ids, setIds] = useState<ReadonlySet<RunId>>(new Set())
  const [last, setLast] = useState<RunId | null>(null)
  return {
    marked: list.filter(({ run }) => ids.has(run.id)),
    isMarked: (id) => ids.has(id),
    toggle: (id, isRange) => {
      const next = new Set(ids)
      const range = isRange ? rangeOf(list, last, id) : [id]
      const isOn = !ids.has(id)
      for (const one of range) {
        if (isOn) next.add(one)
        else next.delete(one)
      }
      setIds(next)
      setLast(id)
    },
    markAll: () => setIds(new Set(list.map(({ run }) => run.id))),
    clear: () => setIds(new Set()),
  }
}

/** From one to the other, both of them, whichever comes first. Pure. */
export function rangeOf(list: readonly RunSummary[], from: RunId | null, to: RunId): readonly RunId[] {
  const ids = list.map(({ run }) => run.id)
  const start = from === null ? -1 : ids.indexOf(from)
  const end = ids.indexOf(to)
  if (start === -1 || end === -1) return [to]
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1)
}
