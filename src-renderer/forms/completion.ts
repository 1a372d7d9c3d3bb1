/**
 * What may be written at a place of an expression: fields of the value before the dot, as the engine's own
 * evaluator finds it on the data at hand; nodes of the document; functions; roots.
 */

import { significantTokens, textOf } from '../../src-engine/model/expression-references.ts'
import type { ExpressionToken } from '../../src-engine/model/expression-token.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { SecretEntry } from '../../src-engine/model/secret.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { completion as words } from '../text/data-words.ts'
import { quotedName } from './expression-path.ts'
import type { EndSeen } from './schema-fields.ts'

export interface CompletionOption {
  readonly label: string
  /** What is written when it is chosen; the label where absent. */
  readonly apply?: string
  readonly detail: string
  readonly type: 'variable' | 'function' | 'property'
}

export interface Completions {
  /** Where what is replaced begins. */
  readonly from: number
  readonly options: readonly CompletionOption[]
}

export interface CompletionMeans {
  readonly document: () => WorkflowDocument
  /** The step whose expression it is; null outside of steps. */
  readonly nodeId: string | null
  /** What of the step's own end it may read; nothing where absent. */
  readonly sees?: EndSeen | null
  /** The value of an expression at that step; undefined where there is none yet. */
  readonly valueOf: (expression: string) => Promise<JsonValue | undefined>
  /** What the vault keeps, where the field may name it; null where no secret may stand. */
  readonly secrets: () => readonly SecretEntry[] | null
}

/** What is being written: the part of a name that is there, and what stands before its dot. */
export interface Wanted {
  readonly from: number
  readonly typed: string
  /** The expression before the dot; null where a name begins something. */
  readonly of: string | null
}

/** What the end of a text asks for; null inside of texts in quotes, and where no name can stand. */
export function wantedAt(text: string): Wanted | null {
  const tokens = significantTokens(text)
  const last = tokens.at(-1)
  if (last === undefined || text.trim() === '') return { from: text.length, typed: '', of: null }
  const isTyping = isName(last) && last.end === text.length
  if (last.kind === 'string' && (!last.closed || last.end === text.length)) return null
  if (last.kind === 'comment' || last.kind === 'regex' || /^\d/.test(textOf(text, last))) return null
  const typed = isTyping ? textOf(text, last).replaceAll('`', '') : ''
  const from = isTyping ? last.start : text.length
  const at = tokens.length - (isTyping ? 2 : 1)
  if (textOf(text, tokens[at]) !== '.')
    return isTyping || isOpen(text, last) ? { from, typed, of: null } : null
  const start = chainStart(text, tokens, at - 1)
  const dot = tokens[at]?.start ?? 0
  return start === null ? null : { from, typed, of: text.slice(start, dot) }
}

const isName = ({ kind }: ExpressionToken): boolean => kind === 'name' || kind === 'quoted-name'
/** Whether a value is yet to follow; after a bracket that closes one, there is one already. */
const isOpen = (text: string, last: ExpressionToken): boolean =>
  last.kind === 'symbol' && !/^[)\]}]$/.test(textOf(text, last))

/** Where the path that ends with that token begins: `$sum(a.b)[0].c` is one. */
function chainStart(text: string, tokens: readonly ExpressionToken[], end: number): number | null {
  let at = end
  for (;;) {
    // Filters and calls belong to what stands before them.
    while (textOf(text, tokens[at]) === ']' || textOf(text, tokens[at]) === ')') {
      const opened = openingOf(text, tokens, at)
      if (opened === null) return null
      const isGroup = textOf(text, tokens[at]) === ')' && !isNamed(tokens[opened - 1])
      at = opened - 1
      if (isGroup) return beforeChain(text, tokens, opened) ?? tokens[opened]?.start ?? null
    }
    const token = tokens[at]
    if (token === undefined || !isName(token)) return null
    if (textOf(text, tokens[at - 1]) !== '.') return token.start
    at -= 2
  }
}

const isNamed = (token: ExpressionToken | undefined): boolean => token !== undefined && isName(token)

