/** The checkpoint that writes one register, and nothing else. */

import type { Checkpoint } from '../model/checkpoint.ts'
import { noWrites } from '../model/checkpoint.ts'
import type { OpId } from '../model/ids.ts'
import type { Cause } from '../model/invocation.ts'
import type { Actor } from '../model/invocation-status.ts'
import type { JsonValue } from '../model/json.ts'
import type { Instant } from '../model/time.ts'

/** With its event; refused where the register has another version by then. */
export function registerCheckpoint(made: {
  readonly partition: number
  readonly opId: OpId
  readonly actor: Actor
  readonly at: Instant
  readonly key: string
  /** Before it; 0 for none. */
  readonly version: number
  readonly value: JsonValue
  readonly cause: Cause
}): Checkpoint {
  const { partition, opId, actor, at, key, version, value, cause } = made
  return {
    partition,
    opId,
    actor,
    at,
    expect: { invocations: [], registers: [{ key, version }] },
    writes: { ...noWrites, registers: [{ key, value }] },
    events: [{ runId: null, invocationId: null, cause, body: { type: 'register.changed', key, value } }],
  }
}
