/** When an attempt's time is over. */

import type { Clock } from '../model/ports.ts'
import type { Instant } from '../model/time.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { Deadlines, ExpectedDeadline } from './deadlines.ts'
import type { Execution } from './execution.ts'

const noCall = (): void => {}
const noDeadline: ExpectedDeadline = { cancel: noCall, isPast: () => false }

/** Begins to expect the attempt's deadline, if it has one. */
export function armTimeout(
  { clock, deadlines }: { readonly clock: Pick<Clock, 'now'>; readonly deadlines: Deadlines },
  work: Pick<AttemptWork, 'record'>,
  execution: Execution,
): ExpectedDeadline {
  const { deadlineAt } = work.record
  if (deadlineAt === null) return noDeadline
  execution.setDeadline(deadlineAt)
  if (deadlineAt <= clock.now()) {
    // A deadline that passed while nobody was there fails the step without running it.
    execution.stop('timeout')
    return noDeadline
  }
  return new AttemptDeadline(deadlines, execution, deadlineAt)
}

/** The deadline that counts now: a pause takes it away, and going on gives a later one. */
class AttemptDeadline implements ExpectedDeadline {
  readonly #execution: Execution
  #expected: ExpectedDeadline

  constructor(deadlines: Deadlines, execution: Execution, at: Instant) {
    const stop = (): void => execution.stop('timeout')
    this.#execution = execution
    this.#expected = deadlines.expect(at, stop)
    execution.onDeadline((next) => {
      this.#expected.cancel()
      this.#expected = next === null ? noDeadline : deadlines.expect(next, stop)
    })
  }

  cancel(): void {
    this.#execution.onDeadline(noCall)
    this.#expected.cancel()
  }

  isPast(): boolean {
    return this.#expected.isPast()
  }
}
