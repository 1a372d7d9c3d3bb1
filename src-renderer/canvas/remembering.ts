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
  if (left === right) return true
  return left.length === right.length && left.every((value, index) => value === right[index])
}

/** Lists by name; those that are as they were are the lists of before, and so is the whole where all of them are. */
export function sameLists<Lists extends Readonly<Record<keyof Lists, readonly unknown[]>>>(
  before: Lists,
  now: Lists,
): Lists {
  const names = Object.keys(now) as (keyof Lists)[]
  const kept = { ...now }
  for (const name of names) if (sameKey(before[name], now[name])) kept[name] = before[name]
  return names.every((name) => kept[name] === before[name]) ? before : kept
}
