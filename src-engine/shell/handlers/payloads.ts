/** The text of payloads, wherever they are kept. */

import type { Payload } from '../../model/payload.ts'
import { payloadBytes } from '../../runtime/payload-store.ts'
import { sealedValueError } from '../../runtime/sealing/value-seal.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `payloads.*` and `results.*`. */
export function payloadHandlers({
  engine,
}: Pick<HandlerDeps, 'engine'>): Handlers<'payloads.get' | 'results.get'> {
  const textOf = async (payload: Payload): Promise<{ readonly json: string }> => {
    if (payload.kind === 'inline') return { json: payload.json }
    if (payload.kind === 'sealed') throw sealedValueError(payload)
    const bytes = await payloadBytes(engine.store, payload)
    return { json: Buffer.from(bytes).toString('utf8') }
  }
  return {
    'payloads.get': ({ payload }) => textOf(payload),
    'results.get': async (wanted) => textOf(await engine.results.read(wanted)),
  }
}
