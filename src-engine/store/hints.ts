/** Calls the watchers of a partition soon after a commit; a hint carries nothing, reading is the truth. */

/** Who wrote: this store object, or another process or connection on the same data. */
export type HintOrigin = 'own' | 'elsewhere'

export type Hint = (origin: HintOrigin) => void

/** The watchers of one store. */
export interface Hints {
  readonly watch: (hint: Hint) => () => void
  /** Runs every watcher in a later microtask, so that none can disturb the commit. */
  readonly notify: (origin: HintOrigin) => void
  readonly count: () => number
}

/** No watcher yet. */
export function createHints(): Hints {
  const watchers = new Set<{ readonly hint: Hint }>()
  return {
    watch(hint) {
      const watcher = { hint }
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
    notify(origin) {
      for (const watcher of watchers) {
        queueMicrotask(() => {
          if (watchers.has(watcher)) watcher.hint(origin)
        })
      }
    },
    count: () => watchers.size,
  }
}
