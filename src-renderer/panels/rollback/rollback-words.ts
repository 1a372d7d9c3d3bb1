/** The words of a rollback: how far it has come, and what became of each step. Pure. */

import type { SagaEffects } from '../../../src-engine/model/saga-coverage.ts'
import type { UndoPhase } from '../../canvas/undo-look.ts'
import type { Rollback, Staying } from '../../state/rollback.ts'
import type { StatusStyle } from '../../status/status-style.ts'
import { recordedStyle, undoStyle } from '../../status/status-style.ts'
import { fill } from '../../text/messages.ts'
import { coverage, rollback as words } from '../../text/saga-words.ts'

const styles: Readonly<Record<UndoPhase, StatusStyle>> = { recorded: recordedStyle, ...undoStyle }

/** What an entry looks like. */
export const entryStyle = (phase: UndoPhase): StatusStyle => styles[phase]

/** One sentence on how far it has come. */
export function rollbackSentence({ status, total, done, failed, left }: Rollback): string {
  const counts = { done, total, rest: total - done }
  if (status === 'COMPENSATING') return fill(words.underWay, counts)
  if (status === 'COMPENSATION_FAILED')
    return fill(failed === 1 ? words.oneFailed : words.someFailed, { ...counts, failed })
  if (status === 'ABANDONED') return fill(words.abandoned, counts)
  return left === 0 ? fill(total === 1 ? words.oneDone : words.allDone, counts) : fill(words.someLeft, counts)
}

/** How much of the way back is shown: of one that is over it is looked at once more. */
export function movingSentence({ status, total }: Rollback, done: number): string {
  return fill(status === 'COMPENSATING' ? words.underWay : words.shownAgain, { done, total })
}

/** How it came out, with what nothing undoes counted too: of an ended rollback that went well as far as it could. */
export function endSentence(rollback: Rollback, left: readonly Staying[]): string {
  const { status, done } = rollback
  if (status !== 'COMPENSATED' || left.length === 0) return rollbackSentence(rollback)
  const counts = { done, total: done + left.length, rest: left.length }
  return fill(left.length === 1 ? words.oneStays : words.someStay, counts)
}

/** Why a step’s effect stays. */
export function stayingWords({ why, reason }: Pick<Staying, 'why' | 'reason'>): string {
  if (reason === null) return words.why[why]
  return why === 'impossible' ? reason : `${words.why[why]} ${reason}`
}

/** How much could be undone, in one sentence. */
export function coverageSentence({ undoable, effects }: Pick<SagaEffects, 'undoable' | 'effects'>): string {
  const total = effects.length
  if (undoable < total) return fill(coverage.sentence, { undoable, total })
  return total === 1 ? coverage.oneOfOne : fill(coverage.all, { total })
}
