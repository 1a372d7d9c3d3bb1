/**
 * Secrets that somebody wrote into a document: where they stand, and the document without them. Where a secret may be
 * named, its name takes the place of the value; everywhere else nothing but a mark is left. Pure.
 */

import type { FieldPath, FieldText } from './field-hints.ts'
import { fieldTexts, untypedTexts } from './field-hints.ts'
import type { NodeId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import { secretReference } from './secret.ts'
import { secretShapes } from './secret-shapes.ts'
import { namesIn } from './secret-uses.ts'
import { isSensitiveName } from './sensitive-names.ts'
import type { TaskSpec } from './task-spec.ts'
import { hasExpression } from './template.ts'
import type { WorkflowDocument } from './workflow.ts'

/** What stands where a secret was that could not be named there. */
export const leftOutMark = '(secret left out)'

/** A secret in plain text. Its value is not told: whoever lists them may show all of this. */
export interface PlainSecret {
  /** From the document's top. */
  readonly path: FieldPath
  /** The step that it is in; null elsewhere. */
  readonly nodeId: NodeId | null
  /** What the field is called, or what the text looks like. */
  readonly title: string
  /** The name that takes its place; null where none may stand, so that the text goes. */
  readonly slot: string | null
}

/** A document as others may have it. */
export interface WithoutSecrets {
  readonly document: WorkflowDocument
  /** What was found, in the order of the document; empty when nothing had to be changed. */
  readonly found: readonly PlainSecret[]
}

type Specs = ReadonlyMap<string, Pick<TaskSpec, 'parameters'>>

/** Whether a field's text is a secret as people write them who don't know of the vault. */
export function isPlainSecret({ text, hints: { secret }, path }: FieldText): boolean {
  if (secret === undefined || text.trim() === '' || hasExpression(text)) return false
  const key = path.findLast((part) => typeof part === 'string') ?? ''
  return secret === 'expected' || isSensitiveName(key)
}

/** Looks through all of a document. The one that is given is not touched. */
export function withoutSecrets(document: WorkflowDocument, specs: Specs): WithoutSecrets {
  const search: Search = { found: [], names: newNames(document) }
  // JSON both ways: what is walked is what the file says, fields of newer versions included.
  const { nodes, ...rest } = document as unknown as JsonObject
  const cleanNodes = Object.entries(isJsonObject(nodes) ? nodes : {}).map(([id, node]) => {
    // Keys of `nodes` are node ids.
    const of = { ...search, nodeId: id as NodeId }
    return [id, isJsonObject(node) ? cleanNode(node, of, specs) : node] as const
  })
  const clean = cleanValue(rest, ['document'], { ...search, nodeId: null })
  if (search.found.length === 0) return { document, found: [] }
  const result = { ...(clean as JsonObject), nodes: Object.fromEntries(cleanNodes) }
  return { document: result as unknown as WorkflowDocument, found: search.found }
}

interface Search {
  readonly found: PlainSecret[]
  readonly names: Names
}

interface Place extends Search {
  readonly nodeId: NodeId | null
}

/** Texts of parameters are judged by their fields; all else by its name and its look. */
function cleanNode(node: JsonObject, place: Place, specs: Specs): JsonObject {
  const { kind, parameters, compensation, ...rest } = node
  const at: FieldPath = ['nodes', place.nodeId ?? '']
  const own = (task: JsonObject, path: FieldPath): JsonValue | undefined => {
    const fields = task['parameters']
    if (!isJsonObject(fields)) return fields
    const spec = typeof task['kind'] === 'string' ? specs.get(task['kind']) : undefined
    return cleanParameters(fields, spec, { ...place, path: [...path, 'parameters'] })
  }
  const clean: Record<string, JsonValue | undefined> = {
    ...(cleanValue(rest, at, place) as JsonObject),
    ...(kind === undefined ? {} : { kind }),
  }
  if (parameters !== undefined) clean['parameters'] = own(node, at)
  if (compensation !== undefined) clean['compensation'] = cleanUndo(compensation, own, { ...place, at })
  // Only what was there is there again.
  return clean as JsonObject
}

function cleanUndo(
  compensation: JsonValue,
  own: (task: JsonObject, path: FieldPath) => JsonValue | undefined,
  { at, ...place }: Place & { readonly at: FieldPath },
): JsonValue {
  const path = [...at, 'compensation']
  if (!isJsonObject(compensation)) return cleanValue(compensation, path, place)
  const { task, ...rest } = compensation
  const clean = cleanValue(rest, path, place) as JsonObject
  if (!isJsonObject(task)) return task === undefined ? clean : { ...clean, task }
  const parameters = own(task, [...path, 'task'])
  return { ...clean, task: { ...task, ...(parameters === undefined ? {} : { parameters }) } }
}

/** What a kind that nobody knows means by its fields is told by their names alone. */
function cleanParameters(
  parameters: JsonObject,
  spec: Pick<TaskSpec, 'parameters'> | undefined,
  place: Place & { readonly path: FieldPath },
): JsonObject {
  const texts = spec === undefined ? untypedTexts(parameters) : fieldTexts(parameters, spec.parameters)
  let clean: JsonValue = parameters
  for (const text of texts) {
    const path = [...place.path, ...text.path]
    const key = nameOfPlace(text.path)
    const isWhole =
      spec === undefined
        ? text.text !== '' && !hasExpression(text.text) && isSensitiveName(key)
        : isPlainSecret(text)
    const mayName = spec === undefined || text.hints.secret !== undefined
    const isNamed = isWhole || (mayName && text.role === 'template' && !hasExpression(text.text))
    const said = isWhole
      ? slotFor(text.text, { ...place, path, title: titleOf(text, key) })
      : cleanText(text.text, path, { ...place, mayName: isNamed })
    if (said !== text.text) clean = withText(clean, text.path, said)
  }
  return clean as JsonObject
}

/** A field of a record has the title of the whole record. */
const titleOf = ({ hints }: FieldText, key: string): string =>
  hints.secret === 'expected' ? (hints.title ?? key) : key

const nameOfPlace = (path: FieldPath): string => path.findLast((part) => typeof part === 'string') ?? ''

/** Notes, mocks, variables, and whatever else people write into. */
function cleanValue(value: JsonValue, path: FieldPath, place: Place): JsonValue {
  if (typeof value === 'string') return cleanFree(value, path, place)
  if (Array.isArray(value)) return value.map((item: JsonValue, at) => cleanValue(item, [...path, at], place))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cleanValue(item, [...path, key], place)]),
  )
}

