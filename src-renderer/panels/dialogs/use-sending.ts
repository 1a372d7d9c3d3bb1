/** Sending what a dialog asks: once at a time, closed when it is done, and told when the engine refuses. */

import { useState } from 'react'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'

export interface Sending {
  readonly isSent: boolean
  /** What was refused, and what to do about it; null while nothing was. */
  readonly problem: string | null
  readonly send: () => Promise<void>
}

/** `work` throws what the engine refuses. */
export function useSending(work: () => Promise<void>, onDone: () => void): Sending {
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = async (): Promise<void> => {
    if (isSent) return
    setSent(true)
    try {
      await work()
      onDone()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
      setSent(false)
    }
  }
  return { isSent, problem, send }
}
