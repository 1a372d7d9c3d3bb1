/** Whether a call of a webhook is from who may call it. */

import { basicProof, bearerProof } from './password-schemes.ts'
import type { Proof } from './proof.ts'
import { disbelieved } from './proof.ts'
import { githubProof, hmacProof, slackProof, standardProof, stripeProof } from './signed-schemes.ts'
import type { WebhookAuth } from './spec.ts'
import type { WebCall } from './web-call.ts'

/** The secrets that a webhook names: the one in use, and the one before it while senders change over. */
export function secretNamesOf(auth: WebhookAuth): readonly string[] {
  if (auth.kind === 'none') return []
  return auth.previousSecret === '' ? [auth.secret] : [auth.secret, auth.previousSecret]
}

/** Looks at a call. `keys` are the values of those secrets, as far as they are there. */
export function verifyCall(auth: WebhookAuth, call: WebCall, given: readonly string[]): Proof {
  if (auth.kind === 'none') return { kind: 'believed', messageId: null, tryId: null }
  // An empty key would let anybody sign.
  const keys = given.filter((key) => key !== '')
  if (keys.length === 0) return disbelieved('no_secret')
  if (auth.kind === 'hmac') return hmacProof(call, keys, auth)
  if (auth.kind === 'basic') return basicProof(call, auth.username, keys)
  return schemes[auth.kind](call, keys)
}

const schemes = {
  standard: standardProof,
  github: githubProof,
  stripe: stripeProof,
  slack: slackProof,
  bearer: bearerProof,
} as const
