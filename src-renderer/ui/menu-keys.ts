/** The keyboard within a menu: what every menu of the app does alike. */

/** The items of a menu, in their order; checked ones are items, too. */
export const menuItemsOf = (menu: HTMLElement | null): readonly HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
]

/** Which item has the keyboard; -1 for none. */
export const currentItem = (items: readonly HTMLElement[]): number =>
  items.findIndex((item) => item === document.activeElement)

/** Moves the keyboard by an arrow, Home or End, round and round; false for another key. */
export function walkMenu(items: readonly HTMLElement[], key: string): boolean {
  const current = currentItem(items)
  const last = items.length - 1
  const places: Readonly<Record<string, number>> = {
    ArrowDown: current === last ? 0 : current + 1,
    ArrowUp: current <= 0 ? last : current - 1,
    Home: 0,
    End: last,
  }
  const to = places[key]
  if (to === undefined) return false
  items[to]?.focus()
  return true
}
