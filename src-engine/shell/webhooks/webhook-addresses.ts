/** The addresses of webhooks: what they begin with, as the settings have it, and their secret parts. */

import type { ShellSettings } from '../../model/settings/shell-settings.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { WebhookPlace } from '../../protocol/webhooks.ts'
import type { AddressRoot } from '../../runtime/webhooks/listener-message.ts'
import type { ListenerState } from '../../runtime/webhooks/listener-process.ts'
import { addressPath } from '../../runtime/webhooks/webhook-address.ts'
import { webhookKeyOf } from './webhook-key.ts'

export type WebhookSettings = Pick<
  ShellSettings,
  'webhookAddress' | 'webhookPort' | 'webhookUrl' | 'webhookKey'
>

export interface WebhookAddresses {
  readonly place: (state: ListenerState) => WebhookPlace
  /** The key, which is made when there is none; null where nobody but the listening process knows it. */
  readonly key: () => Promise<Uint8Array | null>
}

/** What is behind the secret part. */
export interface AddressEnd {
  readonly root: AddressRoot
  readonly path: string
}

/** `file` is the key's; null where others listen, which may have another one. */
export function createWebhookAddresses(settings: WebhookSettings, file: string | null): WebhookAddresses {
  const { webhookKey, webhookAddress: address, webhookPort, webhookUrl } = settings
  let key: Promise<Uint8Array> | null = null
  return {
    place: (state) => {
      const port = state.kind === 'listening' ? state.port : webhookPort
      const publicUrl = webhookUrl === '' ? null : webhookUrl.replace(/\/+$/, '')
      const host = address.includes(':') ? `[${address}]` : address
      const own = port === 0 ? null : `http://${host}:${port}`
      return { address, port, publicUrl, baseUrl: publicUrl ?? own }
    },
    key: async () => {
      if (file === null && webhookKey === '') return null
      key ??= webhookKeyOf({ setting: webhookKey, file: file ?? '' })
      try {
        return await key
      } catch (thrown) {
        // It may be put right meanwhile.
        key = null
        throw thrown
      }
    },
  }
}

/** A whole address; null while nobody knows what it begins with. */
export const urlOf = (
  { baseUrl }: WebhookPlace,
  key: Uint8Array | null,
  { name, end }: { readonly name: TriggerName; readonly end: AddressEnd },
): string | null => (baseUrl === null || key === null ? null : baseUrl + addressPath(key, name, end))
