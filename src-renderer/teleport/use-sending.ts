/** Something that is asked of the engine once, from a dialog that stays when it is refused. */

import { useState } from 'react'
import { recordOfThrown } from '../../src-engine/model/errors.ts'

export interface Sending {
  /** What was wrong with the last try, in words; null for nothing. */
  readonly problem: string | null
  /** Asked, and not answered or not refused. */
  readonly isSent: boolean
  readonly send: () => Promise<void>
}

export function useSending(work: () => Promise<unknown>, done: () => void): Sending {
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = async (): Promise<void> => {
    setSent(true)
    setProblem(null)
    try {
      await work()
      done()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
      setSent(false)
    }
  }
  return { problem, isSent, send }
}
