/**
 * A checkpoint that isn't sent yet: decisions about the same run that are made before the turn of the event loop ends
 * go into it. A chain of steps that take no time is one write, however many they are.
 */

import type { JoinedCheckpoint } from '../core/join-checkpoints.ts'
import { joinOnto } from '../core/join-checkpoints.ts'
import type { Checkpoint } from '../model/checkpoint.ts'
import type { CommitOutcome } from './commit-outcome.ts'

export class OpenCheckpoint {
  readonly #joined: JoinedCheckpoint
  readonly #sent = Promise.withResolvers<CommitOutcome>()

  constructor(checkpoint: Checkpoint) {
    this.#joined = joinOnto(checkpoint)
  }

  /** What a decision is told that is to go into it. */
  get written(): JoinedCheckpoint['written'] {
    return this.#joined.written
  }

  /** The same for all decisions that went into it. */
  get outcome(): Promise<CommitOutcome> {
    return this.#sent.promise
  }

  /** Whether a decision that was made for it went into it. */
  takes(checkpoint: Checkpoint): boolean {
    return this.#joined.takes(checkpoint)
  }

  send(commit: (checkpoint: Checkpoint) => Promise<CommitOutcome>): void {
    void commit(this.#joined.whole()).then(this.#sent.resolve)
  }
}
