/** Results that are held back, and the policy that says which. */

import type { OutputPolicyApi } from '../../protocol/output-policy.ts'
import type { QuarantineApi } from '../../protocol/quarantine.ts'
import { personHere } from '../person.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `quarantine.*` and `outputPolicy.*`. */
export function outputHandlers({
  engine,
}: Pick<HandlerDeps, 'engine'>): Handlers<keyof QuarantineApi | keyof OutputPolicyApi> {
  return {
    'quarantine.list': (query) => engine.outputs.quarantine.list(query),
    'quarantine.show': ({ invocationId }) => engine.outputs.quarantine.show(invocationId),
    'quarantine.content': ({ invocationId, by }) =>
      engine.outputs.quarantine.content(invocationId, by ?? personHere()),
    'quarantine.release': (request) =>
      engine.outputs.quarantine.release({ ...request, by: request.by ?? personHere() }),
    'quarantine.discard': (request) =>
      engine.outputs.quarantine.discard({ ...request, by: request.by ?? personHere() }),
    'outputPolicy.get': () => engine.outputs.policy.view(),
    'outputPolicy.set': ({ document, ifHash = null, by }) =>
      engine.outputs.policy.change({ document, ifHash, by: by ?? personHere() }),
    'outputPolicy.test': ({ document, sample }) => engine.outputs.test(document, sample),
  }
}
