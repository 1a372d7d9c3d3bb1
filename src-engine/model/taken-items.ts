/** Items of a map whose results an earlier generation of its run gave: which, and where their records are. */

/** A stretch of items that stand beside each other there as well. */
export interface TakenItems {
  /** The number of the first one here. */
  readonly at: number
  readonly count: number
  /** The generation that worked on them. */
  readonly generation: number
  /** The number of the first one there. */
  readonly from: number
}

/** Where an item was worked on. */
export interface ItemPlace {
  readonly generation: number
  readonly index: number
}

/** Null for an item that is worked on here. */
export function placeOfTaken(
  dispatch: { readonly taken?: readonly TakenItems[] } | null,
  index: number,
): ItemPlace | null {
  const stretch = dispatch?.taken?.find(({ at, count }) => index >= at && index < at + count)
  if (stretch === undefined) return null
  return { generation: stretch.generation, index: stretch.from + index - stretch.at }
}

/** The places of items, in their order, as few stretches; null stands for an item that is worked on here. */
export function takenStretches(places: readonly (ItemPlace | null)[]): readonly TakenItems[] {
  const stretches: TakenItems[] = []
  places.forEach((place, at) => {
    if (place === null) return
    const { generation, index: from } = place
    const last = stretches.at(-1)
    const goesOn =
      last !== undefined &&
      last.generation === generation &&
      last.at + last.count === at &&
      last.from + last.count === from
    if (goesOn) stretches[stretches.length - 1] = { ...last, count: last.count + 1 }
    else stretches.push({ at, count: 1, generation, from })
  })
  return stretches
}
