/**
 * Payloads for what is being executed: a store that can't answer for a while is no failure of the step, whose
 * effect may be done already. Values lie where their hash says, so asking again changes nothing.
 */

import { recordOfThrown } from '../model/errors.ts'
import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import type { PayloadStore } from './payload-store.ts'

const firstPauseMs: Millis = 100
const pauseMsMax: Millis = 2_000
/** Beyond this the attempt fails with what the store said. */
const patienceMs: Millis = 30_000

/** The same payloads; errors that may pass are waited for. */
export function patientPayloads(payloads: PayloadStore, clock: Pick<Clock, 'after'>): PayloadStore {
  const again = async <Value>(thrown: unknown, ask: () => Value | Promise<Value>): Promise<Value> => {
    let last = thrown
    let pauseMs = firstPauseMs
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pauseMs) {
      if (!recordOfThrown(last).retryable) throw last
      pauseMs = Math.min(pauseMs * 2, pauseMsMax)
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
      try {
        return await ask()
      } catch (next) {
        last = next
      }
    }
    throw last
  }
  return {
    keep: (json, bytesMax) => {
      const kept = payloads.keep(json, bytesMax)
      if (!(kept instanceof Promise)) return kept
      return kept.catch((thrown: unknown) => again(thrown, () => payloads.keep(json, bytesMax)))
    },
    keepFleeting: (json, summary) =>
      payloads
        .keepFleeting(json, summary)
        .catch((thrown: unknown) => again(thrown, () => payloads.keepFleeting(json, summary))),
    json: (payload) => {
      const json = payloads.json(payload)
      if (!(json instanceof Promise)) return json
      return json.catch((thrown: unknown) => again(thrown, () => payloads.json(payload)))
    },
    value: (payload) => {
      if (payload.kind === 'inline') return payloads.value(payload)
      const value = payloads.value(payload)
      if (!(value instanceof Promise)) return value
      return value.catch((thrown: unknown) => again(thrown, () => payloads.value(payload)))
    },
  }
}