/** A group may be a step of a longer path. */
function beforeChain(text: string, tokens: readonly ExpressionToken[], opened: number): number | null {
  return textOf(text, tokens[opened - 1]) === '.' ? chainStart(text, tokens, opened - 2) : null
}

function openingOf(text: string, tokens: readonly ExpressionToken[], close: number): number | null {
  let depth = 0
  for (let at = close; at >= 0; at -= 1) {
    const sign = textOf(text, tokens[at])
    if (sign === ')' || sign === ']') depth += 1
    else if (sign === '(' || sign === '[') depth -= 1
    if (depth === 0) return at
  }
  return null
}

/** In code: the path into the step's data that is being written at the end of a line; null where there is none. */
export function dataPathAt(line: string): string | null {
  const found = /(?:^|[^\w$.])((?:input|vars|run)(?:\??\.\w+|\[\d+\])*\??\.\w*)$/.exec(line)
  return found?.[1] ?? null
}

/** What fits at the end of `text`; null where nothing does. */
export async function completionsAt(text: string, means: CompletionMeans): Promise<Completions | null> {
  const wanted = wantedAt(text)
  if (wanted === null) return null
  const all = wanted.of === null ? beginnings(wanted.typed, means) : await fieldsOf(wanted.of.trim(), means)
  const typed = wanted.typed.toLowerCase()
  const options = all.filter(({ label }) => label.toLowerCase().includes(typed))
  const isWhole = options.length === 1 && options[0]?.label === wanted.typed
  return options.length === 0 || isWhole ? null : { from: wanted.from, options }
}

function beginnings(
  typed: string,
  { document, nodeId, secrets, sees = null }: CompletionMeans,
): readonly CompletionOption[] {
  if (typed.startsWith('$'))
    return Object.entries(words.functions).map(([name, detail]) => {
      return { label: `$${name}`, detail, type: 'function' }
    })
  const isInBody = nodeId !== null && document().nodes[nodeId as never]?.parent !== undefined
  return Object.entries({
    ...(sees === null ? {} : { [sees]: words.endRoots[sees] }),
    ...words.roots,
    ...(isInBody ? words.bodyRoots : {}),
    ...(secrets() === null ? {} : words.secretRoots),
  }).map(([label, detail]) => {
    return { label, detail, type: 'variable' }
  })
}

/** Entries of a list that are looked at for the names of their fields. */
const looksMax = 50
const optionsMax = 200

async function fieldsOf(of: string, means: CompletionMeans): Promise<readonly CompletionOption[]> {
  if (of === 'nodes') {
    const { nodes } = means.document()
    return Object.entries(nodes)
      .filter(([id]) => id !== means.nodeId)
      .map(([id, { title, kind }]) => property(id, title ?? kind))
  }
  // Never asked of the engine: there is no value to look into.
  if (of === 'secrets')
    return (means.secrets() ?? []).map(({ name, kind, note }) => property(name, note === '' ? kind : note))
  const value = await means.valueOf(of)
  const found = value === undefined ? new Map<string, JsonValue>() : fieldsIn(value)
  // A step has its output also before its first run.
  if (/^nodes\s*\.\s*(?:\w+|`[^`]+`)$/.test(of) && !found.has('output')) return [property('output', '')]
  return [...found].slice(0, optionsMax).map(([name, inside]) => property(name, exampleOf(inside)))
}

const property = (name: string, detail: string): CompletionOption => {
  const apply = quotedName(name)
  return { label: name, ...(apply === name ? {} : { apply }), detail, type: 'property' }
}

/** Fields of an object, or of the objects in a list: a path goes through them all. */
function fieldsIn(value: JsonValue): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>()
  const items: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
  for (const item of items.slice(0, looksMax)) {
    if (!isJsonObject(item)) continue
    for (const [name, inside] of Object.entries(item)) {
      if (!found.has(name) && !name.includes('`')) found.set(name, inside)
    }
  }
  return found
}

const exampleChars = 28

/** What the field holds, in a few characters. */
function exampleOf(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.length}]`
  const text = JSON.stringify(value)
  return text.length > exampleChars ? `${text.slice(0, exampleChars)}…` : text
}
