/** The workflows that engines are killed under; together they pass every failpoint. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

export interface CrashScenario {
  readonly name: string
  readonly document: WorkflowDocument
  /** A step that never ends by itself: the run is cancelled as soon as it executes. */
  readonly cancelAt: string | null
  readonly status: 'SUCCEEDED' | 'CANCELLED'
}

const edge = (from: string, to: string, port = 'out'): readonly [string, JsonObject] => {
  return [`${from}-${to}`, { from: { node: from, port }, to: { node: to, port: 'in' } }]
}

function documentOf(id: string, nodes: JsonObject, edges: readonly (readonly [string, JsonObject])[]) {
  const read = parseDocument({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id,
    title: id,
    nodes,
    edges: Object.fromEntries(edges),
  })
  if (!read.ok) throw read.error
  return read.value.document
}

const step = (parameters: JsonObject = {}): JsonObject => ({ kind: 'debug', parameters })

/** More branches than slots, a wait, a retry and a result that doesn't fit into its record. */
const order = documentOf(
  'order',
  {
    start: step(),
    fork: { kind: 'fork', parameters: { branches: [{ title: 'left' }, { title: 'right' }] } },
    a: step(),
    b: step(),
    c: step(),
    d: step(),
    join: { kind: 'join' },
    wait: { kind: 'delay', parameters: { amount: 20, unit: 'milliseconds' } },
    flaky: { ...step({ failTimes: 1 }), retry: { maxAttempts: 5, delayMs: 10 } },
    large: step({ items: 2_000 }),
    last: step(),
  },
  [
    edge('start', 'fork'),
    edge('fork', 'a', 'branch-1'),
    edge('fork', 'b', 'branch-2'),
    edge('fork', 'c', 'branch-1'),
    edge('fork', 'd', 'branch-2'),
    ...['a', 'b', 'c', 'd'].map((from) => edge(from, 'join')),
    edge('join', 'wait'),
    edge('wait', 'flaky'),
    edge('flaky', 'large'),
    edge('large', 'last'),
  ],
)

const endless = documentOf('endless', { first: step(), endless: step(), never: step() }, [
  edge('first', 'endless'),
  edge('endless', 'never'),
])

/** A second try that comes too soon for its rate: it stands in line for a permit. */
const line = documentOf(
  'line',
  {
    first: step(),
    limited: {
      ...step({ failTimes: 1 }),
      retry: { maxAttempts: 5, delayMs: 5, jitter: 0 },
      concurrency: { running: 'TASK', limit: 1, onFull: 'reroute' },
      rateLimit: { count: 1, perMs: 150 },
    },
    last: step(),
  },
  [edge('first', 'limited'), edge('limited', 'last')],
)

/** By name. */
export const crashScenarios: readonly CrashScenario[] = [
  { name: 'order', document: order, cancelAt: null, status: 'SUCCEEDED' },
  { name: 'line', document: line, cancelAt: null, status: 'SUCCEEDED' },
  { name: 'cancel', document: endless, cancelAt: 'endless', status: 'CANCELLED' },
]
