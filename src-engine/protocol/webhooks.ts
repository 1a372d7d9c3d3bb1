/** Methods about web calls: where they are listened for, and the addresses. */

import type { ErrorRecord } from '../model/errors.ts'
import type { TriggerName } from '../model/trigger.ts'

/** Where web calls are listened for. */
export type WebhookListening =
  /** No webhook is published, or this process doesn't listen for any. */
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'listening'; readonly address: string; readonly port: number }
  /** Tried again from time to time. */
  | { readonly kind: 'failed'; readonly error: ErrorRecord }

export interface WebhookAddress extends TriggerName {
  readonly title: string | null
  readonly workflowTitle: string
  readonly method: string
  /** How callers prove who they are; `none` where nobody has to. */
  readonly auth: string
  /** Whoever has it may call; null while nothing listens. */
  readonly url: string | null
}

export interface WebhookList {
  readonly listening: WebhookListening
  readonly webhooks: readonly WebhookAddress[]
}

/** The methods of `webhooks.*`. */
export interface WebhooksApi {
  /** The published webhooks that this process serves. */
  readonly 'webhooks.list': { readonly input: Record<string, never>; readonly output: WebhookList }
}
