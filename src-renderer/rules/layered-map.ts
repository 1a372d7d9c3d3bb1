/** A map that says of a few keys something else than a large one below it: an edit copies none of the thousands. Pure. */

export class LayeredMap<Key, Value> {
  readonly #base: ReadonlyMap<Key, Value>
  /** Undefined for what is gone. */
  readonly #own: ReadonlyMap<Key, Value | undefined>

  constructor(base: ReadonlyMap<Key, Value>, own: ReadonlyMap<Key, Value | undefined> = new Map()) {
    this.#base = base
    this.#own = own
  }

  get(key: Key): Value | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#base.get(key)
  }

  /** With other values, undefined for a key that goes; this one stays as it is. */
  with(changes: Iterable<readonly [Key, Value | undefined]>): LayeredMap<Key, Value> {
    const own = new Map([...this.#own, ...changes])
    if (own.size <= ownMax) return new LayeredMap(this.#base, own)
    return new LayeredMap(new Map(new LayeredMap(this.#base, own)))
  }

  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (const [key, value] of this.#base) if (!this.#own.has(key)) yield [key, value]
    for (const [key, value] of this.#own) if (value !== undefined) yield [key, value]
  }
}

/** More than these are copied with each edit; then all are, once. */
const ownMax = 64
