/** Methods about web calls: where they are listened for, the addresses, and trying one out. */

import type { ErrorRecord } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { FiringRecord, TriggerName } from '../model/trigger.ts'
import type { WebhookCapture } from '../model/webhook-capture.ts'

/** Where web calls are listened for. */
export type WebhookListening =
  /** No webhook is published, or this process doesn't listen for any. */
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'listening'; readonly address: string; readonly port: number }
  /** Tried again from time to time. */
  | { readonly kind: 'failed'; readonly error: ErrorRecord }

/** Where the settings have web calls listened for, also while nothing listens. */
export interface WebhookPlace {
  readonly address: string
  /** The one that is listened at while something listens; 0 while it is to be a free one. */
  readonly port: number
  /** What callers from outside see instead; null when nobody said. */
  readonly publicUrl: string | null
  /** What addresses begin with; null while the port isn't known. */
  readonly baseUrl: string | null
}

/** Calls of the test address are captured until then. */
export interface WebhookTest {
  /** Null while nothing listens, or where nobody here knows the key. */
  readonly url: string | null
  readonly until: Instant
}

export interface WebhookAddress extends TriggerName {
  readonly title: string | null
  readonly workflowTitle: string
  readonly method: string
  /** How callers prove who they are; `none` where nobody has to. */
  readonly auth: string
  /** Nobody has to prove anything: whoever learns the address can start the workflow. */
  readonly unsigned: boolean
  /** Whoever has it may call; null while nothing listens. */
  readonly url: string | null
  /** Null while nobody tries it out. */
  readonly test: WebhookTest | null
}

export interface WebhookList {
  readonly listening: WebhookListening
  readonly place: WebhookPlace
  readonly webhooks: readonly WebhookAddress[]
}

/** The methods of `webhooks.*`. */
export interface WebhooksApi {
  /** The published webhooks that this process serves. */
  readonly 'webhooks.list': { readonly input: Record<string, never>; readonly output: WebhookList }
  /** The addresses that a trigger has or will have, published or not. */
  readonly 'webhooks.address': {
    readonly input: TriggerName & { readonly path: string }
    readonly output: { readonly url: string | null; readonly testUrl: string | null }
  }
  /** The address of a step that waits for web calls; null where it waits for none, or nobody here knows it. */
  readonly 'webhooks.callback': {
    readonly input: { readonly invocationId: InvocationId }
    readonly output: { readonly url: string | null }
  }
  /**
   * Has the test address of a trigger take calls for a time: they are captured and start nothing. Parameters are
   * those of a form, or null for the published trigger's. Throws `trigger_not_found`, `bad_request`.
   */
  readonly 'webhooks.openTest': {
    readonly input: TriggerName & { readonly parameters: JsonObject | null; readonly forMs: Millis }
    readonly output: { readonly test: WebhookTest }
  }
  readonly 'webhooks.closeTest': { readonly input: TriggerName; readonly output: Record<string, never> }
  /** The last calls of the test address, newest first. */
  readonly 'webhooks.captures': {
    readonly input: TriggerName
    readonly output: { readonly test: WebhookTest | null; readonly captures: readonly WebhookCapture[] }
  }
  /** One of them with what a run would get, without what nobody may see. Throws `capture_not_found`. */
  readonly 'webhooks.capture': {
    readonly input: { readonly captureId: string }
    readonly output: { readonly capture: WebhookCapture; readonly call: JsonObject }
  }
  readonly 'webhooks.clearCaptures': {
    readonly input: TriggerName
    readonly output: { readonly cleared: number }
  }
  /**
   * Fires the published trigger with a captured call. Throws `capture_not_found`, `capture_cut`,
   * `trigger_not_found`.
   */
  readonly 'webhooks.resend': {
    readonly input: { readonly captureId: string; readonly by: string | null }
    readonly output: { readonly firing: FiringRecord }
  }
}
