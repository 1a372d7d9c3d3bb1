/**
 * The addresses of steps that wait for web calls, for an engine that is composed before anything listens: who
 * asks for one waits until it is known who does.
 */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Engine } from '../../runtime/engine.ts'
import type { CallbackUrls } from '../../runtime/task-host.ts'
import { callbackKeysOf } from '../../runtime/webhooks/callback-address.ts'
import type { WebhookAddresses, WebhookSettings } from './webhook-addresses.ts'
import { createWebhookAddresses } from './webhook-addresses.ts'
import type { WebhookServer } from './webhook-server.ts'

/** Who listens, once that is known. */
export interface CallbackServing {
  readonly engine: Pick<Engine, 'webhooks'>
  /** Null where another process does. */
  readonly server: Pick<WebhookServer, 'state' | 'onState' | 'refresh'> | null
}

export interface AttachedCallbackUrls extends CallbackUrls {
  readonly attach: (serving: CallbackServing) => void
}

export interface CallbackUrlsInput {
  readonly settings: WebhookSettings
  /** Where the key is; null where nobody but the setting knows it. */
  readonly keyFile: string | null
  /** Whether another process that listens does so on this machine, as the same settings say. */
  readonly isOneMachine: boolean
  readonly clock: Clock
}

/** Where the system chooses the port, the address is known once it is listened at. */
const listenWaitMs: Millis = 5 * second

export function createCallbackUrls(input: CallbackUrlsInput): AttachedCallbackUrls {
  const { settings, keyFile, isOneMachine } = input
  const addresses = createWebhookAddresses(settings, keyFile)
  const attached = Promise.withResolvers<CallbackServing>()
  return {
    attach: attached.resolve,
    urlOf: async (id) => {
      const { engine, server } = await attached.promise
      // Nobody knows where other machines listen when the settings don't say it.
      if (server === null && !isOneMachine && settings.webhookUrl === '') return null
      const key = await addresses.key()
      if (key === null) return null
      const isNews = await engine.webhooks.openCallbacks()
      if (isNews || server?.state().kind === 'off') await server?.refresh()
      const base = await baseUrl(input, addresses, server)
      return base === null ? null : base + callbackKeysOf(key).pathOf(id)
    },
  }
}

async function baseUrl(
  { clock }: CallbackUrlsInput,
  addresses: WebhookAddresses,
  server: CallbackServing['server'],
): Promise<string | null> {
  const known = addresses.place(server?.state() ?? { kind: 'off' }).baseUrl
  if (known !== null || server === null) return known
  return new Promise((resolve) => {
    const stop = server.onState((state) => {
      if (state.kind === 'listening') end()
    })
    const cancel = clock.after(listenWaitMs, () => end())
    const end = (): void => {
      stop()
      cancel()
      resolve(addresses.place(server.state()).baseUrl)
    }
  })
}
