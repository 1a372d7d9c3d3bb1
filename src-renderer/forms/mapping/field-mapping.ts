/**
 * An expression as fields that are filled one by one, and back. The expression is all that a document has: what
 * can't be seen as fields stays an expression, and nothing of a text is lost by looking at it. Pure.
 */

import { significantTokens, textOf } from '../../../src-engine/model/expression-references.ts'
import type { ExpressionToken } from '../../../src-engine/model/expression-token.ts'
import { textExpression, textTemplate } from './text-expression.ts'

/** One field of what is made. */
export interface MappedField {
  /** Its name; dots lead into objects: `customer.name`. */
  readonly to: string
  /** An expression, or a text with `{{ }}`. */
  readonly from: string
}

export interface Mapping {
  /** The list of whose entries one object each is made; null for one object. */
  readonly each: string | null
  /** Objects whose fields all go along, later ones over earlier ones; `$` is the entry itself. */
  readonly all: readonly string[]
  /** Names of theirs that don't. */
  readonly without: readonly string[]
  /** Over what goes along. */
  readonly fields: readonly MappedField[]
}

const plainPath = /^(\$|[A-Za-z_]\w*)((\.([A-Za-z_]\w*|`[^`]+`))|\[\d+\])*$/
const plainName = /^[^.`"\\\s][^.`"\\]*$/

/** The expression of a mapping. Fields without a name or a value are not there yet. */
export function mappingExpression(mapping: Mapping): string {
  const body = bodyText(mapping)
  if (mapping.each === null) return body
  const list = mapping.each.trim() === '' ? 'input' : mapping.each.trim()
  return `[${plainPath.test(list) ? list : `(${list})`}.(${body})]`
}

function bodyText(mapping: Mapping): string {
  const all = mapping.all.map((one) => one.trim()).filter((one) => one !== '')
  const fields = mapping.fields.filter(({ to, from }) => to.trim() !== '' && from.trim() !== '')
  const [first] = all
  const object = objectText(fields)
  if (first === undefined) return object
  const names = [...new Set([...renamedNames({ all, fields }), ...mapping.without])]
  const over = fields.length === 0 ? [] : [object]
  if (names.length === 0) {
    const isAlone = all.length === 1 && over.length === 0 && plainPath.test(first)
    return isAlone ? first : `$merge([${[...all, ...over].join(', ')}])`
  }
  const together = all.length === 1 ? first : `$merge([${all.join(', ')}])`
  const kept = `$sift(${together}, function($v, $k) { $not($k in ${JSON.stringify(names)}) })`
  return over.length === 0 ? kept : `$merge([${kept}, ${object}])`
}

/** What has another name now doesn't go along under its old one, too. */
function renamedNames({ all, fields }: Pick<Mapping, 'all' | 'fields'>): readonly string[] {
  const [base] = all
  if (base === undefined || all.length > 1) return []
  return fields.flatMap(({ to, from }) => {
    const path = base === '$' ? from : from.startsWith(`${base}.`) ? from.slice(base.length + 1) : ''
    const name = path.replaceAll('`', '')
    return plainPath.test(path) && plainName.test(name) && !path.includes('[') && name !== to ? [name] : []
  })
}

type Level = Map<string, string | Level>

/** Fields with the same beginning stand in one object; of two with the same name the last counts. */
function objectText(fields: readonly MappedField[]): string {
  const root: Level = new Map()
  for (const { to, from } of fields) {
    const path = to.trim().split('.')
    const last = path.pop() ?? ''
    let level = root
    for (const name of path) {
      const known = level.get(name)
      const next: Level = known instanceof Map ? known : new Map<string, string | Level>()
      level.set(name, next)
      level = next
    }
    level.set(last, valueText(from.trim()))
  }
  return levelText(root, '')
}

function levelText(level: Level, indent: string): string {
  if (level.size === 0) return '{}'
  const deeper = `${indent}  `
  const lines = [...level].map(([name, value]) => {
    const text = value instanceof Map ? levelText(value, deeper) : value
    return `${deeper}${JSON.stringify(name)}: ${text}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

const valueText = (from: string): string => (from.includes('{{') ? textExpression(from) : from)

/** An expression as a mapping; null for one that can't be seen as fields. */
export function mappingOf(expression: string): Mapping | null {
  const text = expression.trim()
  // Remarks would be lost.
  if (text === '' || text.includes('/*')) return null
  const tokens = significantTokens(text)
  if (tokens.some(({ closed }) => !closed)) return null
  const whole: Range = { text, tokens, from: 0, to: tokens.length - 1 }
  const list = eachOf(whole)
  const body = bodyOf(list?.body ?? whole)
  if (body === null) return null
  const mapping: Mapping = { each: list?.each ?? null, ...body }
  const renamed = renamedNames(mapping)
  return { ...mapping, without: mapping.without.filter((name) => !renamed.includes(name)) }
}

/** Tokens of a text, both ends included. */
interface Range {
  readonly text: string
  readonly tokens: readonly ExpressionToken[]
  readonly from: number
  readonly to: number
}

const signAt = ({ text, tokens }: Range, at: number): string => textOf(text, tokens[at])
const within = (range: Range, from: number, to: number): Range => ({ ...range, from, to })
const sliceOf = ({ text, tokens, from, to }: Range): string =>
  text.slice(tokens[from]?.start ?? 0, tokens[to]?.end ?? 0)

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The place of what closes the bracket there; -1 where nothing does. */
function closeOf(range: Range, open: number): number {
  let depth = 0
  for (let at = open; at <= range.to; at += 1) {
    if (range.tokens[at]?.kind !== 'symbol') continue
    const sign = signAt(range, at)
    if (closing[sign] !== undefined) depth += 1
    else if (Object.values(closing).includes(sign)) depth -= 1
    if (depth === 0) return signAt(range, at) === closing[signAt(range, open)] ? at : -1
  }
  return -1
}

/** What stands in the brackets that are all of the range; null where they aren't. */
function inside(range: Range, open: string): Range | null {
  if (signAt(range, range.from) !== open || closeOf(range, range.from) !== range.to) return null
  return within(range, range.from + 1, range.to - 1)
}

/** The parts between signs that stand in no brackets; none for an empty range. */
function parts(range: Range, sign: string): readonly Range[] {
  const found: Range[] = []
  let start = range.from
  for (let at = range.from; at <= range.to; at += 1) {
    if (range.tokens[at]?.kind !== 'symbol') continue
    if (signAt(range, at) === sign) {
      found.push(within(range, start, at - 1))
      start = at + 1
    } else if (closing[signAt(range, at)] !== undefined) {
      const close = closeOf(range, at)
      if (close === -1) return []
      at = close
    }
  }
  return start > range.to ? found : [...found, within(range, start, range.to)]
}

function eachOf(range: Range): { readonly each: string; readonly body: Range } | null {
  const list = inside(range, '[')
  if (list === null) return null
  for (let at = list.to - 1; at > list.from; at -= 1) {
    if (signAt(list, at) !== '.' || signAt(list, at + 1) !== '(') continue
    const body = inside(within(list, at + 1, list.to), '(')
    if (body === null) continue
    const before = within(list, list.from, at - 1)
    return { each: sliceOf(inside(before, '(') ?? before), body }
  }
  return null
}

type Body = Pick<Mapping, 'all' | 'without' | 'fields'>

function bodyOf(range: Range): Body | null {
  const fields = fieldsIn(range)
  if (fields !== null) return { all: [], without: [], fields }
  const merged = mergedParts(range)
  if (merged === null) return keptIn(range)
  const last = merged.at(-1)
  const over = last === undefined ? null : fieldsIn(last)
  const rest = over === null ? merged : merged.slice(0, -1)
  const [only] = rest
  if (rest.length === 1 && only !== undefined) {
    const kept = keptIn(only) ?? { all: [sliceOf(only)], without: [] }
    return { ...kept, fields: over ?? [] }
  }
  return { all: rest.map(sliceOf), without: [], fields: over ?? [] }
}

/** Whole objects, with the names that are left out of them. */
function keptIn(range: Range): Body | null {
  const text = sliceOf(range)
  if (plainPath.test(text)) return { all: [text], without: [], fields: [] }
  const sifted = called(range, '$sift')
  const [objects, ...rest] = sifted === null ? [] : parts(sifted, ',')
  const [rule] = rest
  if (objects === undefined || rule === undefined || rest.length > 1) return null
  const [, names = null] =
    /^function\(\$v, \$k\) \{ \$not\(\$k in (\["[^]*"\])\) \}$/.exec(sliceOf(rule)) ?? []
  const without = names === null ? null : namesIn(names)
  if (without === null) return null
  return { all: (mergedParts(objects) ?? [objects]).map(sliceOf), without, fields: [] }
}

function namesIn(json: string): readonly string[] | null {
  try {
    const found: unknown = JSON.parse(json)
    return Array.isArray(found) && found.every((name) => typeof name === 'string') ? found : null
  } catch {
    // JSONata reads more as a list than JSON does: that stays an expression.
    return null
  }
}

/** What a function is called with, when that call is all of the range. */
function called(range: Range, name: string): Range | null {
  return signAt(range, range.from) === name ? inside(within(range, range.from + 1, range.to), '(') : null
}

function mergedParts(range: Range): readonly Range[] | null {
  const given = called(range, '$merge')
  const list = given === null ? null : inside(given, '[')
  return list === null ? null : parts(list, ',')
}

/** The fields of an object that is written out; null for anything else, and for names that no field has. */
function fieldsIn(range: Range, before = ''): readonly MappedField[] | null {
  const object = inside(range, '{')
  if (object === null) return null
  const fields: MappedField[] = []
  const names = new Set<string>()
  for (const part of parts(object, ',')) {
    const name = nameOf(part)
    if (name === null || names.has(name) || signAt(part, part.from + 1) !== ':') return null
    names.add(name)
    const value = within(part, part.from + 2, part.to)
    if (value.from > value.to) return null
    const to = `${before}${name}`
    const deeper =
      signAt(value, value.from) === '{' && value.to > value.from + 1 ? fieldsIn(value, `${to}.`) : null
    if (deeper === null) fields.push({ to, from: textTemplate(sliceOf(value)) ?? sliceOf(value) })
    else fields.push(...deeper)
  }
  return fields
}

function nameOf(part: Range): string | null {
  const token = part.tokens[part.from]
  if (token?.kind !== 'string') return null
  const quoted = textOf(part.text, token)
  const name = quoted.slice(1, -1)
  return plainName.test(name) ? name : null
}
