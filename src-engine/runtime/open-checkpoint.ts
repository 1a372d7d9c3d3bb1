/**
 * A checkpoint that isn't sent yet: decisions about the same run that are made before the turn of the event loop ends
 * go into it. A chain of steps that take no time is one write, however many they are.
 */

import { joinCheckpoints } from '../core/join-checkpoints.ts'
import type { Checkpoint, CommitAnswer } from '../model/checkpoint.ts'
import type { InvocationId } from '../model/ids.ts'

export class OpenCheckpoint {
  #checkpoint: Checkpoint
  readonly #written: Set<InvocationId>
  readonly #sent = Promise.withResolvers<readonly CommitAnswer[]>()

  constructor(checkpoint: Checkpoint) {
    this.#checkpoint = checkpoint
    this.#written = new Set(checkpoint.writes.invocations.map(({ id }) => id))
  }

  /** What a decision is told that is to go into it. */
  get written(): ReadonlySet<InvocationId> {
    return this.#written
  }

  /** The same for all decisions that went into it. */
  get answers(): Promise<readonly CommitAnswer[]> {
    return this.#sent.promise
  }

  /** Whether a decision that was made for it went into it. */
  takes(checkpoint: Checkpoint): boolean {
    const joined = joinCheckpoints(this.#checkpoint, checkpoint)
    if (joined === null) return false
    this.#checkpoint = joined
    for (const { id } of checkpoint.writes.invocations) this.#written.add(id)
    return true
  }

  send(commit: (checkpoint: Checkpoint) => Promise<readonly CommitAnswer[]>): void {
    commit(this.#checkpoint).then(this.#sent.resolve, this.#sent.reject)
  }
}
