/**
 * Which regular expressions may judge results: none that can take for ever. Written by people and run on what
 * others sent, they are bounded before they are run, and watched while they are.
 */

const charsMax = 256
const alternationsMax = 5

/** What is wrong with a pattern; null when it may be used. */
export function patternProblem(source: string): string | null {
  if (source.length > charsMax) return `A pattern has at most ${charsMax} characters`
  return isExpression(source) ? shapeProblem(source) : 'This is no regular expression'
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, 'g').global
  } catch {
    return false
  }
}

/** A group that is open at some place of the pattern. */
interface Group {
  repeats: boolean
  branches: boolean
}

function shapeProblem(source: string): string | null {
  const open: Group[] = [{ repeats: false, branches: false }]
  let alternations = 0
  let inClass = false
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index]
    if (char === '\\') {
      const next = source[index + 1] ?? ''
      if (!inClass && (/[1-9]/.test(next) || next === 'k')) return 'A pattern may not refer to its own groups'
      index += 1
    } else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') open.push({ repeats: false, branches: false })
    else if (char === ')') {
      const group = open.pop()
      const outer = open.at(-1)
      if (group === undefined || outer === undefined) return 'This is no regular expression'
      const isRepeated = repeatAt(source, index + 1) !== null
      if (isRepeated && (group.repeats || group.branches)) return 'A repeated group may not repeat or choose'
      outer.repeats ||= group.repeats || isRepeated
      outer.branches ||= group.branches
    } else if (char === '|') {
      alternations += 1
      const group = open.at(-1)
      if (group !== undefined) group.branches = true
    } else if (repeatAt(source, index) !== null && source[index - 1] !== '(') {
      const group = open.at(-1)
      if (group !== undefined) group.repeats = true
    }
  }
  return alternations > alternationsMax ? `A pattern has at most ${alternationsMax} alternatives` : null
}

/** The quantifier at a place that allows more than one; null where there is none. */
function repeatAt(source: string, index: number): string | null {
  const char = source[index]
  if (char === '*' || char === '+') return char
  if (char !== '{') return null
  const counted = /^\{\d+(?:,\d*)?\}/.exec(source.slice(index))
  return counted === null || /^\{[01](?:,1)?\}$/.test(counted[0]) ? null : counted[0]
}
