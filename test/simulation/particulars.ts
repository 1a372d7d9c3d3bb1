/**
 * What only some steps say of themselves: whether a failure is tried again, what ends the run, what is taken out of a result,
 * the keys of a map's items, which other runs they steer, and how it goes on when a group can't be undone. Drawn apart from
 * all else, and only for some seeds, so that the stories of the others stay as they are.
 */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import {
  itemItself,
  oddAtFirst,
  retryConditions,
  roundsFrom,
  stopConditions,
  unclearCondition,
} from '../support/drawn-conditions.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import { signalNames } from './documents.ts'
import { portOf, undoingNode } from './saga.ts'
import type { Scenario, Start } from './scenario.ts'

interface Habits {
  readonly conditions: boolean
  readonly stops: boolean
  readonly keys: boolean
  readonly steers: boolean
  /** The steps whose results are written without a part, by their ids, in all workflows alike. */
  readonly hides: (id: string) => boolean
  /** Runs that steps may name. */
  readonly runs: readonly string[]
  readonly workflows: readonly string[]
}

/** The same scenario with steps that say more of themselves; for most seeds it stays as it is. */
export function withParticulars(seed: number, drawn: Scenario): Scenario {
  const random = createRandomSource(`seed ${seed} particulars`)
  if (!random.chance(0.15)) return drawn
  const habits = habitsOf(random, drawn)
  const documents = drawn.documents.map((document) => particular(random, document, habits))
  const starts = drawn.starts.map((start): Start => {
    const document = documents[drawn.documents.indexOf(start.document)] ?? start.document
    if (!habits.keys) return { ...start, document }
    // What a map has done is taken over by a run that goes on.
    const again = [8_000, 25_000].map(
      (after) => ({ kind: 'retry', after: after + random.below(20_000) }) as const,
    )
    return { ...start, document, wishes: [...start.wishes, ...again] }
  })
  return { ...drawn, documents, starts, particular: true }
}

function habitsOf(random: RandomSource, { documents, starts }: Scenario): Habits {
  const hidden = new Set(
    Array.from({ length: 10 }, (_, index) => `n${index}`).filter(() => random.chance(0.3)),
  )
  const hides = random.chance(0.6)
  return {
    conditions: random.chance(0.6),
    stops: random.chance(0.4),
    keys: random.chance(0.7),
    steers: random.chance(0.5),
    hides: (id) => hides && hidden.has(id.slice(0, 2)),
    runs: starts.flatMap(({ requestId }) =>
      requestId === null ? [] : [`run_req_${encodeURIComponent(requestId)}`],
    ),
    workflows: documents.map(({ id }) => id),
  }
}

function particular(random: RandomSource, document: WorkflowDocument, habits: Habits): WorkflowDocument {
  const nodes: Record<string, JsonObject | WorkflowNode> = {}
  for (const [id, node] of Object.entries(document.nodes)) {
    if (node.kind === 'map' && habits.keys)
      nodes[id] = { ...node, parameters: keyed(random, node.parameters) }
    else if (node.kind === 'debug') nodes[id] = { ...node, ...said(random, { id, node }, habits) }
    else nodes[id] = node
  }
  const edges: Record<string, unknown> = { ...document.edges }
  const roots = Object.entries(document.nodes).filter(
    // Nothing leads away from what ends a run, or to or from what only undoes.
    ([id, { parent, kind }]) => parent === undefined && kind !== 'stop' && id !== undoingNode,
  )
  if (habits.steers && roots.length > 0) {
    const [from, node] = random.pick(roots)
    nodes['steers'] = steering(random, habits)
    edges['to-steers'] = { from: { node: from, port: portOf(node) }, to: { node: 'steers', port: 'in' } }
  }
  if (habits.keys && roots.length > 0 && random.chance(0.7)) {
    const [from, node] = random.pick(roots)
    const items = Array.from({ length: 1 + random.below(5) }, (_, item) => item)
    nodes['each'] = { kind: 'map', parameters: keyed(random, { items, limit: 1 + random.below(3) }) }
    nodes['one'] = { kind: 'debug', parent: 'each', parameters: { failMessage: oddAtFirst } }
    edges['to-each'] = { from: { node: from, port: portOf(node) }, to: { node: 'each', port: 'in' } }
  }
  const groups = groupsOf(random, document)
  if (groups !== null)
    for (const [id, node] of Object.entries(nodes)) nodes[id] = tiring(id, node as WorkflowNode)
  const read = parseDocument({
    ...document,
    nodes,
    edges,
    ...(groups === null ? {} : { sagaScopes: groups }),
  })
  if (!read.ok) throw read.error
  return read.value.document
}

