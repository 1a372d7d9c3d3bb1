/**
 * Decisions about one run as one checkpoint: each was made on the state as those before it leave it, and is there with
 * them or not at all.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import type { Checkpoint, Preconditions, Writes } from '../model/checkpoint.ts'
import type { EventDraft } from '../model/event.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Written } from './raised-versions.ts'

/** More records than this are written by several: one of them must not hold up others for long. */
const recordsMax = 64

export interface JoinedCheckpoint {
  /** What is written by now; a decision that is to go into it is made with this as `continues`. */
  readonly written: Written
  /** Whether the checkpoint went into it; else the two must stay apart. */
  readonly takes: (next: Checkpoint) => boolean
  /** All of them; nothing goes into it any more. */
  readonly whole: () => Checkpoint
}

/** Begins with one checkpoint, which stays as it is when none is taken. */
export const joinOnto = (first: Checkpoint): JoinedCheckpoint => new Joined(first)

class Joined implements JoinedCheckpoint {
  readonly #first: Checkpoint
  readonly written: Map<InvocationId, InvocationRecord>
  /** The last that was taken; null while there is none. */
  #last: Checkpoint | null = null
  #isClosed: boolean
  /** Made with the first that is taken, and added to: to copy them for each would cost more the more there are. */
  #expected: Preconditions['invocations'][number][] = []
  #attempts: AttemptRecord[] = []
  #events: EventDraft[] = []

  constructor(first: Checkpoint) {
    this.#first = first
    this.written = new Map(first.writes.invocations.map((record) => [record.id, record]))
    this.#isClosed = hasSides(first.writes)
  }

  takes(next: Checkpoint): boolean {
    if (!this.#mayTake(next)) return false
    if (this.#last === null) {
      const { expect, writes, events } = this.#first
      this.#expected = [...expect.invocations]
      this.#attempts = [...writes.attempts]
      this.#events = [...events]
    }
    this.#last = next
    for (const one of next.expect.invocations) if (!this.written.has(one.id)) this.#expected.push(one)
    for (const record of next.writes.invocations) this.written.set(record.id, record)
    for (const attempt of next.writes.attempts) this.#attempts.push(attempt)
    for (const event of next.events) this.#events.push(event)
    // What comes after effects, permits or letters would be judged before them.
    this.#isClosed = hasSides(next.writes)
    return true
  }

  /** For want of a permit that the next takes, those before it would be refused. */
  #mayTake({ actor, expect, writes }: Checkpoint): boolean {
    const { actor: own } = this.#first
    if (this.#isClosed || writes.take.length + expect.registers.length > 0) return false
    return (
      this.written.size + writes.invocations.length <= recordsMax &&
      actor.kind === own.kind &&
      actor.id === own.id
    )
  }

  whole(): Checkpoint {
    const last = this.#last
    if (last === null) return this.#first
    return {
      ...this.#first,
      at: last.at,
      expect: { ...this.#first.expect, invocations: this.#expected },
      writes: { ...last.writes, invocations: [...this.written.values()], attempts: this.#attempts },
      events: this.#events,
    }
  }
}

/** Whether it writes anything but a run with its invocations and their attempts. */
const hasSides = (writes: Writes): boolean =>
  writes.workflowVersions.length +
    writes.registers.length +
    writes.take.length +
    writes.release.length +
    writes.outbox.length +
    writes.delivered.length +
    writes.deadLetters.length +
    writes.settledLetters.length >
  0
