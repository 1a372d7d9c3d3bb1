/** The answer of one check of `doctor`. */

/** What one look found. */
export interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** What to do; null when there is nothing to do. */
  readonly hint: string | null
}
