/** What dead letters say to a person, and which of them a person is looking for. Pure. */

import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import { errorCatalogue } from '../../../../src-engine/model/error-codes.ts'
import { invocationStatuses } from '../../../../src-engine/model/invocation-status.ts'
import { isJsonObject } from '../../../../src-engine/model/json.ts'
import type { StatusStyle } from '../../../status/status-style.ts'
import { invocationStyle } from '../../../status/status-style.ts'
import { letterReasons } from '../../../text/letter-reasons.ts'

const known: ReadonlyMap<string, { readonly title: string; readonly hint: string }> = new Map([
  ...Object.entries(errorCatalogue),
  ...Object.entries(letterReasons),
])

/** A reason code as a sentence; the code itself when nobody knows it. */
export const reasonWords = (reason: string): string => known.get(reason)?.title ?? reason

/** What to do about it; null when nothing is known. */
export const reasonHint = (reason: string): string | null => known.get(reason)?.hint ?? null

/** The workflow as people know it; its id for a letter that doesn't say. */
export function workflowWords({ body, workflowId }: DeadLetter): string {
  const title = isJsonObject(body) ? body['workflowTitle'] : null
  return typeof title === 'string' && title !== '' ? title : (workflowId ?? 'No workflow')
}

/** Whether it tells of what failed to undo a step. */
export const isOfUndo = ({ body }: DeadLetter): boolean =>
  isJsonObject(body) && body['role'] === 'compensation'

/** The look of the status that it had before it ended; null for one of a newer engine. */
export function lastStatusStyle(letter: DeadLetter): StatusStyle | null {
  const status = invocationStatuses.find((one) => one === letter.lastStatus)
  return status === undefined ? null : invocationStyle[status]
}

/** `3 attempts, 2 crashes`. */
export function attemptWords({ attempts, body }: DeadLetter): string {
  const crashes = isJsonObject(body) ? body['crashCount'] : null
  const words = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  if (typeof crashes !== 'number' || crashes === 0) return words
  return `${words}, ${crashes === 1 ? '1 crash' : `${crashes} crashes`}`
}

export interface LetterFilter {
  readonly text: string
  /** Null for all. */
  readonly reason: string | null
  readonly workflow: string | null
}

/** Those that fit, in the order given. */
export function foundLetters(
  letters: readonly DeadLetter[],
  { text, reason, workflow }: LetterFilter,
): readonly DeadLetter[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return letters.filter((letter) => {
    if (reason !== null && letter.reason !== reason) return false
    if (workflow !== null && workflowWords(letter) !== workflow) return false
    const { nodeId, runId, message } = letter
    const all = [workflowWords(letter), nodeId, runId, message, letter.reason, reasonWords(letter.reason)]
    const whole = all.join(' ').toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}

export interface Choice {
  readonly value: string
  readonly count: number
}

/** Each value once, with how many letters have it; the most frequent first. */
export function choicesOf(
  letters: readonly DeadLetter[],
  valueOf: (letter: DeadLetter) => string,
): readonly Choice[] {
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(valueOf(letter), (counts.get(valueOf(letter)) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((left, right) => right.count - left.count || left.value.localeCompare(right.value))
}

/** The letter to look at once another is gone: the next, else the one before; null when none is left. */
export function neighbourOf(letters: readonly DeadLetter[], id: string): string | null {
  const index = letters.findIndex((letter) => letter.id === id)
  return letters[index + 1]?.id ?? letters[index - 1]?.id ?? null
}
