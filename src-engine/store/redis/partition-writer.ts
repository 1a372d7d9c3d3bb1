/**
 * Commits of one partition, grouped: what arrives while a call is under way goes with the next. Each checkpoint
 * is validated here against the records as they were last seen, and the script compares what was seen with what
 * is there; who was wrong looks again and is judged anew.
 */

import type { Checkpoint, CommitAnswer, CommitRefusal } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { commitBatchMax } from '../../model/limits.ts'
import { runMachine } from '../../model/run-status.ts'
import type { LastOps } from '../last-ops.ts'
import { validateCommit } from '../validate-commit.ts'
import type { Applier } from './apply.ts'
import { Beliefs, touchedBy } from './beliefs.ts'
import { checkpointUnit } from './checkpoint-unit.ts'
import { isKnownOp } from './find-op.ts'
import type { PartitionState } from './partition-state.ts'
import { isAnyWanted, look } from './read-records.ts'
import type { Router } from './router.ts'
import type { WriteTag } from './tokens.ts'
import type { Turn } from './turn.ts'
import type { Unit, UnitAnswer } from './unit.ts'

export interface PartitionWriter {
  /** Resolves when everything that was committed so far has its answer. */
  readonly idle: () => Promise<void>
  readonly commit: (checkpoint: Checkpoint) => Promise<CommitAnswer>
}

export interface WriterParts {
  readonly router: Router
  readonly state: PartitionState
  readonly applier: Pick<Applier, 'confirm' | 'apply'>
  readonly lastOps: LastOps
  /** The same for all partitions. */
  readonly turn: Turn
  readonly nextTag: () => WriteTag
}

/** A checkpoint that waits for its answer. */
interface Job {
  readonly checkpoint: Checkpoint
  readonly resolve: (answer: CommitAnswer) => void
  readonly reject: (reason: unknown) => void
}

/** As many as hold up the node no longer than others can wait; one may be larger by itself. */
function takeBatch(queue: readonly Job[]): readonly Job[] {
  let weight = 0
  let count = 0
  for (const { checkpoint } of queue) {
    weight += checkpoint.writes.invocations.length + 1
    if (count > 0 && weight > commitBatchMax) break
    count += 1
  }
  return queue.slice(0, count)
}

/** What a round decided about a job before the script was asked. */
interface Planned {
  readonly job: Job
  readonly refusal: CommitRefusal | null
  readonly unit: Unit | null
}

/** Whoever meets others this often is told so. */
const roundsMax = 30

export function createPartitionWriter(parts: WriterParts): PartitionWriter {
  return new Writer(parts)
}

