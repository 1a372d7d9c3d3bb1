/**
 * Which partitions answer. One whose server is away holds up nobody who asks all of them: its part is left out of
 * the answer, named as missing, and asked for beside everything else until it is back.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { MissingPartition } from '../../model/missing-partition.ts'
import type { Clock } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'

/** What a partition answered. */
export interface Answered<Answer> {
  readonly partition: number
  readonly answer: Answer
}

export interface Reach {
  /**
   * Asks these at once, and gives what those answer that can be reached. Rejects when none of them can, and with
   * what is wrong where that is not the way to the server.
   */
  readonly ask: <Answer>(
    partitions: readonly number[],
    question: (partition: number) => Promise<Answer>,
  ) => Promise<readonly Answered<Answer>[]>
  /** Waits as long as for any answer; null when it takes longer, and then `late` is told what comes. */
  readonly wait: <Answer>(answer: Promise<Answer>, late: (answer: Answer) => void) => Promise<Answer | null>
  readonly isAway: (partition: number) => boolean
  readonly missing: () => readonly MissingPartition[]
}

export interface ReachOptions {
  /** Absent where every partition is in this process. */
  readonly clock?: Pick<Clock, 'now' | 'after'>
  /** Told when a partition can't be reached any more, and when it can again. */
  readonly onAway?: (partition: MissingPartition) => void
  readonly onBack?: (partition: MissingPartition) => void
}

/** Longer than an answer takes that comes; shorter than a failover. */
export const soonMs: Millis = 1_000

/** All partitions are believed to be there. */
export function createReach(options: ReachOptions): Reach {
  return options.clock === undefined ? everywhere : new PartitionReach(options, options.clock)
}

/** Nothing is ever away. */
const everywhere: Reach = {
  ask: (partitions, question) =>
    Promise.all(partitions.map(async (partition) => ({ partition, answer: await question(partition) }))),
  wait: (answer) => answer,
  isAway: () => false,
  missing: () => [],
}

const tooLate = Symbol('later than the others')

interface Away {
  readonly partition: number
  readonly since: Instant
  readonly error: SagasmithError
  /** Whether it is being asked; nobody waits for that. */
  asked: boolean
}

class PartitionReach implements Reach {
  readonly #options: ReachOptions
  readonly #clock: Pick<Clock, 'now' | 'after'>
  readonly #away = new Map<number, Away>()

  constructor(options: ReachOptions, clock: Pick<Clock, 'now' | 'after'>) {
    this.#options = options
    this.#clock = clock
  }

  isAway = (partition: number): boolean => this.#away.has(partition)

  missing = (): readonly MissingPartition[] => [...this.#away.values()].map(told)

  ask = async <Answer>(
    partitions: readonly number[],
    question: (partition: number) => Promise<Answer>,
  ): Promise<readonly Answered<Answer>[]> => {
    const { soon, cancel } = this.#soon()
    try {
      const answers = await Promise.all(
        partitions.map(async (partition): Promise<Answered<Answer> | null> => {
          if (this.#away.has(partition)) {
            this.#probe(partition, question)
            return null
          }
          const answer = await this.#within(soon, partition, question(partition))
          return answer === tooLate ? null : { partition, answer }
        }),
      )
      const found = answers.filter((answer) => answer !== null)
      if (found.length === 0 && partitions.length > 0) throw this.#nobody(partitions)
      return found
    } finally {
      cancel()
    }
  }

  wait = async <Answer>(answer: Promise<Answer>, late: (answer: Answer) => void): Promise<Answer | null> => {
    const { soon, cancel } = this.#soon()
    try {
      const given = await Promise.race([answer, soon])
      if (given !== tooLate) return given
      // Who failed late has nothing to hand over.
      answer.then(late, () => undefined)
      return null
    } finally {
      cancel()
    }
  }

  #soon(): { readonly soon: Promise<typeof tooLate>; readonly cancel: () => void } {
    let cancel: () => void = () => undefined
    const soon = new Promise<typeof tooLate>((resolve) => {
      cancel = this.#clock.after(soonMs, () => resolve(tooLate))
    })
    return { soon, cancel }
  }

  async #within<Answer>(
    soon: Promise<typeof tooLate>,
    partition: number,
    answer: Promise<Answer>,
  ): Promise<Answer | typeof tooLate> {
    try {
      const given = await Promise.race([answer, soon])
      if (given !== tooLate) {
        this.#isBack(partition)
        return given
      }
    } catch (thrown) {
      if (!isUnreachable(thrown)) throw thrown
      this.#isGone(partition, thrown)
      return tooLate
    }
    const away = this.#isGone(partition, silent(partition))
    away.asked = true
    // What comes of it says whether it is back.
    answer.then(
      () => this.#isBack(partition),
      (thrown: unknown) => this.#failedAgain(partition, thrown),
    )
    return tooLate
  }

  /** Asks beside everything else, one question at a time. */
  #probe(partition: number, question: (partition: number) => Promise<unknown>): void {
    const away = this.#away.get(partition)
    if (away === undefined || away.asked) return
    away.asked = true
    question(partition).then(
      () => this.#isBack(partition),
      (thrown: unknown) => this.#failedAgain(partition, thrown),
    )
  }

  #failedAgain(partition: number, thrown: unknown): void {
    const away = this.#away.get(partition)
    if (away === undefined) return
    // What is wrong otherwise is told to whoever asks next.
    if (!isUnreachable(thrown)) this.#isBack(partition)
    else this.#away.set(partition, { ...away, error: thrown, asked: false })
  }

  #isGone(partition: number, error: SagasmithError): Away {
    const known = this.#away.get(partition)
    if (known !== undefined) return known
    const away: Away = { partition, since: this.#clock.now(), error, asked: false }
    this.#away.set(partition, away)
    this.#options.onAway?.(told(away))
    return away
  }

  #isBack(partition: number): void {
    const away = this.#away.get(partition)
    if (away === undefined) return
    this.#away.delete(partition)
    this.#options.onBack?.(told(away))
  }

  #nobody(partitions: readonly number[]): SagasmithError {
    const [first = partitions[0]] = partitions.filter((partition) => this.#away.has(partition))
    return this.#away.get(first ?? 0)?.error ?? silent(first ?? 0)
  }
}

const told = ({ partition, since, error: { code, message } }: Away): MissingPartition => {
  return { partition, since, code, message }
}

const silent = (partition: number): SagasmithError =>
  new SagasmithError('redis_timeout', {
    message: `Partition ${partition} of the store doesn’t answer.`,
    details: { partition },
  })

/** Whether it may be reached again by itself. */
const isUnreachable = (thrown: unknown): thrown is SagasmithError =>
  thrown instanceof SagasmithError && thrown.retryable
