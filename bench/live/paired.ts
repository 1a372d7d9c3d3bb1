/**
 * Two things compared in short turns, one way and back (A B B A): what else the machine does, and what a process is slower or
 * faster at as it grows, falls on both. The middle of the turns' ratios, with the interval that it lies in whatever their
 * distribution is.
 */

/** The middle of some numbers; of as many on both sides the mean of the two. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const half = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(half) - 1] ?? 0, sorted[Math.floor(half)] ?? 0]
  return (low + high) / 2
}

/** Between which of them the median of all that there could be lies, in 95 of 100 such readings: by their order alone. */
export function medianInterval(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = values.toSorted((left, right) => left - right)
  const count = sorted.length
  // So many may be below it by chance, as so many heads of thrown coins.
  let below = 0.5 ** count
  let chance = below
  let rank = 0
  while (chance <= 0.025 && rank < count) {
    rank += 1
    below *= (count - rank + 1) / rank
    chance += below
  }
  const outer = Math.max(0, rank - 1)
  return [sorted[outer] ?? 0, sorted[count - 1 - outer] ?? 0]
}

/** One reading of each turn, both ways: `first` is made as many times as `other`. */
export async function inPairs(
  turns: number,
  work: { readonly first: () => Promise<number>; readonly other: () => Promise<number> },
): Promise<readonly number[]> {
  const ratios: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    // The next turn begins with the other one.
    const [outer, inner] = turn % 2 === 0 ? [work.first, work.other] : [work.other, work.first]
    const read = [await outer(), await inner(), await inner(), await outer()] as const
    const [ends, middle] = [read[0] + read[3], read[1] + read[2]]
    ratios.push(turn % 2 === 0 ? ends / middle : middle / ends)
  }
  return ratios
}
