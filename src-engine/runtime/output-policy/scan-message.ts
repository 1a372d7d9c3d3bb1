/** What the engine and the thread that scans results tell each other. */

import type { OutputMeta } from '../../core/output/compiled-policy.ts'
import type { ContentVerdict } from '../../core/output/judge.ts'
import type { OutputPolicy } from '../../model/output/output-policy.ts'

export interface ScanRequest {
  readonly policy: OutputPolicy
  /** The policy's; the same hash is the same policy. */
  readonly hash: string
  readonly meta: OutputMeta
  /** JSON text of the result. */
  readonly json: string
}

export type ScanMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly verdict: ContentVerdict }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

/** Looks into results. Throws `output_scan_too_slow`, `output_scan_failed`. */
export interface OutputScanner {
  readonly scan: (request: ScanRequest) => Promise<ContentVerdict>
  readonly close: () => Promise<void>
}
