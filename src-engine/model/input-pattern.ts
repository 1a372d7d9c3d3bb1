/** Patterns of an input form. They come from a document, so one that could run for ages is never run. */

/** Longer ones are no patterns for a form field. */
const patternLengthMax = 500
/** Longer texts aren't matched: a pattern describes a name, a code, a number. */
export const patternTextLengthMax = 10_000

/** A repetition around a group that repeats or chooses itself: the shape whose matching can explode. */
const nestedRepetition = /\([^()]*[*+{|][^()]*\)\s*[*+{]/
const backReference = /\\[1-9]|\\k</

/** The expression of a pattern; null for one that is not valid or not safe to run. */
export function checkedPattern(pattern: string): RegExp | null {
  if (pattern.length > patternLengthMax) return null
  if (nestedRepetition.test(pattern) || backReference.test(pattern) || hasNestedGroups(pattern)) return null
  try {
    return new RegExp(pattern, 'u')
  } catch {
    // The pattern isn't one; the caller reports it.
    return null
  }
}

/** Groups inside a repeated group hide repetitions from the simple test above. */
function hasNestedGroups(pattern: string): boolean {
  return /\([^()]*\([^()]*\)[^()]*\)\s*[*+{]/.test(pattern)
}
