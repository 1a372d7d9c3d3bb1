/** Puts signatures beside published versions; whether they are worth anything is for each runner to say. */

import { noWrites } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { DefinitionSignature } from '../../model/trust.ts'
import { readSignatures, signaturesMax, signaturesRegister } from '../../model/trust.ts'
import type { EngineParts } from '../engine-parts.ts'
import { isSignatureOf } from './signing.ts'

/** Others may sign in between; more often in a row than this they don't. */
const triesMax = 20

/**
 * Keeps a signature of a published version; one that is there already changes nothing, and a key's newer one
 * takes the place of its older. Throws `workflow_not_found`, and `bad_request` for what is no signature of it.
 */
export async function keepSignature(
  { dependencies, definitions, ids }: Pick<EngineParts, 'dependencies' | 'definitions' | 'ids'>,
  hash: DefinitionHash,
  signature: DefinitionSignature,
): Promise<void> {
  const { store, partition, clock, runnerId } = dependencies
  await definitions.version(hash)
  if (!isSignatureOf(hash, signature)) {
    throw new SagasmithError('bad_request', {
      message: `That is no signature of ${hash} by the key ${signature.key}.`,
    })
  }
  const key = signaturesRegister(hash)
  for (let tries = 0; tries < triesMax; tries += 1) {
    const register = await store.load(partition, 'register', { key })
    const kept = readSignatures(register?.value)
    if (kept.some((item) => item.key === signature.key && item.signature === signature.signature)) return
    const others = kept.filter((item) => item.key !== signature.key).slice(1 - signaturesMax)
    const value: JsonValue = [...others, signature].map((item) => ({ ...item }))
    const [answer] = await store.commit(partition, [
      {
        partition,
        opId: opId(`sign:${ids.next()}`),
        actor: { kind: 'operator', id: runnerId },
        at: clock.now(),
        expect: { invocations: [], registers: [{ key, version: register?.version ?? 0 }] },
        writes: { ...noWrites, registers: [{ key, value }] },
        events: [
          {
            runId: null,
            invocationId: null,
            cause: { kind: 'signature', by: runnerId, detail: signature.key },
            body: { type: 'register.changed', key, value },
          },
        ],
      },
    ])
    if (answer?.kind === 'accepted') return
  }
  throw new SagasmithError('lost_race', {
    message: `The version ${hash} could not be signed: others sign it all the time.`,
  })
}
