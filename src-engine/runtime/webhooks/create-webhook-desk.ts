/** The desk of webhooks: lists them, and answers their calls. */

import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import { lookAtRegister } from '../register-look.ts'
import { catalogueKey, listTriggers } from '../triggers/trigger-registers.ts'
import { watchCatalogue } from '../triggers/watch-catalogue.ts'
import type { CallAnswerParts, WantedOutput } from './answer-call.ts'
import { answerCall, answerTestCall, webCallOf } from './answer-call.ts'
import type { CallbackParts } from './answer-callback.ts'
import { answerCallback } from './answer-callback.ts'
import { clearCaptures, listCaptures } from './captures.ts'
import { areCallbacksOpen, isCallAwaited, openCallbacks } from './open-callbacks.ts'
import { closeTest, listTests, openTest } from './open-tests.ts'
import { resendCapture, showCapture } from './resend-capture.ts'
import type { LiveWebhook, WebhookDesk } from './webhook-desk.ts'
import { parametersOf } from './webhook-desk.ts'

export interface WebhookDeskParts extends Omit<CallAnswerParts, 'output'> {
  readonly callbacks: CallbackParts
  readonly waitForRun: (runId: RunId, signal?: AbortSignal) => Promise<RunRecord>
  /** The value that a run or one of its steps gave; throws where there is none, or none yet. */
  readonly value: (wanted: WantedOutput) => Promise<JsonValue>
  /** Resolves at the end of a step, or of its run if that comes first. */
  readonly waitForStep: (wanted: WantedOutput, signal: AbortSignal) => Promise<void>
}

export function createWebhookDesk(given: WebhookDeskParts): WebhookDesk {
  const output = async (wanted: WantedOutput, signal: AbortSignal): Promise<JsonValue> => {
    if (wanted.nodeId === null) await given.waitForRun(wanted.runId, signal)
    else await given.waitForStep(wanted, signal)
    return given.value(wanted)
  }
  const parts = { ...given, output }
  return {
    list: () => liveWebhooks(parts),
    tests: () => listTests(parts),
    areCallbacksOpen: () => areCallbacksOpen(parts),
    isCallAwaited: () => isCallAwaited(parts),
    openCallbacks: () => openCallbacks(parts),
    answerCallback: ({ id, call }, secret) =>
      answerCallback(parts.callbacks, { id, call: webCallOf(call, parts.clock) }, secret),
    age: async () => {
      const { epoch, version } = await lookAtRegister(parts, catalogueKey)
      return { epoch, version }
    },
    watch: (changed) => watchCatalogue(parts, changed),
    answer: (call, secret) => answerCall(parts, call, secret),
    capture: (call, secret) => answerTestCall(parts, call, secret),
    openTest: (wanted) => openTest(parts, wanted),
    closeTest: (name) => closeTest(parts, name),
    captures: (name) => listCaptures(parts, name),
    showCapture: async (captureId) => {
      const { capture, call } = await showCapture(parts, captureId)
      const { payload: _payload, ...shown } = capture
      return { capture: shown, call }
    },
    clearCaptures: (name) => clearCaptures(parts, name),
    resend: (wanted) => resendCapture(parts, wanted),
  }
}

async function liveWebhooks(parts: CallAnswerParts): Promise<readonly LiveWebhook[]> {
  const all = (await listTriggers(parts)).map(({ record }) => record)
  return all
    .filter((record) => record.kind === 'webhook' && isTriggerOn(record))
    .map((record) => {
      const { workflowId, triggerId, title, workflowTitle } = record
      return { workflowId, triggerId, title, workflowTitle, parameters: parametersOf(record) }
    })
}
