/**
 * A map that lives long and whose entries don't. V8's own makes itself a new table whenever so many entries have gone, and
 * lets the old one refer to it for iterators that are under way. Once one of these tables is old enough to wait for a
 * collection of everything, all that come after it, and whatever they held, wait with it: of each run and step that has
 * ended most of its memory. Here the next table comes with a map of its own, to which nothing leads from the one before.
 */

/** Fewer aren't worth a new map. */
const goneMin = 8

/** Nothing may be removed while it is iterated over. */
export class PassingMap<Key, Value> {
  #map = new Map<Key, Value>()
  /** Entries removed since the map was made. */
  #gone = 0

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  has(key: Key): boolean {
    return this.#map.has(key)
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value)
  }

  delete(key: Key): boolean {
    if (!this.#map.delete(key)) return false
    this.#gone += 1
    if (this.#gone >= goneMin && this.#gone >= this.#map.size) {
      this.#map = new Map(this.#map)
      this.#gone = 0
    }
    return true
  }

  clear(): void {
    this.#map = new Map()
    this.#gone = 0
  }

  keys(): IterableIterator<Key> {
    return this.#map.keys()
  }

  values(): IterableIterator<Value> {
    return this.#map.values()
  }
}
