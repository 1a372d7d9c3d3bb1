/** Going through a list by keys. Pure. */

/** Where a key leads to in a list; null for one that leads nowhere. */
export function placeAfter(key: string, at: number, length: number): number | null {
  if (key === 'ArrowDown') return Math.min(at + 1, length - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? length - 1 : null
}
