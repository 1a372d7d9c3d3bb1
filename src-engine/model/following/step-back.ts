/** One step back from a value: what it was taken from or made of. */

import { childRunOf } from '../child-run.ts'
import type { FieldPath, FieldText } from '../field-hints.ts'
import { fieldTexts, untypedTexts } from '../field-hints.ts'
import type { GraphEdge } from '../graph.ts'
import { followedTurnsMax } from '../limits.ts'
import { parseTemplate } from '../template.ts'
import type { ExpressionSource } from './expression-source.ts'
import { sourceInExpression } from './expression-source.ts'
import type { FollowedRun, Following } from './followed-runs.ts'
import { endsOfLevel, isTaken, levelAt, pathWithin, recordAt, runIn } from './followed-runs.ts'
import type { ValuePlace } from './value-place.ts'

/** Where a value began. */
export type ValueOrigin =
  /** What the run was started with. */
  | 'run-input'
  /** What the trigger that started it brought. */
  | 'trigger'
  /** What a step did or found outside. */
  | 'step'
  /** What a step failed with. */
  | 'error'
  /** Written into the workflow. */
  | 'literal'
  | 'variable'
  | 'secret'
  /** The engine's own: an index, the id of the run. */
  | 'engine'
  /** Its run or step isn't there to be looked into. */
  | 'unknown'

export interface StepBack {
  /** `copied`: it is what stands there; `made`: worked out from these; else where it began. */
  readonly how: 'copied' | 'made' | ValueOrigin
  /** The expression that took or made it; null where none did. */
  readonly expression: string | null
  readonly from: readonly ValuePlace[]
}

const began = (how: ValueOrigin, expression: string | null = null): StepBack => ({
  how,
  expression,
  from: [],
})
const copied = (place: ValuePlace): StepBack => ({ how: 'copied', expression: null, from: [place] })

/** One step back from a place; what it lacks for that is asked for in `wanted`. */
export function stepBack(following: Following, place: ValuePlace): StepBack {
  const run = runIn(following, place.runId)
  if (run === undefined) return began('unknown')
  if (place.of === 'vars') return began('variable')
  if (place.of === 'run.input' || place.nodeId === null) return beforeTheRun(following, run, place)
  const at: AtStep = { following, run, place, nodeId: place.nodeId }
  if (place.of === 'input') return backFromInput(at)
  return place.of === 'parameters' ? backFromParameters(at) : backFromOutput(at)
}

interface AtStep {
  readonly following: Following
  readonly run: FollowedRun
  readonly place: ValuePlace
  readonly nodeId: string
}

/** The input of a sub-workflow's run is what its step called it with. */
function beforeTheRun(following: Following, { run }: FollowedRun, place: ValuePlace): StepBack {
  const { parentRunId, parentInvocationId, cause } = run
  if (parentRunId === null || parentInvocationId === null) {
    return began(cause.kind.startsWith('trigger') ? 'trigger' : 'run-input')
  }
  const parent = runIn(following, parentRunId)
  const caller = parent?.invocations.find(({ id }) => id === parentInvocationId)
  if (caller === undefined) return began('unknown')
  const { nodeId, path } = caller
  const field = ['input', ...place.field]
  return copied({ runId: parentRunId, of: 'parameters', nodeId, path, field })
}

function backFromInput({ run, place, nodeId }: AtStep): StepBack {
  const waysIn = run.graph.nodeById.get(nodeId)?.incoming ?? []
  if (waysIn.length === 0) return backFromLevel(run, place)
  const arrived = new Map<string, GraphEdge>()
  for (const edge of waysIn) {
    const record = recordAt(run, edge.from, place.path)
    if (record !== null && isTaken(record, edge.fromPort) && !arrived.has(edge.from))
      arrived.set(edge.from, edge)
  }
  const [only] = arrived.values()
  if (only === undefined) return began('unknown')
  if (arrived.size === 1) {
    const isError = recordAt(run, only.from, place.path)?.status !== 'SUCCESS'
    return isError ? began('error') : copied({ ...place, of: 'output', nodeId: only.from })
  }
  const [name, ...field] = place.field
  if (typeof name === 'string' && arrived.has(name))
    return copied({ ...place, of: 'output', nodeId: name, field })
  const from = [...arrived.keys()].map(
    (id): ValuePlace => ({ ...place, of: 'output', nodeId: id, field: [] }),
  )
  return { how: 'made', expression: null, from }
}

/** What the first steps of a level get: the run's input, an item, or what the turn before gave. */
function backFromLevel(run: FollowedRun, place: ValuePlace): StepBack {
  const level = levelAt(place.path)
  if (level === null) return copied({ ...place, of: 'run.input', nodeId: null })
  const { nodeId, path, index } = level
  const container = run.graph.nodeById.get(nodeId)?.node
  if (container?.kind !== 'map') {
    if (index === 0) return copied({ ...place, of: 'input', nodeId, path })
    return fromLevelEnd(run, { ...place, nodeId, path: pathWithin(path, nodeId, index - 1) })
  }
  const size = Number(container.parameters?.['batchSize'] ?? 1)
  const [first, ...rest] = place.field
  const isBatch = size > 1
  // A batch as a whole is part of the list.
  const own = isBatch && typeof first !== 'number' ? [] : [isBatch ? index * size + Number(first) : index]
  const field = ['items', ...own, ...(isBatch ? rest : place.field)]
  return copied({ ...place, of: 'parameters', nodeId, path, field })
}

