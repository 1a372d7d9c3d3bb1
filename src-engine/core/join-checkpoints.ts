/**
 * Two decisions about one run as one checkpoint: the second was made on the state as the first leaves it, and is
 * there with it or not at all.
 */

import type { Checkpoint, Writes } from '../model/checkpoint.ts'

/** More records than this are written by several: one of them must not hold up others for long. */
const recordsMax = 64

/**
 * The first with the second, which was made with `continues`; null where they must stay apart. Effects, permits and
 * letters of the first would be judged after what the second makes of them, and for want of a permit of the second
 * the first would be refused.
 */
export function joinCheckpoints(first: Checkpoint, second: Checkpoint): Checkpoint | null {
  if (hasSides(first.writes) || second.writes.take.length + second.expect.registers.length > 0) return null
  if (first.writes.invocations.length + second.writes.invocations.length > recordsMax) return null
  if (first.actor.kind !== second.actor.kind || first.actor.id !== second.actor.id) return null
  const { expect, writes } = first
  const written = new Map(writes.invocations.map((record) => [record.id, record]))
  const expected = second.expect.invocations.filter(({ id }) => !written.has(id))
  for (const record of second.writes.invocations) written.set(record.id, record)
  return {
    ...first,
    at: second.at,
    expect: { ...expect, invocations: [...expect.invocations, ...expected] },
    writes: {
      ...second.writes,
      invocations: [...written.values()],
      attempts: [...writes.attempts, ...second.writes.attempts],
    },
    events: [...first.events, ...second.events],
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
