/** Sending a signal to a run: delivered or kept in one checkpoint, whoever sends it how often. */

import { deliverSignal } from '../../core/signals.ts'
import { opId } from '../../model/ids.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { Ids } from '../../model/ports.ts'
import type { SignalAnswer, SignalRequest } from '../../protocol/run-control.ts'
import type { Claimer } from '../claimer.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { MakeDecision } from '../run-book.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { surelyThere } from '../surely-there.ts'

export interface Signals {
  readonly send: (request: SignalRequest) => Promise<SignalAnswer>
}

export function createSignals(
  dependencies: RunnerDependencies,
  runner: Runner,
  services: { readonly claimer: Claimer; readonly payloads: PayloadStore; readonly ids: Ids },
): Signals {
  const { clock, book, store } = dependencies
  const { claimer, payloads, ids } = services
  return {
    send: async ({ runId, name, correlation, payload, messageId: given }) => {
      const messageId = given ?? `message_${ids.next()}`
      const kept = await payloads.keep(JSON.stringify(payload), taskOutputBytesMax)
      const signal = { messageId, name, correlation, payload: kept, at: clock.now() }
      dependencies.executor.failpoints('signal.before-commit')
      const make: MakeDecision = (state) => {
        const context = runner.context({
          actor: 'operator',
          cause: { kind: 'signal', by: messageId, detail: name },
          opId: opId(`signal:${runId}:${messageId}`),
          runId,
          claims: false,
        })
        return deliverSignal(state, context, { signal, value: payload, otherwise: 'keep' })
      }
      const decision = await surelyThere(store, runId, {
        look: () => book.decide(runId, make),
        isThere: (made) => made === null,
      })
      dependencies.executor.failpoints('signal.after-commit')
      claimer.poke()
      if (decision === null) return { messageId, outcome: 'repeated' }
      const { signals } = decision.changes.run
      const isKept = signals.some((buffered) => buffered.messageId === messageId)
      return { messageId, outcome: isKept ? 'kept' : 'delivered' }
    },
  }
}
