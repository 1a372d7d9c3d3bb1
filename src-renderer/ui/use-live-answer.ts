/** An answer of the engine that is asked for again while somebody looks at it. */

import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { InputOf, Method, OutputOf } from '../../src-engine/protocol/api.ts'
import { useDesigner, useLine } from '../state/context.ts'

/** Often enough to look live, seldom enough to cost nothing. */
const everyMs = 1_500

export interface LiveAnswer<M extends Method> {
  /** Null until the first answer came. */
  readonly answer: OutputOf<M> | null
  /** Why the last question had no answer; null when it had one. */
  readonly error: ErrorRecord | null
  /** Asks again at once: after something was changed. */
  readonly refresh: () => void
}

/** Asks now, when the line comes back and every moment after the last answer; never twice at a time. */
export function useLiveAnswer<M extends Method>(method: M, input: InputOf<M>): LiveAnswer<M> {
  const designer = useDesigner()
  const line = useLine()
  const { status } = useStore(line.state)
  const [answer, setAnswer] = useState<OutputOf<M> | null>(null)
  const [error, setError] = useState<ErrorRecord | null>(null)
  const [round, setRound] = useState(0)
  const text = JSON.stringify(input)
  useEffect(() => {
    if (status !== 'open') return undefined
    let isShown = true
    let cancel = (): void => undefined
    const ask = (): void => {
      line
        .call(method, JSON.parse(text) as InputOf<M>)
        .then((next) => {
          if (!isShown) return
          setAnswer(next)
          setError(null)
        })
        .catch((thrown: unknown) => {
          if (isShown) setError(recordOfThrown(thrown))
        })
        .finally(() => {
          if (isShown) cancel = designer.ambient.after(everyMs, ask)
        })
    }
    ask()
    return () => {
      isShown = false
      cancel()
    }
    // A new round asks again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [designer, line, method, status, text, round])
  const refresh = useCallback(() => setRound((before) => before + 1), [])
  return { answer, error, refresh }
}
