/** What a store that seals its values tells those who work with it. */

import type { SagasmithError } from '../model/errors.ts'
import type { Payload } from '../model/payload.ts'

export interface StoreSealing {
  /** The key that this process seals with; null while it seals nothing. */
  readonly keyId: () => string | null
  /** What keeps this process from working there, so that it only reads; null when nothing does. */
  readonly problem: () => SagasmithError | null
  /** A name of a text that only who has the keys can make; null while nothing is sealed. */
  readonly nameOf: (text: string) => string | null
  /** Why a payload can't be read here. */
  readonly errorOf: (payload: Extract<Payload, { kind: 'sealed' }>) => SagasmithError
}
