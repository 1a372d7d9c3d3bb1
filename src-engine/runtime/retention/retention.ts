/** What keeps the store from growing for ever. */

export interface Pruned {
  readonly runs: number
  readonly blobs: number
  readonly deadLetters: number
}

export interface Pruner {
  /** All that is over its bounds now. Throws `lock_busy` when another process is at it for long. */
  readonly prune: () => Promise<Pruned>
  readonly start: () => void
  readonly stop: () => void
}
