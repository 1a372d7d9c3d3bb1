/**
 * Things that are made when they are first asked for. There are thousands of schemas, each of which takes as long as a
 * step, and hardly any command needs those of all task kinds.
 */

/** Gives what `make` gives, which is called once, at the first call. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
