/**
 * Writes that arrive in the same turn of the event loop share one transaction, and so one fsync; each is
 * still answered on its own. When the loop is idle, a write is committed at once. While another process
 * writes they wait in their order, and this process goes on with everything else.
 */

import type { BusyPauses } from './busy-pauses.ts'
import type { Database } from './connection.ts'
import { isBusy, isMediumFailure } from './sqlite-errors.ts'

/** Told the weight of all others that share its transaction. */
export type Operation<Answer> = (others: number) => Answer

/** A write that waits for its transaction. */
interface Waiting {
  readonly operation: Operation<unknown>
  /** About how many rows it writes. */
  readonly weight: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
  /** How long had been waited for others when it first met them; null when it hasn't. */
  busyFrom: number | null
}

export interface GroupCommit {
  /** Runs the operation inside the next transaction; resolves when that is durable. */
  readonly add: <Answer>(weight: number, operation: Operation<Answer>) => Promise<Answer>
  /** Commits what waits, now; what can't be is refused. */
  readonly drain: () => void
}

export interface GroupCommitOptions {
  /** The most rows that share a transaction; a single operation may have more. */
  readonly weightMax: number
  /** Between tries while another process writes. */
  readonly pauses: BusyPauses
  /** Called first in each transaction. */
  readonly begun: () => void
  /** Called last in each transaction. */
  readonly ending: () => void
  /** Called after a transaction was undone. */
  readonly undone: () => void
  /** Called after a transaction, with how many writes shared it. */
  readonly committed: (size: number) => void
  /** Turns what was thrown into what callers are told. */
  readonly failure: (thrown: unknown) => unknown
}

export function createGroupCommit(database: Database, options: GroupCommitOptions): GroupCommit {
  return new Group(database, options)
}

class Group implements GroupCommit {
  readonly #database: Database
  readonly #options: GroupCommitOptions
  readonly #begin
  readonly #end
  readonly #undo
  #queue: Waiting[] = []
  #scheduled = false
  /** Set while another process writes: nothing is tried before the pause is over. */
  #cancelPause: (() => void) | null = null
  #pausesInARow = 0
  /** All time waited for others; it is counted and not measured, as clocks jump. */
  #busyMs = 0
  #draining = false

  constructor(database: Database, options: GroupCommitOptions) {
    this.#database = database
    this.#options = options
    this.#begin = database.prepare('begin immediate')
    this.#end = database.prepare('commit')
    this.#undo = database.prepare('rollback')
  }

  add<Answer>(weight: number, operation: Operation<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      // The answer that comes back is this operation's own.
      const answered = resolve as (answer: unknown) => void
      this.#queue.push({ operation, weight, resolve: answered, reject, busyFrom: null })
      this.#schedule()
    })
  }

  drain(): void {
    this.#cancelPause?.()
    this.#cancelPause = null
    this.#draining = true
    while (this.#queue.length > 0) this.#flush()
    this.#draining = false
  }

  #schedule(): void {
    if (this.#scheduled || this.#cancelPause !== null) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#cancelPause !== null) return
    const batch = takeBatch(this.#queue, this.#options.weightMax)
    this.#queue = this.#queue.slice(batch.length)
    if (this.#queue.length > 0) this.#schedule()
    if (batch.length > 0) this.#commitBatch(batch)
  }

  /** False when another process writes: all of it waits. */
  #commitBatch(batch: readonly Waiting[]): boolean {
    let answers: readonly unknown[]
    try {
      answers = this.#transact(batch)
    } catch (thrown) {
      if (isBusy(thrown) && !this.#draining) {
        this.#waitForOthers(batch, thrown)
        return false
      }
      // One operation that can't be written must not take the others with it.
      if (batch.length > 1 && !isMediumFailure(thrown)) return this.#commitEach(batch)
      for (const { reject } of batch) reject(this.#options.failure(thrown))
      return true
    }
    this.#pausesInARow = 0
    for (let index = 0; index < batch.length; index += 1) batch[index]?.resolve(answers[index])
    this.#options.committed(batch.length)
    return true
  }

  #commitEach(batch: readonly Waiting[]): boolean {
    for (const [index, waiting] of batch.entries()) {
      if (this.#commitBatch([waiting])) continue
      // The one that met others is in the queue again, or refused; those behind it stay behind it.
      const rest = batch.slice(index + 1)
      const place = this.#queue[0] === waiting ? 1 : 0
      this.#queue = [...this.#queue.slice(0, place), ...rest, ...this.#queue.slice(place)]
      this.#schedule()
      return false
    }
    return true
  }

  #transact(batch: readonly Waiting[]): readonly unknown[] {
    this.#begin.run()
    try {
      this.#options.begun()
      let all = 0
      for (const { weight } of batch) all += weight
      const answers = batch.map(({ operation, weight }) => operation(all - weight))
      this.#options.ending()
      this.#end.run()
      return answers
    } catch (thrown) {
      // SQLite undoes some failures by itself.
      if (this.#database.inTransaction) this.#undo.run()
      this.#options.undone()
      throw thrown
    }
  }

  /** Back to the front, in order: later writes may build on earlier ones. Who has waited long is refused. */
  #waitForOthers(batch: readonly Waiting[], thrown: unknown): void {
    const { pauses, failure } = this.#options
    const { blockedMs, timeoutMs } = pauses
    const before = this.#busyMs
    this.#busyMs += blockedMs
    this.#queue = [...batch, ...this.#queue].filter((waiting) => {
      waiting.busyFrom ??= before
      if (this.#busyMs - waiting.busyFrom < timeoutMs) return true
      waiting.reject(failure(thrown))
      return false
    })
    if (this.#queue.length === 0) {
      this.#pausesInARow = 0
      return
    }
    const pauseMs = pauses.next(this.#pausesInARow)
    this.#pausesInARow += 1
    this.#cancelPause = pauses.after(pauseMs, () => {
      this.#busyMs += pauseMs
      this.#cancelPause = null
      this.#flush()
    })
  }
}

function takeBatch(queue: readonly Waiting[], weightMax: number): readonly Waiting[] {
  let weight = 0
  let count = 0
  for (const waiting of queue) {
    weight += waiting.weight
    if (count > 0 && weight > weightMax) break
    count += 1
  }
  return queue.slice(0, count)
}