/** What a level handed on: `place` names its container and its own path. */
function fromLevelEnd(run: FollowedRun, place: ValuePlace): StepBack {
  const ends = endsOfLevel(run, place.nodeId, place.path)
  const [only, second] = ends
  if (only === undefined) return began('unknown')
  if (second === undefined) return copied({ ...place, of: 'output', nodeId: only })
  const [name, ...field] = place.field
  const named = ends.find((id) => id === name)
  if (named !== undefined) return copied({ ...place, of: 'output', nodeId: named, field })
  const from = ends.map((nodeId): ValuePlace => ({ ...place, of: 'output', nodeId, field: [] }))
  return { how: 'made', expression: null, from }
}

function backFromParameters(at: AtStep): StepBack {
  const { run, place, nodeId, following } = at
  const node = run.graph.nodeById.get(nodeId)?.node
  if (node === undefined) return began('unknown')
  const texts = parameterTexts(following, run, nodeId).filter(({ path }) => isPrefixOf(path, place.field))
  const [text] = texts
  if (text !== undefined) {
    const rest = place.field.slice(text.path.length)
    if (isInputWhenEmpty(text)) return copied({ ...place, of: 'input', field: rest })
    return fromSource(at, sourceOfText(run, text, rest), text.text)
  }
  const within = parameterTexts(following, run, nodeId).filter(({ path }) => isPrefixOf(place.field, path))
  const from = within.map(({ path }): ValuePlace => ({ ...place, field: path }))
  const isWritten = within.every((one) => sourceOfText(run, one, []).kind === 'literal')
  // A map or a call without the field takes what arrived.
  const implied = place.field[0] === (node.kind === 'map' ? 'items' : 'input')
  if (implied && (node.kind === 'map' || node.kind === 'sub-workflow') && within.length === 0) {
    return copied({ ...place, of: 'input', field: place.field.slice(1) })
  }
  return isWritten ? began('literal') : { how: 'made', expression: null, from }
}

const isPrefixOf = (start: FieldPath, whole: FieldPath): boolean =>
  start.every((step, index) => step === whole[index])

const isInputWhenEmpty = ({ role, text, path }: FieldText): boolean =>
  role === 'expression' && text.trim() === '' && (path[0] === 'items' || path[0] === 'input')

/** The texts of a step's settings with what they are to the engine. */
export function parameterTexts(
  { specs }: Following,
  { graph, memo }: FollowedRun,
  nodeId: string,
): readonly FieldText[] {
  const known = memo.texts.get(nodeId)
  if (known !== undefined) return known
  const node = graph.nodeById.get(nodeId)?.node
  const spec = specs.get(node?.kind ?? '')
  const parameters = node?.parameters ?? {}
  const texts = spec === undefined ? untypedTexts(parameters) : fieldTexts(parameters, spec.parameters)
  memo.texts.set(nodeId, texts)
  return texts
}

/** Where what stands at a place within the value of a text comes from. */
export function sourceOfText(
  { memo: { sources } }: FollowedRun,
  text: FieldText,
  place: FieldPath,
): ExpressionSource {
  const known = sources.get(text) ?? new Map<string, ExpressionSource>()
  sources.set(text, known)
  const key = JSON.stringify(place)
  const source = known.get(key) ?? readSource(text, place)
  known.set(key, source)
  return source
}

function readSource({ role, text }: FieldText, place: FieldPath): ExpressionSource {
  if (role === 'code') return { kind: 'literal' }
  if (role === 'expression') return sourceInExpression(text, place)
  const template = parseTemplate(text)
  if (!template.ok || template.value.kind === 'text') return { kind: 'literal' }
  if (template.value.kind === 'value') return sourceInExpression(template.value.expression.source, place)
  const sources = template.value.parts.flatMap((part) =>
    part.kind === 'expression' ? [sourceInExpression(part.source, [])] : [],
  )
  if (sources.some(({ kind }) => kind === 'secret')) return { kind: 'secret' }
  const reads = sources.flatMap((source) => {
    if (source.kind === 'copied') return [{ path: source.path, isExact: true }]
    return source.kind === 'made' ? source.reads : []
  })
  return reads.length === 0 ? { kind: 'literal' } : { kind: 'made', reads }
}

function fromSource(at: AtStep, source: ExpressionSource, expression: string): StepBack {
  if (source.kind === 'literal' || source.kind === 'secret') return began(source.kind, expression)
  const reads = source.kind === 'copied' ? [source.path] : source.reads.map(({ path }) => path)
  const from = reads.flatMap((read) => placesRead(at, read))
  if (from.length === 0) return began('engine', expression)
  return { how: source.kind, expression, from }
}

