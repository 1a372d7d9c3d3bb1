/** The output policy as the workspace keeps it: one register, changed as a whole. */

import { createHash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { OutputPolicyReading } from '../../model/output/output-policy.ts'
import { defaultOutputPolicyDocument, readOutputPolicy } from '../../model/output/output-policy.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'

/** The register that holds it. */
export const outputPolicyKey = 'output-policy'

/** A policy as it is kept, or the built-in one. */
export interface KeptPolicy extends OutputPolicyReading {
  readonly document: JsonObject
  readonly hash: string
  readonly isDefault: boolean
  readonly changed: { readonly at: Instant; readonly by: string } | null
  readonly version: number
}

/** The policy in effect, with what is wrong with it. */
export async function loadPolicy(store: Store, partition: number): Promise<KeptPolicy> {
  const register = await store.load(partition, 'register', { key: outputPolicyKey })
  const version = register?.version ?? 0
  const value = register?.value ?? null
  // Nobody but `savePolicy` writes it.
  if (!isJsonObject(value) || !isJsonObject(value['document'])) {
    const document = defaultOutputPolicyDocument as unknown as JsonObject
    return { ...readingOf(document), isDefault: true, changed: null, version }
  }
  const changed = { at: Number(value['at']), by: textOf(value['by']) }
  return { ...readingOf(value['document']), isDefault: false, changed, version }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : 'local')

/** What a document says, without being in effect. */
export function readingOf(document: JsonObject): OutputPolicyReading & Pick<KeptPolicy, 'document' | 'hash'> {
  return { ...readOutputPolicy(document), document, hash: hashOf(document) }
}

/** Twelve characters tell the policies of a workspace apart. */
const hashOf = (document: JsonValue): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 12)

export interface PolicyWriter {
  readonly store: Store
  readonly partition: number
  readonly owner: string
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
}

/** Puts a policy in effect; null for the built-in one. Throws `output_policy_changed` for another version. */
export async function savePolicy(
  { store, partition, owner, clock, ids }: PolicyWriter,
  change: { readonly document: JsonObject | null; readonly version: number; readonly by: string },
): Promise<void> {
  const { document, version, by } = change
  const at = clock.now()
  const value = document === null ? null : { document, at, by }
  const lost = 'The output policy could not be changed: others change it all the time.'
  await moveRegister({ store, partition }, { key: outputPolicyKey, lost }, (register) => {
    if ((register?.version ?? 0) !== version) throw new SagasmithError('output_policy_changed')
    const checkpoint = registerCheckpoint({
      ...{ partition, key: outputPolicyKey, version, value: value ?? {}, at },
      opId: opId(`output-policy:${ids.next()}`),
      actor: { kind: 'operator', id: owner },
      cause: { kind: 'output-policy', by, detail: document === null ? null : hashOf(document) },
    })
    return { answer: null, checkpoint }
  })
}
