/**
 * What keeps a YAML text from being more than its parser can take: it calls itself for every level, builds all levels
 * before it looks at one, and compares each key of a map with all others. Read off its tokens, before it begins.
 */

import type { Document, YAMLMap } from 'yaml'
import { nestingMax } from '../../model/limits.ts'
import { invalidData } from './plain-data.ts'

/** Levels of a text that may be opened: some hold no value of their own. Those of its data are counted behind it. */
const levelsMax = 2 * nestingMax

/** Throws `data_invalid` for a text that opens more levels than data may have. */
export async function refuseDeepYaml(text: string): Promise<void> {
  const { CST, Lexer } = await import('yaml')
  let flows = 0
  // Of one line: more levels than that take so many spaces that the text itself is too long.
  let blocks = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    // Behind the mark of a value comes the value, whatever it looks like.
    const type: string | null = isScalar ? null : CST.tokenType(token)
    isScalar = type === 'scalar'
    switch (type) {
      case 'flow-seq-start':
      case 'flow-map-start':
        flows += 1
        break
      case 'flow-seq-end':
      case 'flow-map-end':
        flows -= 1
        break
      case 'seq-item-ind':
      case 'explicit-key-ind':
        // Between braces each of them stands for itself.
        if (flows === 0) blocks += 1
        break
      case 'newline':
        blocks = 0
        break
      default:
    }
    if (flows + blocks > levelsMax) throw invalidData(`it is nested more than ${nestingMax} deep`)
  }
}

/** Throws `data_invalid` for a map with the same key twice, with its line. */
export async function refuseSameKeys(document: Document, text: string, linesBefore: number): Promise<void> {
  const { visit } = await import('yaml')
  visit(document, {
    Map: (_, map) => {
      const again = sameKey(map)
      if (again === null) return
      const line = text.slice(0, again).split('\n').length + linesBefore
      throw invalidData(`a name stands twice in the same map at line ${line}`)
    },
  })
}

interface PlainKey {
  readonly value?: string | number | bigint | boolean | null | object
  readonly range?: readonly number[] | null
}

/** Where a key stands that stood there before; null where each is there once. */
function sameKey({ items }: YAMLMap): number | null {
  const seen = new Set<string>()
  for (const { key } of items) {
    const { value = null, range = null } = (key ?? {}) as PlainKey
    // Keys that are no plain values are told apart by their text.
    const name = typeof value === 'object' ? String(key) : `${typeof value} ${value}`
    if (seen.has(name)) return range?.[0] ?? 0
    seen.add(name)
  }
  return null
}
