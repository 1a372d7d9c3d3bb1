/** Where two runs part, and why: the first step that went another way, and the data that it decided on. */

import type { TaskSpecs } from '../definition-hash.ts'
import { expressionReads } from '../expression-reads.ts'
import { fieldTexts, untypedTexts } from '../field-hints.ts'
import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { templateExpressions } from '../template.ts'
import type { WorkflowNode } from '../workflow.ts'
import type { ComparedRun } from './compared-run.ts'
import { arrivedAt, placeKey, stepsOf, valueOfPayload } from './compared-run.ts'
import type { StepComparison } from './step-comparison.ts'
import type { ValueDifference } from './value-differences.ts'
import { valueDifferences } from './value-differences.ts'

export interface Divergence {
  /** `way`: another way was gone; `value`: the same way, with other data. */
  readonly kind: 'way' | 'value'
  /** The step; null when it is the input of the runs. */
  readonly nodeId: string | null
  readonly path: string
  /** What the step read that differs, as expressions name it: `input.total`; the first few. */
  readonly because: readonly ValueDifference[]
}

/** More reasons than these explain nothing. */
const reasonsMax = 5

/** The first step that went another way; else the first that had other data. Null without any. */
export function divergenceOf(compared: {
  readonly before: ComparedRun
  readonly after: ComparedRun
  readonly steps: readonly StepComparison[]
  readonly isInputSame: boolean
  readonly specs: TaskSpecs
}): Divergence | null {
  const { before, after, steps, isInputSame } = compared
  const turned = steps.find((step) => isTurn(step) && !isExplainedInside(step, steps))
  if (turned !== undefined) {
    const { nodeId, path } = turned
    return { kind: 'way', nodeId, path, because: reasonsOf(compared, turned) }
  }
  if (!isInputSame) {
    const [was, is] = [valueOfPayload(before, before.run.input), valueOfPayload(after, after.run.input)]
    return { kind: 'value', nodeId: null, path: '', because: valueDifferences(was, is, reasonsMax) }
  }
  const other = steps.find((step) => hasOtherData(step) && !isExplainedInside(step, steps))
  if (other === undefined) return null
  const { nodeId, path } = other
  return { kind: 'value', nodeId, path, because: reasonsOf(compared, other) }
}

const turns: ReadonlySet<string> = new Set(['presence', 'status', 'ways'])
const isTurn = ({ differences }: StepComparison): boolean => differences.some((one) => turns.has(one))

/** How often something was tried is no reason for what came later: what it gave is. */
const hasOtherData = ({ differences }: StepComparison): boolean =>
  differences.some((one) => one !== 'attempts')

/** Whether a map or loop that was called alike differs only by what became of its turns. */
function isExplainedInside(step: StepComparison, steps: readonly StepComparison[]): boolean {
  if (step.differences.includes('input') || step.differences.includes('presence')) return false
  const own = step.path === '' ? `${step.nodeId}:` : `${step.path}/${step.nodeId}:`
  return steps.some(({ path, differences }) => differences.length > 0 && path.startsWith(own))
}

function reasonsOf(
  {
    before,
    after,
    specs,
  }: { readonly before: ComparedRun; readonly after: ComparedRun; readonly specs: TaskSpecs },
  { nodeId, path }: StepComparison,
): readonly ValueDifference[] {
  const node = nodeIn(after, nodeId) ?? nodeIn(before, nodeId)
  if (node === undefined) return []
  const found: ValueDifference[] = []
  for (const read of readsOfNode(node, specs)) {
    const [was, is] = [readValue(before, { read, nodeId, path }), readValue(after, { read, nodeId, path })]
    // Where one of them isn't known, nothing can be said of it.
    if (was === undefined || is === undefined) continue
    for (const one of valueDifferences(was, is, reasonsMax))
      found.push({ ...one, path: [...read, ...one.path] })
  }
  const byPlace = new Map(found.map((one) => [JSON.stringify(one.path), one]))
  return [...byPlace.values()].slice(0, reasonsMax)
}

const nodeIn = ({ document }: ComparedRun, id: string): WorkflowNode | undefined =>
  Object.entries(document.nodes).find(([key]) => key === id)?.[1]

type Place = readonly (string | number)[]

/** The places that the settings of a node read, in their order. */
function readsOfNode(node: WorkflowNode, specs: TaskSpecs): readonly Place[] {
  const parameters = node.parameters ?? {}
  const spec = specs.get(node.kind)
  const texts = spec === undefined ? untypedTexts(parameters) : fieldTexts(parameters, spec.parameters)
  const sources = texts.flatMap(({ role, text }) => {
    if (role === 'code') return []
    return role === 'expression' ? [text] : templateExpressions(text).map(({ source }) => source)
  })
  return sources.flatMap((source) => expressionReads(source).map(({ path }) => path))
}

/** What a place held for a step; undefined where that isn't known, null for a field that isn't there. */
function readValue(
  side: ComparedRun,
  { read, nodeId, path }: { readonly read: Place; readonly nodeId: string; readonly path: string },
): JsonValue | undefined {
  const [root, first, second, ...rest] = read
  if (root === 'input') return valueAt(arrivedAt(side, nodeId, path), read.slice(1))
  if (root === 'vars') return valueAt(side.document.variables ?? {}, read.slice(1))
  if (root === 'run' && first === 'input') return valueAt(valueOfPayload(side, side.run.input), read.slice(2))
  if (root !== 'nodes' || typeof first !== 'string' || second !== 'output') return undefined
  const output = stepSeenFrom(side, first, path)
  return output === null ? undefined : valueAt(valueOfPayload(side, output), rest)
}

/** The output of a node as a step at `path` sees it: of its own turn, else of the levels around. */
function stepSeenFrom(side: ComparedRun, nodeId: string, path: string) {
  const steps = stepsOf(side)
  for (let level = path; ; level = level.slice(0, Math.max(0, level.lastIndexOf('/')))) {
    const output = steps.get(placeKey(nodeId, level))?.record?.output ?? null
    if (output !== null || level === '') return output
  }
}

function valueAt(value: JsonValue | undefined, path: Place): JsonValue | undefined {
  let at = value
  for (const step of path) {
    if (at === undefined) return undefined
    if (typeof step === 'number') at = (Array.isArray(at) ? (at as readonly JsonValue[])[step] : at) ?? null
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? (at[step] ?? null) : null
  }
  return at
}
