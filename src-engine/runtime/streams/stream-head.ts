/**
 * How far a stream is accounted for: a register that moves in the checkpoint that starts a run. Whoever reads the
 * stream reads this first, and what it starts is refused once anybody else has moved it since: so an entry that
 * its server hands out twice, after a crash or to two readers, starts one run.
 */

import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { SourceProblem, TriggerName } from '../../model/trigger.ts'
import type { RedisStreamParameters } from '../../triggers/redis-stream/spec.ts'
import type { RegisterAge, RegisterPlace } from '../register-look.ts'
import { lookAtRegister } from '../register-look.ts'
import type { GuardedWrite } from '../triggers/trigger-registers.ts'

/** Entries that are decided, and of which the group hasn't been told yet. */
export interface OpenEntries {
  /** Of which stream they are: a trigger may come to read another one. */
  readonly of: string
  readonly ids: readonly string[]
  /** The run that is to succeed before the group is told; null where nothing is waited for. */
  readonly runId: RunId | null
}

export interface StreamState {
  readonly open: readonly OpenEntries[]
  /** Why it isn't read; null while it is. */
  readonly problem: SourceProblem | null
  /** The entry that was decided last, and when. */
  readonly last: { readonly id: string; readonly at: Instant } | null
}

export interface StreamHead extends RegisterAge {
  readonly state: StreamState
}

/** All of them have keys with this beginning. */
const headPrefix = 'stream-head/'

const headKey = ({ workflowId, triggerId }: TriggerName): string =>
  `${headPrefix}${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}`

const untouched: StreamState = { open: [], problem: null, last: null }

/** Which stream of which server, read by which group. */
export const streamNameOf = ({ host, port, db, stream, consumerGroup }: RedisStreamParameters): string =>
  `${host.trim().toLowerCase()}:${port}/${db}/${JSON.stringify([stream, consumerGroup])}`

export async function loadHead(place: RegisterPlace, name: TriggerName): Promise<StreamHead> {
  const { register, epoch, version } = await lookAtRegister(place, headKey(name))
  return { epoch, version, state: readState(register?.value) }
}

function readState(value: JsonValue | undefined): StreamState {
  if (!isJsonObject(value) || !Array.isArray(value['open'])) return untouched
  // Nothing but this file writes registers of these keys.
  return value as unknown as StreamState
}

/** The write that makes it another one than was seen. */
export const headWrite = (
  name: TriggerName,
  { epoch, version }: RegisterAge,
  state: StreamState,
): GuardedWrite => ({ key: headKey(name), epoch, version, value: state as unknown as JsonValue })

/** The write that forgets it: nothing of it is open. */
export const headForgotten = (name: TriggerName, { epoch, version }: RegisterAge): GuardedWrite => ({
  key: headKey(name),
  epoch,
  version,
  value: null,
})
