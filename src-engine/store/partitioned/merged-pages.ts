/**
 * Pages in one order over lists that are each ordered alike. Where a page ended is remembered for each of the
 * lists, so that the next one costs a page of each; a place that was forgotten is found again from the start.
 */

import type { Page } from '../store.ts'
import type { Reach } from './reach.ts'

interface MergedPagesParts<Filter, Item> {
  readonly partitions: readonly number[]
  readonly reach: Reach
  readonly read: (
    partition: number,
    query: { readonly filter: Filter; readonly page: Page },
  ) => Promise<readonly Item[]>
  /** Negative when `a` comes before `b`. */
  readonly compare: (a: Item, b: Item) => number
}

/** How far each list was read: the id of the last item that was given, null for none. */
type Place = ReadonlyMap<number, string | null>

/** Readers that page at the same time, with a few pages each. */
const placesMax = 200
/** Items a step that looks for a forgotten place. */
const searchStep = 200

export function createMergedPages<Filter, Item extends { readonly id: string }>(
  parts: MergedPagesParts<Filter, Item>,
) {
  const places = new Map<string, Place>()
  const nameOf = (filter: Filter, after: string): string => `${after} ${JSON.stringify(filter)}`
  const remember = (filter: Filter, after: string, place: Place): void => {
    const name = nameOf(filter, after)
    places.delete(name)
    places.set(name, place)
    const [oldest] = places.keys()
    if (places.size > placesMax && oldest !== undefined) places.delete(oldest)
  }
  const start: Place = new Map(parts.partitions.map((partition) => [partition, null]))

  const placeBehind = async (filter: Filter, after: string): Promise<Place | null> => {
    const known = places.get(nameOf(filter, after))
    if (known !== undefined) return known
    for (let place = start; ; ) {
      const step = await nextPage(parts, filter, { place, limit: searchStep })
      const found = step.items.findIndex(({ id }) => id === after)
      if (found !== -1) return (await nextPage(parts, filter, { place, limit: found + 1 })).place
      if (step.items.length < searchStep) return null
      place = step.place
    }
  }

  return async ({
    filter,
    page,
  }: {
    readonly filter: Filter
    readonly page: Page
  }): Promise<readonly Item[]> => {
    const place = page.after === null ? start : await placeBehind(filter, page.after)
    if (place === null) return []
    const next = await nextPage(parts, filter, { place, limit: page.limit })
    const last = next.items.at(-1)
    if (last !== undefined) remember(filter, last.id, next.place)
    return next.items
  }
}

async function nextPage<Filter, Item extends { readonly id: string }>(
  { partitions, reach, read, compare }: MergedPagesParts<Filter, Item>,
  filter: Filter,
  { place, limit }: { readonly place: Place; readonly limit: number },
): Promise<{ readonly items: readonly Item[]; readonly place: Place }> {
  const answers = await reach.ask(partitions, (partition) =>
    read(partition, { filter, page: { after: place.get(partition) ?? null, limit } }),
  )
  const pages = answers.map(({ partition, answer }) => ({ partition, items: answer, taken: 0 }))
  const items: Item[] = []
  // Each list keeps its own order, whatever the comparison makes of it: nothing is passed over.
  while (items.length < limit) {
    let first: { readonly list: (typeof pages)[number]; readonly item: Item } | null = null
    for (const list of pages) {
      const item = list.items[list.taken]
      if (item !== undefined && (first === null || compare(item, first.item) < 0)) first = { list, item }
    }
    if (first === null) break
    first.list.taken += 1
    items.push(first.item)
  }
  const behind = new Map(place)
  for (const list of pages) {
    const last = list.items[list.taken - 1]
    if (last !== undefined) behind.set(list.partition, last.id)
  }
  return { items, place: behind }
}