/** The places that a path in an expression of a step means; none for what only the engine has. */
export function placesRead(
  { run, place }: Pick<AtStep, 'run' | 'place'>,
  read: FieldPath,
): readonly ValuePlace[] {
  const [root, first, second, ...rest] = read
  const inRun = { runId: place.runId, nodeId: null, path: '' }
  if (root === 'input') return [{ ...place, of: 'input', field: read.slice(1) }]
  if (root === 'vars') return [{ ...inRun, of: 'vars', field: read.slice(1) }]
  if (root === 'run' && first === 'input') return [{ ...inRun, of: 'run.input', field: read.slice(2) }]
  if (root === 'loop' && first === 'value' && place.nodeId !== null)
    return loopValue(run, place, read.slice(2))
  if (root !== 'nodes' || typeof first !== 'string' || second !== 'output') return []
  for (let path = place.path; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    if (recordAt(run, first, path) !== null)
      return [{ ...place, of: 'output', nodeId: first, path, field: rest }]
    if (path === '') return []
  }
}

/** Within the body the value of the turn; in the loop's own condition, what it gave last. */
function loopValue(run: FollowedRun, place: ValuePlace, field: FieldPath): readonly ValuePlace[] {
  const isLoop = run.graph.nodeById.get(place.nodeId ?? '')?.node.kind === 'loop'
  if (isLoop) return [{ ...place, of: 'output', field }]
  const back = backFromLevel(run, { ...place, of: 'input', field })
  return back.from
}

function backFromOutput(at: AtStep): StepBack {
  const { run, place, nodeId, following } = at
  const record = recordAt(run, nodeId, place.path)
  const node = run.graph.nodeById.get(nodeId)?.node
  if (record === null || node === undefined) return began('unknown')
  if (node.kind === 'transform')
    return copied({ ...place, of: 'parameters', field: ['expression', ...place.field] })
  if (node.kind === 'map') return backFromMap(at)
  if (node.kind === 'loop') return backFromLoop(at)
  if (node.kind === 'sub-workflow') {
    const child = node.parameters?.['mode'] === 'start' ? null : childRunOf(record)
    const called = child === null ? undefined : runIn(following, child)
    if (called === undefined || child === null) return began(child === null ? 'engine' : 'unknown')
    return fromLevelEnd(called, { ...place, runId: child, nodeId: null, path: '' })
  }
  if (handsOn.has(node.kind)) return copied({ ...place, of: 'input' })
  if (!reckons.has(node.kind)) return began('step')
  // What it works on is what its settings read; code reads what arrived.
  const reads = parameterTexts(following, run, nodeId).flatMap((text) => {
    const source = sourceOfText(run, text, [])
    return source.kind === 'literal' ? [] : [{ ...place, of: 'parameters' as const, field: text.path }]
  })
  const from = reads.length === 0 ? [{ ...place, of: 'input' as const, field: [] }] : reads
  return { how: 'made', expression: null, from }
}

/** Kinds whose output is what arrived. */
const handsOn: ReadonlySet<string> = new Set(['noop', 'if', 'switch', 'fork', 'join', 'log', 'delay'])
/** Kinds whose output is worked out from their settings and what arrived, and from nothing else. */
const reckons: ReadonlySet<string> = new Set(['javascript', 'parse-csv', 'build-csv'])

function backFromMap({ run, place, nodeId }: AtStep): StepBack {
  const [index, ...field] = place.field
  if (typeof index === 'number') {
    return fromLevelEnd(run, { ...place, path: pathWithin(place.path, nodeId, index), field })
  }
  const turns = turnsOf(run, nodeId, place.path).slice(0, followedTurnsMax)
  const from = turns.flatMap((turn) => fromLevelEnd(run, { ...place, path: turn, field: [] }).from)
  if (from.length > 0) return { how: 'made', expression: null, from }
  return { how: 'made', expression: null, from: [{ ...place, of: 'parameters', field: ['items'] }] }
}

function backFromLoop({ run, place, nodeId }: AtStep): StepBack {
  const last = turnsOf(run, nodeId, place.path).at(-1)
  if (last === undefined) return copied({ ...place, of: 'input' })
  return fromLevelEnd(run, { ...place, path: last })
}

/** The paths of the items or turns that began, in their order. */
function turnsOf({ steps }: FollowedRun, nodeId: string, path: string): readonly string[] {
  const start = path === '' ? `${nodeId}:` : `${path}/${nodeId}:`
  const indexes = new Set<number>()
  for (const step of steps.values()) {
    const index = step.path.startsWith(start) ? step.path.slice(start.length) : ''
    if (/^\d+$/.test(index)) indexes.add(Number(index))
  }
  return [...indexes].toSorted((a, b) => a - b).map((index) => `${start}${index}`)
}
