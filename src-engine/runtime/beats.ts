/**
 * How long an attempt may say nothing. A line of its log is a beat, and so is `context.beat()`; a program
 * that was paused has nothing to say.
 */

import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import type { Deadlines, ExpectedDeadline } from './deadlines.ts'
import type { Execution } from './execution.ts'

export interface Beats {
  readonly beat: () => void
  readonly cancel: () => void
  /** Whether it was silent for too long, and its attempt was told to end. */
  readonly fellSilent: () => boolean
}

/** Listens from now on; the timer is set again only when it rings, not with each beat. */
export function listenForBeats(
  { clock, deadlines }: { readonly clock: Clock; readonly deadlines: Deadlines },
  execution: Pick<Execution, 'stop' | 'deadlineAt'>,
  silentMsMax: Millis,
): Beats {
  let last = clock.monotonic()
  let isSilent = false
  let expected: ExpectedDeadline
  const expect = (span: Millis): void => {
    expected = deadlines.expect(clock.now() + span, look)
  }
  const look = (): void => {
    // Only a pause takes the attempt's own deadline away.
    if (execution.deadlineAt() === null) last = clock.monotonic()
    const left = last + silentMsMax - clock.monotonic()
    if (left > 0) return expect(left)
    isSilent = true
    execution.stop('timeout')
  }
  expect(silentMsMax)
  return {
    beat: () => {
      last = clock.monotonic()
    },
    cancel: () => expected.cancel(),
    fellSilent: () => isSilent,
  }
}
