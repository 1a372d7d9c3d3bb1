/** What of a curl command proves who asks. */

import type { SecretKind } from '../../src-engine/model/secret.ts'

/** A value that proves who somebody is; it is not in the parameters. */
export interface CurlSecret {
  /** What it is, in words. */
  readonly title: string
  readonly kind: SecretKind
  readonly value: string
  /** Where in the parameters its text belongs. */
  readonly path: readonly [field: string, key?: string]
  /** Who is to get it; absent for the host that the request goes to. */
  readonly host?: string
}
