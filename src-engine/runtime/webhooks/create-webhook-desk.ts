/** The desk of webhooks: lists them, and answers their calls. */

import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import type { TriggerName } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type { WebhookParameters } from '../../triggers/webhook/spec.ts'
import type { FireParts } from '../triggers/fire.ts'
import { catalogueKey } from '../triggers/registration.ts'
import { listTriggers, loadTrigger } from '../triggers/trigger-registers.ts'
import type { CallAnswerParts, WantedOutput } from './answer-call.ts'
import { answerCall } from './answer-call.ts'
import { startCall } from './start-call.ts'
import type { WebhookDesk } from './webhook-desk.ts'

export interface WebhookDeskParts extends FireParts {
  readonly clock: Clock
  readonly log: Logger
  readonly waitForRun: (runId: RunId, signal?: AbortSignal) => Promise<RunRecord>
  /** The value that a run or one of its steps gave; throws where there is none, or none yet. */
  readonly value: (wanted: WantedOutput) => Promise<JsonValue>
  /** Resolves at the end of a step, or of its run if that comes first. */
  readonly waitForStep: (wanted: WantedOutput, signal: AbortSignal) => Promise<void>
}

export function createWebhookDesk(parts: WebhookDeskParts): WebhookDesk {
  const output = async (wanted: WantedOutput, signal: AbortSignal): Promise<JsonValue> => {
    if (wanted.nodeId === null) await parts.waitForRun(wanted.runId, signal)
    else await parts.waitForStep(wanted, signal)
    return parts.value(wanted)
  }
  const { clock, log } = parts
  const common = {
    clock,
    log,
    output,
    loadTrigger: (name: TriggerName) => loadTrigger(parts, name),
    start: (given: Parameters<CallAnswerParts['start']>[0]) => startCall(parts, given),
  }
  return {
    list: async () =>
      (await listTriggers(parts))
        .map(({ record }) => record)
        .filter((record) => record.kind === 'webhook' && isTriggerOn(record))
        .map(({ workflowId, triggerId, title, workflowTitle, parameters }) => ({
          workflowId,
          triggerId,
          title,
          workflowTitle,
          // They went through the spec's schema when the trigger was published.
          parameters: parameters as unknown as WebhookParameters,
        })),
    version: async () =>
      (await parts.store.load(parts.partition, 'register', { key: catalogueKey }))?.version ?? 0,
    answer: (call, secret) => answerCall({ ...common, secret }, call),
  }
}
