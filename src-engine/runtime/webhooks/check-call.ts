/** What a web call is taken for: whether its caller is believed, what it says, and what a run of it would get. */

import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Logger } from '../../model/ports.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import { textAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { Proof } from '../../triggers/webhook/proof.ts'
import { readCall } from '../../triggers/webhook/read-call.ts'
import type { WebhookAuth, WebhookParameters } from '../../triggers/webhook/spec.ts'
import { verifyCall } from '../../triggers/webhook/verify-call.ts'
import type { WebCall } from '../../triggers/webhook/web-call.ts'
import type { ExpressionParts } from '../triggers/event-match.ts'
import type { WantedStart } from '../triggers/wanted-start.ts'
import { wantedStart } from '../triggers/wanted-start.ts'

export interface CheckParts extends ExpressionParts {
  readonly log: Logger
}

export type CheckedCall =
  | {
      readonly kind: 'accepted'
      readonly proof: Extract<Proof, { readonly kind: 'believed' }>
      readonly wanted: WantedStart
    }
  | { readonly kind: 'refused'; readonly answer: HttpAnswer }
  /** A question of the sender, which starts nothing. */
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }

export interface CallToCheck {
  readonly name: TriggerName
  readonly parameters: WebhookParameters
  /** The values of the secrets that the trigger names. */
  readonly secrets: readonly string[]
  readonly call: WebCall
}

/** Who called, and what they said. */
export async function checkCall(parts: CheckParts, given: CallToCheck): Promise<CheckedCall> {
  const { name, parameters, secrets, call } = given
  const { auth } = parameters
  const proof = verifyCall(auth, call, secrets)
  if (proof.kind === 'disbelieved') {
    parts.log.warn('webhook.disbelieved', { ...name, reason: proof.reason, remote: call.remote })
    return { kind: 'refused', answer: disbelief(auth) }
  }
  const read = readCall(call, signatureHeaderOf(auth))
  if (read.kind === 'unreadable') return { kind: 'refused', answer: textAnswer(400, read.text) }
  const challenge = slackChallenge(auth, read.payload)
  if (challenge !== null) return { kind: 'answered', answer: textAnswer(200, challenge) }
  const id = proof.messageId ?? proof.tryId ?? 'call'
  const said = { id, name: parameters.path, payload: read.payload, at: call.at }
  const wanted = await wantedStart(parts, parameters, said)
  return { kind: 'accepted', proof, wanted }
}

/** A header of choice that signatures come in, in lower case; empty for the usual ones. */
export const signatureHeaderOf = (auth: WebhookAuth): string =>
  auth.kind === 'hmac' ? auth.header.toLowerCase() : ''

/** The same for every reason: who isn't believed learns nothing of how close it came. */
function disbelief(auth: WebhookAuth): HttpAnswer {
  const answer = textAnswer(401, 'This call is not believed.')
  const challenge = auth.kind === 'basic' ? { 'www-authenticate': 'Basic realm="webhook"' } : {}
  return { ...answer, headers: { ...answer.headers, ...challenge } }
}

/** Slack asks once whether the address is its user's; that starts nothing. */
function slackChallenge(auth: WebhookAuth, { body }: JsonObject): string | null {
  if (auth.kind !== 'slack' || !isJsonObject(body) || body['type'] !== 'url_verification') return null
  return typeof body['challenge'] === 'string' ? body['challenge'] : null
}
