/** The workflows that engines are killed under; together they pass every failpoint. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { documentOf, edge, step } from './crash-documents.ts'
import type { CrashScenario } from './crash-scenario.ts'
import { governedScenarios } from './governed-scenarios.ts'
import { undoScenarios } from './undo-scenarios.ts'

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
      rateLimit: { count: 1, perMs: 500 },
    },
    last: step(),
  },
  [edge('first', 'limited'), edge('limited', 'last')],
)

const pause = { kind: 'delay', parameters: { amount: 30, unit: 'milliseconds' } }
const flaky = { ...step({ failTimes: 1 }), retry: { maxAttempts: 5, delayMs: 5, jitter: 0 } }

/** A map in whose items things fail and wait, and after it a loop around a map. */
const nest = documentOf(
  'nest',
  {
    list: step({ items: 4 }),
    each: { kind: 'map', parameters: { limit: 2 } },
    flaky: { ...flaky, parent: 'each' },
    wait: { ...pause, parent: 'each' },
    again: { kind: 'loop', parameters: { mode: 'count', count: 2 } },
    rows: { ...step({ items: 2 }), parent: 'again' },
    inner: { kind: 'map', parent: 'again' },
    row: { ...step(), parent: 'inner' },
    last: step(),
  },
  [
    edge('list', 'each'),
    edge('flaky', 'wait'),
    edge('each', 'again'),
    edge('rows', 'inner'),
    edge('again', 'last'),
  ],
)

const wait = (name: string): JsonObject => ({ kind: 'wait-signal', parameters: { name } })

/** Two signals that come before anybody waits, and are taken in order in two branches of one run. */
const signals = documentOf(
  'signals',
  {
    first: step(),
    pause,
    a: wait('go'),
    b: wait('go'),
    other: wait('stop'),
    last: step(),
    join: { kind: 'join' },
  },
  [
    edge('first', 'pause'),
    edge('pause', 'a'),
    edge('a', 'b'),
    edge('first', 'other'),
    edge('b', 'join'),
    edge('other', 'join'),
    edge('join', 'last'),
  ],
)

const ask = (title: string): JsonObject => ({ kind: 'approval', parameters: { title } })

/** Three questions, two of them at once, with steps that must happen once behind them. */
const asked = documentOf(
  'asked',
  { first: step(), a: ask('a'), b: ask('b'), c: ask('c'), pause, join: { kind: 'join' }, last: step() },
  [
    edge('first', 'a'),
    edge('first', 'b'),
    edge('a', 'pause', 'approved'),
    edge('pause', 'c'),
    edge('b', 'join', 'approved'),
    edge('c', 'join', 'approved'),
    edge('join', 'last'),
  ],
)

/** It is paused while a step is under way and others are queued. */
const paused = documentOf(
  'paused',
  { first: step(), a: step(), b: step(), c: step(), pause, join: { kind: 'join' }, last: step() },
  [
    ...['a', 'b', 'c', 'pause'].flatMap((node) => [edge('first', node), edge(node, 'join')]),
    edge('join', 'last'),
  ],
)

/** A run that starts runs, some of which start runs; and tells itself of it before it waits. */
const family = documentOf(
  'family',
  {
    first: step(),
    child: { kind: 'sub-workflow', parameters: { workflow: 'child' } },
    alone: { kind: 'sub-workflow', parameters: { workflow: 'grandchild', mode: 'start' } },
    emit: { kind: 'emit-event', parameters: { name: 'told', run: 'run_req_family' } },
    told: wait('told'),
    last: step(),
  },
  [
    edge('first', 'child'),
    edge('first', 'alone'),
    edge('child', 'emit'),
    edge('emit', 'told'),
    edge('told', 'last'),
  ],
)
const child = documentOf(
  'child',
  { a: step(), b: { kind: 'sub-workflow', parameters: { workflow: 'grandchild' } }, c: flaky },
  [edge('a', 'b'), edge('b', 'c')],
)
const grandchild = documentOf('grandchild', { x: step(), y: step() }, [edge('x', 'y')])

/** By name. */
export const crashScenarios: readonly CrashScenario[] = [
  { name: 'order', document: order, cancelAt: null, status: 'SUCCEEDED' },
  { name: 'line', document: line, cancelAt: null, status: 'SUCCEEDED' },
  { name: 'cancel', document: endless, cancelAt: 'endless', status: 'CANCELLED' },
  { name: 'nest', document: nest, cancelAt: null, status: 'SUCCEEDED' },
  {
    name: 'signals',
    document: signals,
    cancelAt: null,
    status: 'SUCCEEDED',
    signals: [
      { messageId: 'm1', name: 'go', payload: 'one' },
      { messageId: 'm2', name: 'go', payload: 'two' },
      { messageId: 'm3', name: 'stop', payload: 'three' },
    ],
  },
  { name: 'asked', document: asked, cancelAt: null, status: 'SUCCEEDED', approves: true },
  { name: 'paused', document: paused, cancelAt: null, status: 'SUCCEEDED', pauseAt: 'a' },
  {
    name: 'family',
    document: family,
    cancelAt: null,
    status: 'SUCCEEDED',
    workflows: { child, grandchild },
  },
  ...undoScenarios,
  ...governedScenarios,
]
