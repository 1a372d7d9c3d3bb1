/** What list and detail may ask for about one letter, and the keys for it. */

import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'

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

/** Whether a letter can be dealt with that way: without a run there is nothing to open or replay. */
export const canAsk = (ask: LetterAsk, letter: DeadLetter): boolean =>
  ask === 'discard' || letter.runId !== null
