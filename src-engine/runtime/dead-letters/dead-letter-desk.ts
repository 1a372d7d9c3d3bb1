/** What can be done with dead letters. */

import type { DeadLetter } from '../../model/checkpoint.ts'
import type { DefinitionHash, RunId } from '../../model/ids.ts'
import type { DeadLetterPage, DeadLetterQuery, LetterReplay } from '../../protocol/dead-letters.ts'

export interface DeadLetters {
  /** Newest first. */
  readonly list: (query: DeadLetterQuery) => Promise<DeadLetterPage>
  /** Throws `dead_letter_not_found`. */
  readonly show: (id: string) => Promise<DeadLetter>
  /**
   * Starts the letter's run again, with its priority and tags, and takes the letter away. What failed to undo a
   * step is tried again in its own run instead, and `input` is what arrives at it: throws
   * `rollback_not_possible` once that rollback has gone on without it.
   */
  readonly replay: (
    request: LetterReplay,
  ) => Promise<{ readonly runId: RunId; readonly hash: DefinitionHash }>
  readonly discard: (id: string, by: string | null) => Promise<void>
  /** Takes away what is too old or too much; returns how many. */
  readonly sweep: () => Promise<number>
}
