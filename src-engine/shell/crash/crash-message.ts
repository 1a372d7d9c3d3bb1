/** What an engine and the worker that it starts to crash say to each other, a JSON text each. */

import type { CrashMoment } from '../../protocol/crash.ts'
import type { LentKey } from '../../runtime/vault/lent-key.ts'

export interface CrashOrder {
  readonly dataDir: string
  readonly runId: string
  readonly moment: CrashMoment
  readonly by: string
  /** The pools of the steps that it is to take. */
  readonly pools: readonly string[]
  /** Opens the vault that the engine has open; null where there is none. */
  readonly vaultKey: LentKey | null
}

export type CrashWord =
  /** It is a runner of the store, and resumes the run next. */
  | { readonly kind: 'ready'; readonly runnerId: string; readonly pid: number }
  /** It ended without having come to its moment, with so many steps done. */
  | { readonly kind: 'ended'; readonly steps: number }
  | { readonly kind: 'failed'; readonly message: string }
