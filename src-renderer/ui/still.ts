/** Whether whoever looks wants nothing to move. */

let asked: MediaQueryList | null = null

/** Asked of the browser once; its answer is kept up to date by itself. Hundreds of cards a second want to know. */
export function wantsStillness(): boolean {
  asked ??= matchMedia('(prefers-reduced-motion: reduce)')
  return asked.matches
}
