/** Puts signatures beside published versions; whether they are worth anything is for each runner to say. */

import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { DefinitionSignature } from '../../model/trust.ts'
import { readSignatures, signaturesMax, signaturesRegister } from '../../model/trust.ts'
import type { EngineParts } from '../engine-parts.ts'
import { moveRegister } from '../move-register.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'
import { isSignatureOf } from './signing.ts'

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
  const lost = `The version ${hash} could not be signed: others sign it all the time.`
  await moveRegister({ store, partition }, { key, lost }, (register) => {
    const kept = readSignatures(register?.value)
    if (kept.some((item) => item.key === signature.key && item.signature === signature.signature))
      return { answer: null, checkpoint: null }
    const others = kept.filter((item) => item.key !== signature.key).slice(1 - signaturesMax)
    const checkpoint = registerCheckpoint({
      ...{ partition, key, version: register?.version ?? 0, at: clock.now() },
      value: [...others, signature].map((item) => ({ ...item })),
      opId: opId(`sign:${ids.next()}`),
      actor: { kind: 'operator', id: runnerId },
      cause: { kind: 'signature', by: runnerId, detail: signature.key },
    })
    return { answer: null, checkpoint }
  })
}
