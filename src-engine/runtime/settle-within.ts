/** Waits for a task's end, but not for ever once it was told to stop. */

import { SagasmithError } from '../model/errors.ts'
import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import type { Execution } from './execution.ts'

interface WaitingForTask {
  readonly clock: Clock
  readonly killGraceMs: Millis
  /** A task was told to stop and did not. */
  readonly leftBehind: (execution: Execution) => void
}

/** Once to be asked, once to be killed, and once for what is left of it. */
const gracesMax = 3

/** A task that doesn't listen to its signal is left behind after a while, so that the slot is free again. */
export function settleWithin<Outcome>(
  { clock, killGraceMs, leftBehind }: WaitingForTask,
  execution: Execution,
  work: Promise<Outcome>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let cancelGrace: () => void = noCall
    execution.onStop(() => {
      cancelGrace = clock.after(killGraceMs * gracesMax, () => {
        leftBehind(execution)
        reject(new SagasmithError('task_cancelled'))
      })
    })
    const ended = (): void => {
      execution.onStop(noCall)
      cancelGrace()
    }
    work.then(
      (outcome) => {
        ended()
        resolve(outcome)
      },
      (thrown: unknown) => {
        ended()
        reject(thrown)
      },
    )
  })
}

const noCall = (): void => {}
