/** Keeping a list of the engine's fresh: what the inbox and the dead letters do alike. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { Designer } from './designer.ts'

/** More than a person reads; the page says that there are others. */
const pagesMax = 5

/** Loads it now, when the line comes back, and after events that touch it. Gives who looks at events. */
export function followList(
  designer: Designer,
  list: {
    /** Events come in bursts: it is asked for at most this often. */
    readonly delayMs: number
    readonly touches: (event: EngineEvent) => boolean
    readonly load: () => Promise<void>
  },
): (events: readonly EngineEvent[]) => void {
  let isAsking = false
  const refresh = (): void => {
    if (isAsking) return
    isAsking = true
    designer.ambient.after(list.delayMs, () => {
      isAsking = false
      void list.load()
    })
  }
  designer.connection.state.subscribe((state) => {
    if (state.status === 'open') void list.load()
  })
  void list.load()
  return (events) => {
    if (events.some(list.touches)) refresh()
  }
}

/** All of a list, as far as a person can read it. */
export async function wholeList<Item, After>(
  ask: (after: After | null) => Promise<{ readonly items: readonly Item[]; readonly next: After | null }>,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  const items: Item[] = []
  let after: After | null = null
  for (let page = 0; page < pagesMax; page += 1) {
    const answer: Awaited<ReturnType<typeof ask>> = await ask(after)
    items.push(...answer.items)
    after = answer.next
    if (after === null) break
  }
  return { items, hasMore: after !== null }
}
