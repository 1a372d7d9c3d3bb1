/**
 * Units of one partition that need nothing of each other: what is asked for in the same turn of the event loop, or while a
 * call is under way, goes with the next call. Permits are taken and given back one step at a time, by many steps at once.
 */

import { commitBatchMax } from '../../model/limits.ts'
import type { Applier } from './apply.ts'
import type { PartitionState } from './partition-state.ts'
import { createTurn } from './turn.ts'
import type { Unit, UnitAnswer } from './unit.ts'

type Answers = readonly UnitAnswer[] | null

interface Job {
  readonly units: readonly Unit[]
  readonly resolve: (answers: Answers) => void
  readonly reject: (reason: unknown) => void
}

/** Each is answered as if it had been sent alone, in the order in which they were asked for. */
export function inBatches({ apply }: Pick<Applier, 'apply'>): Pick<Applier, 'apply'> {
  const queues = new Map<PartitionState, Job[]>()
  const turn = createTurn()
  const send = async (state: PartitionState, batch: readonly Job[]): Promise<void> => {
    try {
      const answers = await apply(
        state,
        batch.flatMap(({ units }) => units),
      )
      let next = 0
      for (const { units, resolve } of batch) {
        resolve(answers === null ? null : answers.slice(next, next + units.length))
        next += units.length
      }
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown)
    }
  }
  const drain = async (state: PartitionState, queue: Job[]): Promise<void> => {
    while (queue.length > 0) await send(state, queue.splice(0, commitBatchMax))
    queues.delete(state)
  }
  return {
    apply: (state, units) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(state)
        const job = { units, resolve, reject }
        if (queue !== undefined) {
          queue.push(job)
          return
        }
        const begun = [job]
        queues.set(state, begun)
        turn.end(() => void drain(state, begun))
      }),
  }
}
