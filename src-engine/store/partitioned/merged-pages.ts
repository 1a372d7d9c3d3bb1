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
  /** Whether an item that was given is still there; where nobody can tell, it is not. */
  readonly isThere: (partition: number, item: Item) => Promise<boolean>
}

/** How far each list was read: the last item that was given, null for none. */
type Place<Item> = ReadonlyMap<number, Item | null>

/** Readers that page at the same time, with a few pages each. */
const placesMax = 200
/** Items a step that looks for a forgotten place. */
const searchStep = 200

export function createMergedPages<Filter, Item extends { readonly id: string }>(
  parts: MergedPagesParts<Filter, Item>,
) {
  const places = new Map<string, Place<Item>>()
  const nameOf = (filter: Filter, after: string): string => `${after} ${JSON.stringify(filter)}`
  const remember = (filter: Filter, after: string, place: Place<Item>): void => {
    const name = nameOf(filter, after)
    places.delete(name)
    places.set(name, place)
    const [oldest] = places.keys()
    if (places.size > placesMax && oldest !== undefined) places.delete(oldest)
  }
  const start: Place<Item> = new Map(parts.partitions.map((partition) => [partition, null]))

  const placeBehind = async (filter: Filter, after: string): Promise<Place<Item> | null> => {
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
  parts: MergedPagesParts<Filter, Item>,
  filter: Filter,
  { place, limit }: { readonly place: Place<Item>; readonly limit: number },
): Promise<{ readonly items: readonly Item[]; readonly place: Place<Item> }> {
  const { partitions, reach, compare } = parts
  const answers = await reach.ask(partitions, (partition) =>
    readBehind(parts, filter, { partition, last: place.get(partition) ?? null, limit }),
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
    if (last !== undefined) behind.set(list.partition, last)
  }
  return { items, place: behind }
}

/** What a list has behind an item. One that is gone has no place any more: then it is found by the order of all. */
async function readBehind<Filter, Item extends { readonly id: string }>(
  { read, compare, isThere }: MergedPagesParts<Filter, Item>,
  filter: Filter,
  {
    partition,
    last,
    limit,
  }: { readonly partition: number; readonly last: Item | null; readonly limit: number },
): Promise<readonly Item[]> {
  const items = await read(partition, { filter, page: { after: last?.id ?? null, limit } })
  if (last === null || items.length > 0 || (await isThere(partition, last))) return items
  for (let after: string | null = null; ; ) {
    const step: readonly Item[] = await read(partition, { filter, page: { after, limit: searchStep } })
    const first = step.findIndex((item) => compare(last, item) < 0)
    if (first !== -1) {
      const found = step.slice(first, first + limit)
      const end = found.at(-1)
      if (found.length === limit || end === undefined) return found
      const rest = { after: end.id, limit: limit - found.length }
      return [...found, ...(await read(partition, { filter, page: rest }))]
    }
    if (step.length < searchStep) return []
    after = step.at(-1)?.id ?? null
  }
}
