/** How a command reaches an engine: the one that runs on the data directory, or one that it opens itself. */

import { SagasmithError } from '../model/errors.ts'
import type { Clock } from '../model/ports.ts'
import { createChannelPair } from '../protocol/channel-pair.ts'
import type { EngineClient } from '../protocol/client.ts'
import { createClient } from '../protocol/client.ts'
import { isProvenGone } from '../runtime/process-identity.ts'
import { systemClock } from '../runtime/system-ports.ts'
import { dataDirectory } from './data-directory.ts'
import type { LockHolder } from './data-lock.ts'
import { readLockHolder } from './data-lock.ts'
import type { EngineHost, EngineHostOptions } from './engine-host.ts'
import { connectLocal } from './local-socket.ts'

export interface Connection {
  readonly client: EngineClient
  /** The process whose engine this is; null when it is our own. */
  readonly attachedTo: LockHolder | null
  /** Our own engine; null when attached. */
  readonly host: EngineHost | null
  readonly close: () => Promise<void>
}

/** Somebody else opens or closes the directory just now: look again after this. */
const retryMs = 50
/** Opening and closing take a moment, never this long. */
const patienceMs = 20_000

/** Attaches to the running engine, or opens the data directory. */
export async function openConnection(options: EngineHostOptions): Promise<Connection> {
  const clock = options.clock ?? systemClock
  const until = clock.monotonic() + patienceMs
  for (;;) {
    const attached = await attachTo(options.dataDir)
    if (attached !== null) return attached
    try {
      return await openOwn(options)
    } catch (error) {
      const isBusy = error instanceof SagasmithError && error.code === 'data_directory_in_use'
      if (!isBusy || clock.monotonic() > until) throw error
      await pause(clock, retryMs)
    }
  }
}

/**
 * A connection to the engine that runs on the data directory, or through it to a cluster; null when there is
 * none that answers. Throws why the cluster can't be reached.
 */
export async function attachTo(dataDir: string, cluster?: string): Promise<Connection | null> {
  const holder = readLockHolder(dataDirectory(dataDir).lock)
  if (holder === null || isProvenGone(holder.process)) return null
  const channel = await connectLocal(holder.socket)
  if (channel === null) return null
  const client = createClient(channel, {
    token: null,
    isCommand: true,
    readsGroups: true,
    ...(cluster === undefined ? {} : { cluster }),
  })
  try {
    await client.welcome
  } catch (error) {
    // It is closing: the next look finds the directory free. Any other refusal is the answer.
    if (error instanceof SagasmithError && error.code === 'engine_stopped') return null
    throw error
  }
  return { client, attachedTo: holder, host: null, close: () => Promise.resolve(client.close()) }
}

async function openOwn(options: EngineHostOptions): Promise<Connection> {
  // Who attaches to an engine needs none of its code, which takes longest to load.
  const { openEngineHost } = await import('./engine-host.ts')
  const host = await openEngineHost(options)
  const [near, far] = createChannelPair()
  host.serve(far, { requireToken: null })
  const client = createClient(near, { token: null, isCommand: true, readsGroups: true })
  const close = async (): Promise<void> => {
    client.close()
    await host.close()
  }
  return { client, attachedTo: null, host, close }
}

const pause = (clock: Clock, span: number): Promise<void> =>
  new Promise((resolve) => clock.after(span, resolve))
