/** Freezes data with all that is in it: thousands of parts, while somebody waits for their workflow. */

/** Freezes it; what is frozen already was frozen with all that is in it. */
export function deepFreeze(data: object): void {
  if (Object.isFrozen(data)) return
  Object.freeze(data)
  for (const inner of Object.values(data as Readonly<Record<string, unknown>>))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
}
