/** Calls the watchers of a partition soon after a commit; a hint carries nothing, reading is the truth. */

/** Who wrote: this store object, or another process or connection on the same data. */
export type HintOrigin = 'own' | 'elsewhere'

/** What a commit may mean for those who don't read its events; a store that can't tell says all of it. */
export const news = {
  /** Something may be there to claim that wasn't before. */
  work: 1,
  /** Something becomes due, or available, at an instant that wasn't known before. */
  due: 2,
  /** Somebody asked that owned work stop or go on. */
  control: 4,
  registers: 8,
} as const

/** A sum of `news`. */
export type News = number

export const noNews: News = 0
export const anyNews: News = news.work + news.due + news.control + news.registers

/** Whether it may be this that is new. */
export const tells = (found: News, kind: News): boolean => (found & kind) !== 0

export type Hint = (origin: HintOrigin, found: News) => void

/** What somebody wants to hear of: each commit, or those that have news. */
export type HintTopic = 'events' | 'news'

/** The watchers of one store. */
export interface Hints {
  readonly watch: (hint: Hint, topic?: HintTopic) => () => void
  /** Runs the watchers in a later microtask, so that none can disturb the commit. */
  readonly notify: (origin: HintOrigin, found?: News) => void
  /** How many watch, or watch for this. */
  readonly count: (topic?: HintTopic) => number
}

/** No watcher yet. */
export function createHints(): Hints {
  const watchers = new Set<{ readonly hint: Hint; readonly topic: HintTopic }>()
  return {
    watch(hint, topic = 'events') {
      const watcher = { hint, topic }
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
    notify(origin, found = anyNews) {
      const told = [...watchers].filter(({ topic }) => found !== noNews || topic === 'events')
      if (told.length === 0) return
      // One for all: an engine alone has four watchers, and each commit hints.
      queueMicrotask(() => {
        for (const watcher of told) if (watchers.has(watcher)) watcher.hint(origin, found)
      })
    },
    count(topic) {
      if (topic === undefined) return watchers.size
      let count = 0
      for (const watcher of watchers) if (watcher.topic === topic) count += 1
      return count
    },
  }
}
