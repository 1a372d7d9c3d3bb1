/**
 * Texts that very many rows repeat (workflows, definitions, runners, statuses): kept once in `name`, and
 * named by their key elsewhere. Inside a JSON text the key stands between two control characters, which JSON
 * never has.
 */

import { assert } from '../../model/result.ts'
import type { Database } from './connection.ts'

export interface Names {
  /** The key of a text, a new one when it has none; only inside a transaction. */
  readonly keyOf: (text: string) => number
  readonly textOf: (key: number) => string
  /** A JSON text with these strings replaced where they stand as values, in this order, the first time each. */
  readonly shorten: (json: string, strings: readonly string[]) => string
  /** The JSON text that was shortened. */
  readonly lengthen: (short: string) => string
  /** A transaction was undone: keys that it gave may mean something else by now. */
  readonly forget: () => void
}

const mark = '\u0001'
/** A shorter string isn't worth a key. */
const lengthMin = 5

export function createNames(database: Database): Names {
  const find = database.prepare<[string], number>('select key from name where text = ?').pluck()
  const make = database.prepare<[string]>('insert into name (text) values (?)')
  const read = database.prepare<[number], string>('select text from name where key = ?').pluck()
  const keys = new Map<string, number>()
  const texts = new Map<number, string>()
  /** A string as JSON has it, and what stands for it. */
  const marks = new Map<string, { readonly quoted: string; readonly marked: string }>()
  const keyOf = (text: string): number => {
    const known = keys.get(text)
    if (known !== undefined) return known
    const key = find.get(text) ?? Number(make.run(text).lastInsertRowid)
    keys.set(text, key)
    return key
  }
  const textOf = (key: number): string => {
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = read.get(key)
    assert(text !== undefined, `the name ${key} is stored`)
    texts.set(key, text)
    return text
  }
  const markOf = (text: string) => {
    const known = marks.get(text)
    if (known !== undefined) return known
    const quoted = JSON.stringify(text)
    const made = { quoted, marked: `"${mark}${keyOf(quoted.slice(1, -1))}${mark}"` }
    marks.set(text, made)
    return made
  }
  return {
    keyOf,
    textOf,
    shorten(json, strings) {
      let short = ''
      let done = 0
      for (const text of strings) {
        if (text.length < lengthMin) continue
        const { quoted, marked } = markOf(text)
        // Fields that are repeated together stand side by side.
        const at = json.startsWith(quoted, done + 1) ? done + 1 : json.indexOf(quoted, done)
        if (at === -1) continue
        short += json.slice(done, at) + marked
        done = at + quoted.length
      }
      return done === 0 ? json : short + json.slice(done)
    },
    lengthen(short) {
      let from = short.indexOf(mark)
      if (from === -1) return short
      let json = ''
      let done = 0
      while (from !== -1) {
        const to = short.indexOf(mark, from + 1)
        json += short.slice(done, from) + textOf(Number(short.slice(from + 1, to)))
        done = to + 1
        from = short.indexOf(mark, done)
      }
      return json + short.slice(done)
    },
    forget() {
      keys.clear()
      texts.clear()
      marks.clear()
    },
  }
}
