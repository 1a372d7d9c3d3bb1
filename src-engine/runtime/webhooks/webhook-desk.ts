/** Webhooks of an engine: which there are, what their calls get, and the calls of their test addresses. */

import type { InvocationId, NodeId, WorkflowId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { FiringRecord, TriggerName, TriggerRecord } from '../../model/trigger.ts'
import type { WebhookCapture } from '../../model/webhook-capture.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { WebhookParameters } from '../../triggers/webhook/spec.ts'
import type { RegisterAge } from '../register-look.ts'
import type { ListenedCall } from './listener-message.ts'

/** The value of a secret; null when it isn't there or may not be used for this. */
export type SecretOfCalls = (name: string, trigger: TriggerName) => Promise<string | null>

/** The value of a secret of a step; null when it isn't there or may not be used for this. */
export type SecretOfStep = (
  name: string,
  step: { readonly workflowId: WorkflowId; readonly nodeId: NodeId },
) => Promise<string | null>

/** A webhook that takes calls now. */
export interface LiveWebhook extends TriggerName {
  readonly title: string | null
  readonly workflowTitle: string
  readonly parameters: WebhookParameters
}

/** A test address that takes calls now. */
export interface LiveTest extends TriggerName {
  readonly parameters: WebhookParameters
  readonly until: Instant
}

export interface CallToAnswer {
  readonly name: TriggerName
  readonly call: ListenedCall
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal
}

/** A call of a step's address. */
export interface CallOfStep {
  readonly id: InvocationId
  readonly call: ListenedCall
}

export interface WebhookDesk {
  /** Those that take calls now. */
  readonly list: () => Promise<readonly LiveWebhook[]>
  /** Test addresses that take calls now. */
  readonly tests: () => Promise<readonly LiveTest[]>
  /** Whether somebody may call a step of a run. */
  readonly areCallbacksOpen: () => Promise<boolean>
  /** Whether a step waits for a call now. */
  readonly isCallAwaited: () => Promise<boolean>
  /** Has calls of steps be listened for; answers whether that is news. */
  readonly openCallbacks: () => Promise<boolean>
  /** Has the step go on with a call, or keeps it for when it waits, and answers it. */
  readonly answerCallback: (call: CallOfStep, secret: SecretOfStep) => Promise<HttpAnswer>
  /** Another one whenever those lists may be others, beside tests whose time is over. */
  readonly age: () => Promise<RegisterAge>
  /** Calls after something was published or written that may make those lists others; answers the way to stop. */
  readonly watch: (changed: () => void) => () => void
  /** Starts what a call starts, and answers it. */
  readonly answer: (call: CallToAnswer, secret: SecretOfCalls) => Promise<HttpAnswer>
  /** Keeps a call of a test address, and answers it. */
  readonly capture: (call: CallToAnswer, secret: SecretOfCalls) => Promise<HttpAnswer>
  /** Has a test address take calls; of the parameters of a form, or null for those of the published trigger. */
  readonly openTest: (given: {
    readonly name: TriggerName
    readonly parameters: JsonObject | null
    readonly forMs: Millis
  }) => Promise<LiveTest>
  readonly closeTest: (name: TriggerName) => Promise<void>
  /** Newest first. */
  readonly captures: (name: TriggerName) => Promise<readonly WebhookCapture[]>
  /** Throws `capture_not_found`. */
  readonly showCapture: (
    captureId: string,
  ) => Promise<{ readonly capture: WebhookCapture; readonly call: JsonObject }>
  /** Answers how many there were. */
  readonly clearCaptures: (name: TriggerName) => Promise<number>
  /** Starts what a captured call would have, or records why it starts nothing. */
  readonly resend: (given: {
    readonly captureId: string
    readonly by: string | null
  }) => Promise<FiringRecord>
}

/** They went through the spec's schema when the trigger was published. */
export const parametersOf = ({ parameters }: Pick<TriggerRecord, 'parameters'>): WebhookParameters =>
  parameters as unknown as WebhookParameters
