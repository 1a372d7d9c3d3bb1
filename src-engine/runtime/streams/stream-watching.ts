/** The streams that an engine reads, as others see them. */

export interface StreamWatcher {
  readonly start: () => void
  /** Resolves once nothing is being read any more. */
  readonly stop: () => Promise<void>
}
