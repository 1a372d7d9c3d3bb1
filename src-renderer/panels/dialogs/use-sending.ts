/** Sending what a dialog asks: once at a time, closed when it is done, and told when the engine refuses. */

import { useState } from 'react'
import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'

export interface Sending {
  readonly isSent: boolean
  /** What was refused, and what to do about it; null while nothing was. */
  readonly problem: string | null
  /** The same as a record. */
  readonly refused: ErrorRecord | null
  /** What was refused is said no more: something was changed about it. */
  readonly forget: () => void
  readonly send: () => Promise<void>
}

/** `work` throws what the engine refuses. */
export function useSending(work: () => Promise<void>, onDone: () => void): Sending {
  const [refused, setRefused] = useState<ErrorRecord | null>(null)
  const [isSent, setSent] = useState(false)
  const send = async (): Promise<void> => {
    if (isSent) return
    setSent(true)
    try {
      await work()
      onDone()
    } catch (thrown) {
      setRefused(recordOfThrown(thrown))
      setSent(false)
    }
  }
  const problem = refused === null ? null : `${refused.message} ${refused.hint}`
  return { isSent, problem, refused, forget: () => setRefused(null), send }
}
