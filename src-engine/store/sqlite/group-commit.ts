/**
 * Writes that arrive in the same turn of the event loop share one transaction, and so one fsync; each is
 * still answered on its own. When the loop is idle, a write is committed at once.
 */

import type { Database } from './connection.ts'
import { isMediumFailure } from './sqlite-errors.ts'

/** A write that waits for its transaction. */
interface Waiting {
  readonly operation: () => unknown
  /** About how many rows it writes. */
  readonly weight: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
}

export interface GroupCommit {
  /** Runs the operation inside the next transaction; resolves when that is durable. */
  readonly add: <Answer>(weight: number, operation: () => Answer) => Promise<Answer>
  /** Commits what waits, now. */
  readonly drain: () => void
}

export interface GroupCommitOptions {
  /** The most rows that share a transaction; a single operation may have more. */
  readonly weightMax: number
  /** Called first in each transaction. */
  readonly begun: () => void
  /** Called after a transaction was undone. */
  readonly undone: () => void
  /** Called after a transaction, with how many writes shared it. */
  readonly committed: (size: number) => void
  /** Turns what was thrown into what callers are told. */
  readonly failure: (thrown: unknown) => unknown
}

export function createGroupCommit(database: Database, options: GroupCommitOptions): GroupCommit {
  const begin = database.prepare('begin immediate')
  const end = database.prepare('commit')
  const undo = database.prepare('rollback')
  let queue: Waiting[] = []
  let scheduled = false

  const transact = (batch: readonly Waiting[]): readonly unknown[] => {
    begin.run()
    try {
      options.begun()
      const answers = batch.map(({ operation }) => operation())
      end.run()
      return answers
    } catch (thrown) {
      // SQLite undoes some failures by itself.
      if (database.inTransaction) undo.run()
      options.undone()
      throw thrown
    }
  }
  const commitBatch = (batch: readonly Waiting[]): void => {
    let answers: readonly unknown[]
    try {
      answers = transact(batch)
    } catch (thrown) {
      // One operation that can't be written must not take the others with it.
      if (batch.length > 1 && !isMediumFailure(thrown)) for (const waiting of batch) commitBatch([waiting])
      else for (const { reject } of batch) reject(options.failure(thrown))
      return
    }
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index])
    options.committed(batch.length)
  }
  const flush = (): void => {
    scheduled = false
    const batch = takeBatch(queue, options.weightMax)
    queue = queue.slice(batch.length)
    if (queue.length > 0) schedule()
    if (batch.length > 0) commitBatch(batch)
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }
  return {
    add: <Answer>(weight: number, operation: () => Answer) =>
      new Promise<Answer>((resolve, reject) => {
        // The answer that comes back is this operation's own.
        queue.push({ operation, weight, resolve: resolve as (answer: unknown) => void, reject })
        schedule()
      }),
    drain() {
      while (queue.length > 0) flush()
    },
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
