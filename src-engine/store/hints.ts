/** Calls the watchers of a partition soon after a commit; a hint carries nothing, reading is the truth. */

/** The watchers of one store. */
export interface Hints {
  readonly watch: (hint: () => void) => () => void
  /** Runs every watcher in a later microtask, so that none can disturb the commit. */
  readonly notify: () => void
  readonly count: () => number
}

/** No watcher yet. */
export function createHints(): Hints {
  const watchers = new Set<{ readonly hint: () => void }>()
  return {
    watch(hint) {
      const watcher = { hint }
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
    notify() {
      for (const watcher of watchers) {
        queueMicrotask(() => {
          if (watchers.has(watcher)) watcher.hint()
        })
      }
    },
    count: () => watchers.size,
  }
}
