/** Results that are held back, and the policy that says which. */

import type { OutputPolicyApi } from '../../protocol/output-policy.ts'
import type { QuarantineApi } from '../../protocol/quarantine.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `quarantine.*` and `outputPolicy.*`. */
export function outputHandlers({
  engine,
}: Pick<HandlerDeps, 'engine'>): Handlers<keyof QuarantineApi | keyof OutputPolicyApi> {
  const { quarantine, policy, test } = engine.outputs
  return {
    'quarantine.list': (query) => quarantine.list(query),
    'quarantine.show': ({ invocationId }) => quarantine.show(invocationId),
    'quarantine.content': ({ invocationId, by }) => quarantine.content(invocationId, by),
    'quarantine.release': (request) => quarantine.release(request),
    'quarantine.discard': (request) => quarantine.discard(request),
    'outputPolicy.get': () => policy.view(),
    'outputPolicy.set': ({ document, ifHash = null, by }) =>
      policy.change({ document, ifHash, by: by ?? 'local' }),
    'outputPolicy.test': ({ document, sample }) => test(document, sample),
  }
}
