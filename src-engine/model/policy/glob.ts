/** Texts with `*` in them, compared without case, in time linear in the text for each star. */

/** Whether the text is what the pattern describes; `*` stands for any characters, none included. */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = pattern.toLowerCase()
  const given = text.toLowerCase()
  let at = 0
  let place = 0
  /** The last star, and how far the text was when it was met: where to go on from after a miss. */
  let star = -1
  let resume = 0
  while (at < given.length) {
    if (place < wanted.length && wanted[place] === '*') {
      star = place
      resume = at
      place += 1
    } else if (place < wanted.length && wanted[place] === given[at]) {
      place += 1
      at += 1
    } else if (star >= 0) {
      resume += 1
      at = resume
      place = star + 1
    } else return false
  }
  while (wanted[place] === '*') place += 1
  return place === wanted.length
}

/** Whether one of the patterns describes the text. */
export const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, text))
