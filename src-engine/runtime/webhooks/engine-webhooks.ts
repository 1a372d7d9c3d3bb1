/** The webhooks of an engine: their runs, and the outputs that callers wait for. */

import { recordOfThrown } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { hasComeToRest } from '../../model/run-status.ts'
import type { Engine } from '../engine.ts'
import type { EngineParts } from '../engine-parts.ts'
import { firePartsOf } from '../triggers/fire-parts.ts'
import type { WantedOutput } from './answer-call.ts'
import type { CallbackParts } from './answer-callback.ts'
import { createWebhookDesk } from './create-webhook-desk.ts'
import type { WebhookDesk } from './webhook-desk.ts'

type EngineOfCalls = Pick<Engine, 'waitForRun' | 'follow' | 'results'>

export function createEngineWebhooks(parts: EngineParts, engine: EngineOfCalls): WebhookDesk {
  const { clock, log } = parts.dependencies
  const value = async ({ runId, nodeId }: WantedOutput): Promise<JsonValue> => {
    // Keys of a document's nodes are node ids.
    const payload = await engine.results.read({ runId, nodeId: nodeId as NodeId | null })
    return parts.payloads.value(payload)
  }
  return createWebhookDesk({
    ...firePartsOf(parts),
    clock,
    log,
    host: parts.dependencies.executor.host,
    callbacks: callbackPartsOf(parts),
    value,
    waitForRun: (runId, signal) => engine.waitForRun(runId, signal),
    waitForStep: (wanted, signal) => stepEnd(engine, { wanted, signal, value }),
  })
}

function callbackPartsOf(parts: EngineParts): CallbackParts {
  const { dependencies, runner, claimer, payloads, definitions, ids } = parts
  return { dependencies, runner, claimer, payloads, definitions, ids, log: dependencies.log }
}

const notYet: ReadonlySet<string> = new Set(['result_not_ready', 'invocation_not_found'])

/** Resolves once the step has a result or will have none: looked at whenever something happens in its run. */
function stepEnd(
  engine: EngineOfCalls,
  look: {
    readonly wanted: WantedOutput
    readonly signal: AbortSignal
    readonly value: (wanted: WantedOutput) => Promise<JsonValue>
  },
): Promise<void> {
  const { wanted, signal } = look
  return new Promise((resolve, reject) => {
    let looking = Promise.resolve()
    const finish = (end: () => void): void => {
      stop()
      signal.removeEventListener('abort', aborted)
      end()
    }
    const aborted = (): void => finish(() => reject(signal.reason as Error))
    const lookOnce = async (): Promise<void> => {
      if (signal.aborted) return
      const isThere = await look.value(wanted).then(
        () => true,
        (thrown: unknown) => !notYet.has(recordOfThrown(thrown).code),
      )
      if (isThere) finish(resolve)
    }
    const stop = engine.follow({
      runId: wanted.runId,
      cursor: null,
      receive: (events) => {
        if (events.length > 0) looking = looking.then(lookOnce)
      },
    })
    signal.addEventListener('abort', aborted)
    // A run that ends without the step gives the caller that end.
    engine.waitForRun(wanted.runId, signal).then(
      (run) => hasComeToRest(run.status) && finish(resolve),
      () => undefined,
    )
  })
}
