/** Letters to jump to nodes by: short, typed by the stronger fingers first, none the beginning of another. Pure. */

const letters: readonly string[] = 'asdfjklghqwertyuiopzxcvbnm'.split('')

/** One label per id, in their order: one letter each while they suffice, else two. */
export function jumpLabels(ids: readonly string[]): ReadonlyMap<string, string> {
  const labels = ids.length <= letters.length ? letters : pairs(ids.length)
  return new Map(ids.slice(0, labels.length).map((id, index) => [id, labels[index] ?? '']))
}

/** As many single letters as leave room for all the others in pairs. */
function pairs(count: number): readonly string[] {
  const all = letters
  const first = Math.min(all.length, Math.ceil((count - all.length) / (all.length - 1)))
  const single = all.slice(0, all.length - first)
  const leading = all.slice(all.length - first)
  return [...single, ...leading.flatMap((one) => all.map((two) => one + two))]
}
