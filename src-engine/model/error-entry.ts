/** What the catalogue of errors says about each code. */

export interface ErrorEntry {
  /** What happened, in general. */
  readonly title: string
  /** What to do next. */
  readonly hint: string
  /** Whether trying again without a change can succeed. */
  readonly retryable: boolean
}

/** An entry of the catalogue; not retryable unless said so. */
export const entry = (title: string, hint: string, retryable = false): ErrorEntry => ({
  title,
  hint,
  retryable,
})
