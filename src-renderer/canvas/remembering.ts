/** What was made before is given again while what it was made of is the same. */

/** A function of one thing that gives what it gave, while the key stays the same. */
export function remembering<Of, Made>(make: (of: Of) => Made): (key: readonly unknown[], of: Of) => Made {
  let last: { readonly key: readonly unknown[]; readonly made: Made } | null = null
  return (key, of) => {
    if (last === null || !sameKey(last.key, key)) last = { key, made: make(of) }
    return last.made
  }
}

/** The list of before, while it has the same things: whoever is given it needn't look at them. */
export function sameList<Item>(): (list: Item[]) => Item[] {
  let last: Item[] = []
  return (list) => {
    if (!sameKey(last, list)) last = list
    return last
  }
}

/** Whether both have the same things in the same order. */
export function sameKey(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index])
}
