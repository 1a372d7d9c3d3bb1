/** Hears a call of a test address: it is kept with what the real address would have made of it, and starts nothing. */

import type { JsonObject } from '../../model/json.ts'
import { webhookCaptureBytesMax } from '../../model/limits.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { CaptureOutcome } from '../../model/webhook-capture.ts'
import { captureIdOf } from '../../model/webhook-capture.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import { jsonAnswer } from '../../triggers/webhook/answer-shape.ts'
import { redactedCall } from '../../triggers/webhook/redact-call.ts'
import type { WebCall } from '../../triggers/webhook/web-call.ts'
import { headerOf } from '../../triggers/webhook/web-call.ts'
import type { FireParts } from '../triggers/fire.ts'
import { keepCapture } from './captures.ts'
import type { CheckedCall, CheckParts } from './check-call.ts'
import { checkCall, signatureHeaderOf } from './check-call.ts'
import type { OpenTest } from './open-tests.ts'

export type CaptureParts = FireParts & CheckParts

/** Answers as if the sender had reached its goal: it is to be seen, not taught. */
export async function captureCall(
  parts: CaptureParts,
  given: { readonly test: OpenTest; readonly secrets: readonly string[]; readonly call: WebCall },
): Promise<HttpAnswer> {
  const { test, secrets, call } = given
  const { parameters, workflowId, triggerId } = test
  const name: TriggerName = { workflowId, triggerId }
  const checked = await checkCall(parts, { name, parameters, secrets, call })
  const isCut = call.body.length > webhookCaptureBytesMax
  const shown: JsonObject = redactedCall(call, {
    secrets,
    isCut,
    signatureHeader: signatureHeaderOf(parameters.auth),
  })
  await keepCapture(parts, {
    id: captureIdOf(name, { at: call.at, id: parts.ids.next() }),
    ...name,
    at: call.at,
    method: call.method,
    contentType: headerOf(call, 'content-type'),
    bodyBytes: call.body.length,
    isCut,
    remote: call.remote,
    outcome: outcomeOf(checked, test, call),
    payload: await parts.payloads.keep(JSON.stringify(shown)),
  })
  return checked.kind === 'answered' ? checked.answer : jsonAnswer(202, { isCaptured: true })
}

function outcomeOf(checked: CheckedCall, { parameters }: OpenTest, call: WebCall): CaptureOutcome {
  if (call.method !== parameters.method) {
    const words = `This address is called with ${parameters.method}, and not with ${call.method}.`
    return { kind: 'refused', status: 405, words }
  }
  if (checked.kind === 'answered') return { kind: 'ignored' }
  if (checked.kind === 'refused') {
    const { status, body } = checked.answer
    return { kind: 'refused', status, words: body.trim() }
  }
  const { wanted } = checked
  if (wanted.kind === 'input') return { kind: 'starts' }
  if (wanted.reason === 'filtered') return { kind: 'ignored' }
  return { kind: 'refused', status: 422, words: wanted.words }
}