function cleanFree(text: string, path: FieldPath, place: Place): string {
  // What a form begins with is the value of the field that it belongs to.
  const key = nameOfPlace(path.at(-1) === 'default' ? path.slice(0, -1) : path)
  // The fields of triggers hold names of secrets, never values.
  const isTrigger = path[0] === 'document' && path[1] === 'triggers'
  const isNone = text === '' || text === leftOutMark || hasExpression(text)
  if (isTrigger || isNone || !isSensitiveName(key)) return cleanText(text, path, { ...place, mayName: false })
  place.found.push({ path: fromTop(path), nodeId: place.nodeId, title: key, slot: null })
  return leftOutMark
}

/** Parts of a text that look like secrets. */
function cleanText(text: string, path: FieldPath, place: Place & { readonly mayName: boolean }): string {
  let clean = text
  for (const shape of secretShapes) {
    for (const match of clean.match(shape.expression) ?? []) {
      const whole = shape.type === 'private-key' ? keyFrom(clean, match) : match
      const title = shape.detail
      if (place.mayName) {
        clean = clean.replace(whole, () => slotFor(whole, { ...place, path, title }))
        continue
      }
      place.found.push({ path: fromTop(path), nodeId: place.nodeId, title, slot: null })
      clean = clean.replace(whole, () => leftOutMark)
    }
  }
  return clean
}

/** A key with all its lines; to the end of the text where its last one is missing. */
function keyFrom(text: string, head: string): string {
  const from = text.indexOf(head)
  const end = /-----END [A-Z ]{0,40}-----/.exec(text.slice(from))
  return end === null ? text.slice(from) : text.slice(from, from + end.index + end[0].length)
}

function slotFor(value: string, place: Place & { readonly path: FieldPath; readonly title: string }): string {
  const { path, nodeId, title, names } = place
  const slot = names.of(value, `${nodeId ?? 'secret'}_${nameOfPlace(path)}`)
  place.found.push({ path: fromTop(path), nodeId, title, slot })
  return secretReference(slot)
}

/** What is not a step's is walked from a place of its own. */
const fromTop = (path: FieldPath): FieldPath => (path[0] === 'document' ? path.slice(1) : path)

/** The same value with another text at a place; shared but for the way there. */
function withText(value: JsonValue, [key, ...below]: FieldPath, text: string): JsonValue {
  if (key === undefined) return text
  if (Array.isArray(value))
    return value.map((item: JsonValue, at) => (at === key ? withText(item, below, text) : item))
  if (!isJsonObject(value)) return value
  return { ...value, [key]: withText(value[key] ?? null, below, text) }
}

interface Names {
  /** The same name for the same value; one that the document doesn't use for another. */
  readonly of: (value: string, wish: string) => string
}

const nameCharsMax = 60

function newNames(document: WorkflowDocument): Names {
  const nameByValue = new Map<string, string>()
  const taken = new Set(untypedTexts(document as unknown as JsonObject).flatMap(({ text }) => namesIn(text)))
  return {
    of: (value, wish) => {
      const known = nameByValue.get(value)
      if (known !== undefined) return known
      const base = slotName(wish)
      let name = base
      for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`
      taken.add(name)
      nameByValue.set(value, name)
      return name
    },
  }
}

/** `charge_card` and `X-Api-Key` → `CHARGE_CARD_X_API_KEY`. */
function slotName(wish: string): string {
  const plain = wish
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, nameCharsMax)
  return /^[A-Z]/.test(plain) ? plain : `SECRET_${plain}`.replace(/_$/, '')
}