class Writer implements PartitionWriter {
  readonly #parts: WriterParts
  #queue: Job[] = []
  #busy = false
  readonly #waiting: (() => void)[] = []

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  commit(checkpoint: Checkpoint): Promise<CommitAnswer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ checkpoint, resolve, reject })
      if (this.#busy) return
      this.#busy = true
      // What else is committed in this turn of the loop goes along.
      this.#parts.turn.end(() => void this.#drain())
    })
  }

  async idle(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = takeBatch(this.#queue)
      this.#queue = this.#queue.slice(batch.length)
      try {
        await this.#commitAll(batch)
      } catch (thrown) {
        for (const { checkpoint, reject } of batch) {
          // What the failed call wrote or not is seen when it is asked for next.
          this.#forget(checkpoint)
          reject(thrown)
        }
      }
    }
    this.#busy = false
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  async #commitAll(batch: readonly Job[]): Promise<void> {
    const { runs, invocations, registers } = this.#parts.state
    for (const seen of [runs, invocations, registers]) seen.hold()
    try {
      let left = batch
      for (let round = 0; left.length > 0; round += 1) {
        if (round >= roundsMax) throw new SagasmithError('redis_contended')
        left = await this.#round(left, round > 0)
      }
    } finally {
      for (const seen of [runs, invocations, registers]) seen.release()
    }
  }

  /** Answers what it can; the rest has to look again. */
  async #round(jobs: readonly Job[], fresh: boolean): Promise<readonly Job[]> {
    const { router, state, applier } = this.#parts
    const checkpoints = jobs.map(({ checkpoint }) => checkpoint)
    const wanted = touchedBy(checkpoints, state, fresh)
    if (isAnyWanted(wanted)) await look(router, state, wanted)
    // A claim, or a new epoch that it met, may have forgotten some of it meanwhile: nobody is refused for that.
    if (fresh && isAnyWanted(touchedBy(checkpoints, state, true))) return jobs
    const planned = this.#plan(jobs)
    const units = planned.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    const answers = units.length === 0 ? [] : await applier.apply(state, units)
    if (answers === null) return jobs
    const left: Job[] = []
    let next = 0
    const allWritten = answers.every(({ kind }) => kind === 'written' || kind === 'there')
    for (const { job, refusal, unit } of planned) {
      const answer = unit === null ? null : (answers[next++] ?? null)
      if (refusal !== null && fresh && allWritten) await this.#refuse(job, refusal)
      else if (answer === null || answer.kind === 'differs') {
        this.#forget(job.checkpoint)
        left.push(job)
      } else if (answer.kind === 'written' || answer.kind === 'there') this.#accept(job)
      else await this.#refuseFor(job, answer)
    }
    return left
  }

  /** Each is judged as if those before it had been written. */
  #plan(jobs: readonly Job[]): readonly Planned[] {
    const { state, lastOps, nextTag } = this.#parts
    const beliefs = new Beliefs(state, lastOps)
    return jobs.map((job) => {
      const refusal = validateCommit(job.checkpoint, beliefs)
      if (refusal !== null) return { job, refusal, unit: null }
      const tag = nextTag()
      const unit = checkpointUnit(job.checkpoint, state, { believed: beliefs.believed, tag })
      beliefs.assume(job.checkpoint, tag)
      return { job, refusal, unit }
    })
  }

  #accept({ checkpoint, resolve }: Job): void {
    this.#parts.lastOps.note(checkpoint)
    this.#forgetEnded(checkpoint)
    resolve({ kind: 'accepted' })
  }

  async #refuseFor(
    job: Job,
    answer: Extract<UnitAnswer, { readonly kind: 'no-room' | 'unsealed' }>,
  ): Promise<void> {
    this.#forget(job.checkpoint)
    await this.#refuse(
      job,
      answer.kind === 'no-room'
        ? { kind: 'slot-taken', key: answer.key, holders: answer.holders }
        : { kind: 'unsealed' },
    )
  }

  async #refuse({ checkpoint, resolve }: Job, refusal: CommitRefusal): Promise<void> {
    const { router, state, applier } = this.#parts
    const isKnown = refusal.kind !== 'invalid' && (await isKnownOp(router, state, checkpoint))
    // Whoever asks again may have been told that no replica has it.
    if (isKnown) await applier.confirm(state)
    resolve(isKnown ? { kind: 'repeated' } : { kind: 'refused', refusal })
  }

  /** Nobody builds on what has ended; who does looks again. */
  #forgetEnded({ writes }: Checkpoint): void {
    const { runs, invocations } = this.#parts.state
    for (const { id, status } of writes.invocations)
      if (invocationMachine.final.has(status)) invocations.drop(id)
    if (writes.run !== null && runMachine.final.has(writes.run.status)) runs.drop(writes.run.id)
  }

  #forget({ expect, writes }: Checkpoint): void {
    const { runs, invocations, registers } = this.#parts.state
    if (expect.run !== undefined) runs.drop(expect.run.id)
    for (const { id } of expect.invocations) invocations.drop(id)
    for (const { id } of writes.invocations) invocations.drop(id)
    for (const { key } of expect.registers) registers.drop(key)
  }
}
