/** What a person says of a step whose runner died under it: nobody knows whether it had its effect. */

import type { PersonDecision } from '../../core/requests.ts'
import { resolveByPerson } from '../../core/requests.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { ResolveDecision } from '../engine.ts'
import type { EngineParts } from '../engine-parts.ts'

/** Throws `invocation_not_found` and `not_awaiting_decision`. */
export async function resolveEffect(
  parts: Pick<EngineParts, 'dependencies' | 'runner' | 'payloads' | 'claimer'>,
  {
    runId,
    invocationId,
    decision,
  }: { readonly runId: RunId; readonly invocationId: InvocationId; readonly decision: ResolveDecision },
): Promise<void> {
  const { dependencies, runner, payloads } = parts
  const resolved: PersonDecision =
    decision.kind === 'take-as-done'
      ? { kind: decision.kind, output: await payloads.keep(JSON.stringify(decision.output)) }
      : decision
  let isKnown = false
  const made = await dependencies.book.decide(runId, (state) => {
    const record = state.invocations.get(invocationId)
    isKnown = record !== undefined
    const context = runner.context({
      actor: 'operator',
      cause: { kind: 'decision', by: decision.by ?? 'local', detail: decision.kind },
      opId: opId(`resolve:${invocationId}:${record?.version ?? 0}`),
      runId,
      claims: false,
    })
    return resolveByPerson(state, context, { id: invocationId, decision: resolved })
  })
  const details = { runId, invocationId }
  if (!isKnown) throw new SagasmithError('invocation_not_found', { details })
  if (made === null) throw new SagasmithError('not_awaiting_decision', { details })
  parts.claimer.poke()
}
