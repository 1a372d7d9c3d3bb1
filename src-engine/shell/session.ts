/**
 * A command's line to an engine that outlives the engine: when the one it is attached to goes away, the
 * command attaches to the next one or opens the data directory itself, and goes on after its cursor.
 */

import { SagasmithError } from '../model/errors.ts'
import type { Cursor, EngineEvent } from '../model/event.ts'
import type { RunId } from '../model/ids.ts'
import type { RunStatus } from '../model/run-status.ts'
import { hasComeToRest } from '../model/run-status.ts'
import type { InputOf, Method, OutputOf } from '../protocol/api.ts'
import type { EngineClient, SubscriptionHandlers } from '../protocol/client.ts'
import type { Connection } from './connection.ts'
import { openConnection } from './connection.ts'
import type { EngineHostOptions } from './engine-host.ts'

export interface RunFollower {
  readonly events: (events: readonly EngineEvent[]) => void
  readonly live?: NonNullable<SubscriptionHandlers['live']>
  /** The end of an earlier generation is none: somebody had the run go on. Any end when absent. */
  readonly generation?: number
  /** Whether events are given with their hashes. */
  readonly hashes?: boolean
  /** Ends up to this place are none either: the run was seen going on after them. */
  readonly after?: Pick<EngineEvent, 'epoch' | 'seq'>
}

export interface Session {
  readonly connection: () => Connection
  /** A call that may safely be repeated: it is, when the engine goes away in the middle. */
  readonly call: <M extends Method>(method: M, input: InputOf<M>) => Promise<OutputOf<M>>
  /** Follows a run from its first event to its end. */
  readonly followRun: (runId: RunId, follower: RunFollower) => Promise<RunStatus>
  readonly close: () => Promise<void>
}

/** Engines that go away in a row: more than this means that opening is what takes them down. */
const reconnectsMax = 5

/** Opens a session on a data directory. */
export const openSession = (options: EngineHostOptions): Promise<Session> =>
  createSession(() => openConnection(options))

/** A session on whatever engine `connect` finds or makes; it is asked again when that one goes away. */
export async function createSession(connect: () => Promise<Connection>): Promise<Session> {
  let connection = await connect()
  let reconnecting: Promise<void> | null = null
  let closed = false
  const reconnect = async (lost: EngineClient): Promise<void> => {
    if (closed || connection.client !== lost) return
    await connection.close()
    connection = await connect()
  }
  /** Repeats what an engine that went away left undone. */
  const insist = async <T>(act: (client: EngineClient) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      const { client } = connection
      try {
        return await act(client)
      } catch (error) {
        const isLost = error instanceof SagasmithError && error.code === 'engine_stopped'
        if (!isLost || closed || attempt === reconnectsMax) throw error
        reconnecting ??= reconnect(client).finally(() => {
          reconnecting = null
        })
        await reconnecting
      }
    }
  }
  return {
    connection: () => connection,
    call: (method, input) => insist((client) => client.call(method, input)),
    followRun: (runId, follower) => {
      const place: Place = { cursor: [], generation: 0 }
      return insist((client) => followOnce(client, { runId, place, follower }))
    },
    close: async () => {
      closed = true
      await connection.close()
    },
  }
}

interface Place {
  cursor: Cursor
  /** The one that the events have come to. */
  generation: number
}

function followOnce(
  client: EngineClient,
  following: { readonly runId: RunId; readonly place: Place; readonly follower: RunFollower },
): Promise<RunStatus> {
  const { runId, place, follower } = following
  return new Promise((resolve, reject) => {
    const live = follower.live
    const stop = client.subscribe(
      { topic: { kind: 'run', runId }, cursor: place.cursor, hashes: follower.hashes === true },
      {
        events: (events, cursor) => {
          place.cursor = cursor
          follower.events(events)
          const end = finalStatus(events, place, follower)
          if (end === null) return
          stop()
          resolve(end)
        },
        ...(live === undefined ? {} : { live }),
        ended: reject,
      },
    )
  })
}

/** The status that ended the run, if these events did. */
function finalStatus(
  events: readonly EngineEvent[],
  place: Place,
  { generation = 0, after = { epoch: 0, seq: 0 } }: RunFollower,
): RunStatus | null {
  for (const { body, epoch, seq } of events) {
    if (body.type !== 'run.changed') continue
    place.generation = body.set.generation ?? place.generation
    const isNew = epoch > after.epoch || (epoch === after.epoch && seq > after.seq)
    if (isNew && hasComeToRest(body.to) && place.generation >= generation) return body.to
  }
  return null
}