/** What is asked when it fails and when it has succeeded, and what nobody is to read of it. */
function said(
  random: RandomSource,
  { id, node }: { readonly id: string; readonly node: WorkflowNode },
  habits: Habits,
): JsonObject {
  const retryIf = random.pick([...retryConditions.keys(), unclearCondition])
  const asksFirst = habits.conditions && node.retry !== undefined && random.chance(0.6)
  const ends = habits.stops && random.chance(0.15)
  const stopAs = random.pick(['succeeded', 'succeeded', 'failed', 'cancelled'])
  return {
    ...(asksFirst ? { retry: { ...node.retry, retryIf } } : {}),
    ...(ends ? { stopAfterIf: random.pick([...stopConditions.keys()]), stopAs } : {}),
    ...(habits.hides(id) && node.disabled !== true && node.bypassed !== true ? { redact: ['digest'] } : {}),
  }
}

/** Some have two items with the same key. */
function keyed(random: RandomSource, parameters: JsonObject = {}): JsonObject {
  const drawn = Array.isArray(parameters['items']) ? (parameters['items'] as readonly JsonValue[]) : []
  return {
    ...parameters,
    items: random.chance(0.3) ? [...drawn, ...drawn.slice(0, 1)] : drawn,
    key: itemItself,
    onDuplicate: random.pick(['first', 'first', 'last', 'fail']),
    onAgain: random.pick(['rest', 'rest', 'all']),
    gives: random.pick(['object', 'object', 'list']),
  }
}

function steering(random: RandomSource, { runs, workflows }: Habits): JsonObject {
  const action = random.pick(['cancel', 'signal', 'signal'])
  const isNamed = runs.length > 0 && random.chance(0.4)
  const whom: JsonObject = isNamed
    ? { which: 'ids', runs: runs.filter(() => random.chance(0.6)) }
    : {
        which: 'filter',
        workflow: random.pick(workflows),
        state: random.pick(['under-way', 'under-way', 'running', 'waiting', 'queued']),
      }
  const limits = { atMost: 1 + random.below(4), onMore: random.pick(['some', 'some', 'fail']) }
  const name = action === 'signal' ? { name: random.pick(signalNames) } : {}
  const onError = random.chance(0.5) ? { onError: 'continue' } : {}
  return { kind: 'steer-runs', parameters: { action, ...whom, ...limits, ...name }, ...onError }
}

/** The groups that there are, or one of some steps; null where nothing can be undone. */
function groupsOf(random: RandomSource, { nodes, sagaScopes }: WorkflowDocument): JsonObject | null {
  const undone = Object.keys(nodes).filter((id) => nodes[id as never]?.compensation !== undefined)
  if (undone.length === 0) return null
  const some = undone.filter(() => random.chance(0.7))
  const groups: Record<string, object> = sagaScopes ?? { some: { nodes: some.length === 0 ? undone : some } }
  return Object.fromEntries(
    Object.entries(groups).map(([id, group]) => [
      id,
      { ...group, onFailure: random.pick(['retry', 'stop', 'stop', 'ask']) },
    ]),
  )
}

/** What would fail for ever fails in two rounds: it may be begun anew until it is done. */
function tiring(id: string, node: WorkflowNode): WorkflowNode {
  const { compensation, parameters = {} } = node
  if (id === undoingNode) return { ...node, parameters: tired(parameters, 1) }
  if (compensation?.task === undefined) return node
  const { task, retry = {} } = compensation
  const own = { ...task, parameters: tired(task.parameters, retry.maxAttempts ?? triesOfUndoing) }
  return { ...node, compensation: { ...compensation, task: own } }
}

/** Where it says nothing else. */
const triesOfUndoing = 3

const tired = (parameters: JsonObject, tries: number): JsonObject =>
  Number(parameters['failTimes'] ?? 0) < tries ? parameters : { ...parameters, failTimes: roundsFrom + 2 }
