/**
 * What a pattern finds in a text. It is run where expressions are, in a worker that is ended when it takes too long: a
 * pattern of a harmless shape can still be slow.
 */

import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { TaskContext } from '../task.ts'
import type { Evaluate } from '../task-ports.ts'

/**
 * A match is an object of its named groups; without names the list of its groups; without groups the text itself.
 * Throws `expression_too_slow`, and `expression_failed` for a pattern that finds nothing at all, again and again.
 */
export async function matchesOf(
  text: string,
  pattern: string,
  { evaluate, context }: { readonly evaluate: Evaluate; readonly context: TaskContext },
): Promise<JsonValue> {
  const found = await evaluate({
    expression: `[$match(text, /${literalOf(pattern)}/m)]`,
    scope: { text },
    now: Number(context.run['now'] ?? 0),
    seed: context.idempotencyKey,
  })
  const names = groupNames(pattern)
  return Array.isArray(found) ? found.map((one: JsonValue) => matchOf(one, names)) : []
}

function matchOf(found: JsonValue, names: readonly (string | null)[]): JsonValue {
  if (!isJsonObject(found)) return found
  const groups: readonly JsonValue[] = Array.isArray(found['groups']) ? found['groups'] : []
  if (groups.length === 0) return found['match'] ?? ''
  if (names.every((name) => name === null)) return groups
  return Object.fromEntries(
    names.flatMap((name, index) => (name === null ? [] : [[name, groups[index] ?? null]])),
  )
}

/** The names of the groups that keep what they match, in their order; null for one without. */
function groupNames(pattern: string): readonly (string | null)[] {
  const names: (string | null)[] = []
  let inClass = false
  for (let index = 0; index < pattern.length; index += 1) {
    const char = pattern[index]
    if (char === '\\') index += 1
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') {
      const rest = pattern.slice(index + 1)
      const name = /^\?<([^=!>][^>]*)>/.exec(rest)?.[1]
      if (name !== undefined) names.push(name)
      else if (!rest.startsWith('?')) names.push(null)
    }
  }
  return names
}

/** As it stands between slashes. Its reader counts brackets, also those that mean themselves. */
function literalOf(pattern: string): string {
  let literal = ''
  let inClass = false
  for (let index = 0; index < pattern.length; index += 1) {
    const char = pattern[index] ?? ''
    if (char === '\\') {
      index += 1
      literal += pattern[index] === '\\' ? String.raw`\x5c` : `\\${pattern[index] ?? ''}`
    } else if (char === '\n') literal += String.raw`\n`
    else if (char === '/' || (inClass ? '(){}['.includes(char) : char === ']')) literal += `\\${char}`
    else {
      if (char === '[') inClass = true
      if (char === ']') inClass = false
      literal += char
    }
  }
  return literal
}
