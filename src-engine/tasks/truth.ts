/** What counts as true in a condition: the same as JSONata's `$boolean`. */

/** Nothing, false, 0, the empty text, an empty object and a list without anything true are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue)
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}
