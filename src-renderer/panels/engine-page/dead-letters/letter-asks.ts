/** What list and detail may ask for about one letter, and the keys for it. */

import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import { runMachine } from '../../../../src-engine/model/run-status.ts'
import { isRetryable } from '../../../state/rerun.ts'
import { isRolledBack } from '../../../state/rolled-back.ts'
import { letters as words } from '../../../text/messages.ts'
import { isOfUndo } from './letter-words.ts'

export type LetterAsk = 'replay' | 'retry' | 'edit' | 'discard' | 'openRun'
export type LetterAsks = Readonly<Record<LetterAsk, (letter: DeadLetter) => void>>

/** In the list, without a modifier. The first of each is shown on its button. */
export const keysOfAsk: Readonly<Record<LetterAsk, readonly string[]>> = {
  replay: ['R'],
  retry: ['T'],
  edit: ['E'],
  openRun: ['O', 'Enter'],
  discard: ['Delete', 'Backspace'],
}

/** What a key asks for; null for one that is none of these. Pure. */
export function askOfKey(key: string): LetterAsk | null {
  const asks = Object.keys(keysOfAsk) as LetterAsk[]
  return asks.find((ask) => keysOfAsk[ask].some((one) => one.toLowerCase() === key.toLowerCase())) ?? null
}

/** A letter, and how its run is now: null while nobody knows, or where it has none. */
export interface LetterNow {
  readonly letter: DeadLetter
  readonly runStatus: RunStatus | null
}

/** Whether a letter can be dealt with that way: without a run there is nothing to open or replay. */
export const canAsk = (ask: LetterAsk, { letter, runStatus }: LetterNow): boolean => {
  if (ask === 'discard') return true
  if (letter.runId === null) return false
  return ask !== 'retry' || (!isOfUndo(letter) && runStatus !== null && isRetryable({ status: runStatus }))
}

/** Why its run can't go on, for people; null where it can, or while nobody knows. */
export function whyNotOn({ letter, runStatus }: LetterNow): string | null {
  if (letter.runId === null) return null
  if (isOfUndo(letter)) return words.notOn.undo
  if (runStatus === null || isRetryable({ status: runStatus })) return null
  if (isRolledBack(runStatus)) return words.notOn.rolledBack
  return runMachine.final.has(runStatus) ? words.notOn.ended : words.notOn.underWay
}
