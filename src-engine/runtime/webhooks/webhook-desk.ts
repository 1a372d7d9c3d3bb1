/** Published webhooks: which there are, and what their calls get. */

import type { TriggerName } from '../../model/trigger.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { WebhookParameters } from '../../triggers/webhook/spec.ts'
import type { ListenedCall } from './listener-message.ts'

/** The value of a secret; null when it isn't there or may not be used for this. */
export type SecretOfCalls = (name: string, trigger: TriggerName) => Promise<string | null>

/** A webhook that takes calls now. */
export interface LiveWebhook extends TriggerName {
  readonly title: string | null
  readonly workflowTitle: string
  readonly parameters: WebhookParameters
}

export interface WebhookDesk {
  /** Those that take calls now. */
  readonly list: () => Promise<readonly LiveWebhook[]>
  /** Another number whenever that list may be another one. */
  readonly version: () => Promise<number>
  /** Starts what a call starts, and answers it. */
  readonly answer: (
    call: { readonly name: TriggerName; readonly call: ListenedCall; readonly signal: AbortSignal },
    secret: SecretOfCalls,
  ) => Promise<HttpAnswer>
}
