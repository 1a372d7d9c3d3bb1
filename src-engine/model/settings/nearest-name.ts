/** Finds what somebody meant by a name that doesn't exist. */

/** Names are the same when only case and separators differ: `dispatchTimeout` is `dispatch_timeout`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The name that is nearest to a wrong one; null when none is near enough to be meant. */
export function nearestName(wrong: string, names: Iterable<string>): string | null {
  const plain = plainName(wrong)
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const name of names) {
    const distance = editDistance(plain, plainName(name))
    if (best === null || distance < best.distance) best = { name, distance }
  }
  // A third of the letters may be wrong; beyond that a suggestion only misleads.
  return best !== null && best.distance <= Math.max(2, plain.length / 3) ? best.name : null
}

/** How many letters have to be put in, left out or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1]
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
