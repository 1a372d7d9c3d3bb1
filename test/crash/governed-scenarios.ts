/** Runs that people and policies have a say in: asked, out of time, denied, slowed down, held back. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { documentOf, edge, step } from './crash-documents.ts'
import type { CrashScenario } from './crash-scenario.ts'

/** Parts of a minute. */
const inMs = (ms: number): number => ms / 60_000

/** Nobody decides: one question becomes urgent and is then taken as rejected, one times out. */
const unanswered = documentOf(
  'unanswered',
  {
    first: step(),
    urgent: {
      kind: 'approval',
      parameters: {
        title: 'urgent',
        onExpiry: 'reject',
        ...{ amount: inMs(60), unit: 'minutes' },
        ...{ escalates: true, escalateAmount: inMs(20), escalateUnit: 'minutes' },
      },
    },
    late: {
      kind: 'approval',
      onError: 'continue',
      parameters: { title: 'late', onExpiry: 'fail', amount: inMs(30), unit: 'minutes' },
    },
    last: step(),
    join: { kind: 'join' },
  },
  [
    edge('first', 'urgent'),
    edge('first', 'late'),
    edge('urgent', 'join', 'rejected'),
    edge('late', 'join', 'error'),
    edge('join', 'last'),
  ],
)

/** Its start is asked about, then a step is denied, two stand in line for a rate, one is asked about, one bounded. */
const governed = documentOf(
  'governed',
  {
    denied: { ...step(), onError: 'continue' },
    calmA: step(),
    calmB: step(),
    asked: step(),
    bounded: { ...step({ failTimes: 1 }), retry: { maxAttempts: 9, delayMs: 5, jitter: 0 } },
    last: step(),
  },
  [
    edge('denied', 'calmA', 'error'),
    edge('calmA', 'calmB'),
    edge('calmB', 'asked'),
    edge('asked', 'bounded'),
    edge('bounded', 'last'),
  ],
)

const policy: JsonObject = {
  format: 'sagasmith.policy',
  schemaVersion: 1,
  defaultDecision: 'ALLOW',
  rules: [
    { id: 'start', match: { at: 'start' }, decision: 'REQUIRE_APPROVAL' },
    { id: 'no', match: { nodes: ['denied'] }, decision: 'DENY' },
    {
      id: 'calm',
      match: { nodes: ['calm*'] },
      velocity: { max: 1, windowMs: 150, key: 'tenant:workflow' },
      decision: 'THROTTLE',
    },
    { id: 'ask', match: { nodes: ['asked'] }, decision: 'REQUIRE_APPROVAL' },
    {
      id: 'bounds',
      match: { nodes: ['bounded'] },
      decision: 'ALLOW_WITH_CONSTRAINTS',
      constraints: { maxRetries: 3, maxConcurrent: 1 },
    },
  ],
}

const holding = (match: JsonObject): JsonObject => ({
  rules: [{ id: 'held', decision: 'quarantine', match: { nodes: ['big'], ...match } }],
})

const judging = { outputPolicyEnabled: true } as const
const undone = { ...step({ items: 20 }), sideEffect: 'idempotent', compensation: { task: step() } }

/** Held back before it is handed on: its run ends for lack of it, and goes on once it is released. */
const held = documentOf('held', { first: step(), big: step({ items: 20 }), last: step() }, [
  edge('first', 'big'),
  edge('big', 'last'),
])

/** Held back after it was handed on: the run ends in the midst, and is undone. */
const heldLate = documentOf(
  'heldLate',
  {
    big: undone,
    next: { ...undone, ...step() },
    wait: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
    last: step(),
  },
  [edge('big', 'next'), edge('next', 'wait'), edge('wait', 'last')],
)

const redacts = (id: string, match: JsonObject): JsonObject => ({
  id,
  decision: 'redact',
  match: { nodes: [id], ...match },
})

/** One result is redacted before it is handed on, one after that. */
const redacted = documentOf(
  'redacted',
  { first: step(), big: step({ items: 20 }), wide: step({ items: 20 }), mid: step(), last: step() },
  [edge('first', 'big'), edge('big', 'wide'), edge('wide', 'mid'), edge('mid', 'last')],
)

/** Who is asked about each step is away when an engine comes up: work waits and asks again. */
const unreachable = documentOf('unreachable', { first: step(), a: step(), b: step(), last: step() }, [
  edge('first', 'a'),
  edge('first', 'b'),
  edge('a', 'last'),
  edge('b', 'last'),
])

/** A no that the workflow deals with, then one that it doesn't: what was done is undone. */
const rejected = documentOf(
  'rejected',
  {
    done: { ...undone, ...step() },
    mild: { kind: 'approval', parameters: { title: 'mild' } },
    after: { ...undone, ...step() },
    hard: { kind: 'approval', parameters: { title: 'hard' } },
    never: step(),
    over: { kind: 'stop', parameters: { status: 'failed' } },
  },
  [
    edge('done', 'mild'),
    edge('mild', 'after', 'rejected'),
    edge('after', 'hard'),
    edge('hard', 'never', 'approved'),
    edge('hard', 'over', 'rejected'),
  ],
)

/** By name. */
export const governedScenarios: readonly CrashScenario[] = [
  { name: 'unanswered', document: unanswered, cancelAt: null, status: 'SUCCEEDED' },
  {
    name: 'governed',
    document: governed,
    cancelAt: null,
    status: 'SUCCEEDED',
    approves: true,
    policy,
    settings: { retryDelayThrottleMs: 20 },
  },
  {
    name: 'held',
    document: held,
    cancelAt: null,
    status: 'SUCCEEDED',
    operator: 'releases',
    outputPolicy: holding({ outputSizeGt: 100 }),
    settings: judging,
  },
  {
    name: 'redacted',
    document: redacted,
    cancelAt: null,
    status: 'SUCCEEDED',
    operator: 'seesRedaction',
    outputPolicy: {
      rules: [redacts('big', { outputSizeGt: 100 }), redacts('wide', { contentPatterns: ['wide row 1 '] })],
    },
    settings: judging,
  },
  {
    name: 'unreachable',
    document: unreachable,
    cancelAt: null,
    status: 'SUCCEEDED',
    kernel: 'away at first',
  },
  { name: 'rejected', document: rejected, cancelAt: null, status: 'COMPENSATED', rejects: true },
  {
    name: 'thrownAway',
    document: held,
    cancelAt: null,
    status: 'FAILED',
    operator: 'discards',
    outputPolicy: holding({ outputSizeGt: 100 }),
    settings: judging,
  },
  {
    name: 'heldLate',
    document: heldLate,
    cancelAt: null,
    status: 'COMPENSATED',
    outputPolicy: holding({ contentPatterns: ['big row 1 '] }),
    settings: judging,
  },
]
