/** Whether two values are the same JSON, whatever the order of their keys; what is undefined isn't there. */

/** As if their canonical texts were compared, which judges of thousands of stories would have to make first. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => sameJson(item, b[at]))
    )
  return sameFields(a as Fields, b as Fields)
}

type Fields = Readonly<Record<string, unknown>>

function sameFields(a: Fields, b: Fields): boolean {
  // How many fields the first one has more than the other.
  let more = 0
  for (const key in a) {
    const item = a[key]
    if (item === undefined) continue
    if (!Object.hasOwn(b, key) || !sameJson(item, b[key])) return false
    more += 1
  }
  for (const key in b) if (b[key] !== undefined) more -= 1
  return more === 0
}
