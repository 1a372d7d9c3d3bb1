/** Runs that are undone: killed while that is recorded, between two undos, and at the end. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { documentOf, edge, step } from './crash-documents.ts'
import type { CrashScenario } from './crash-scenario.ts'

const undo = (parameters: JsonObject = {}, retry: JsonObject = {}): JsonObject => ({
  ...step(),
  sideEffect: 'idempotent',
  compensation: { task: step(parameters), retry: { delayMs: 5, jitter: 0, ...retry } },
})

const fails = step({ failTimes: 99 })

/** Steps in a row and two at a time, one that is undone at the second try, and a run that is undone with its step. */
const undoing = documentOf(
  'undoing',
  {
    a: undo(),
    b: undo({ failTimes: 1 }, { maxAttempts: 9 }),
    c: undo(),
    d: undo(),
    child: { kind: 'sub-workflow', parameters: { workflow: 'child' } },
    join: { kind: 'join' },
    fails,
  },
  [
    edge('a', 'b'),
    edge('b', 'c'),
    edge('b', 'd'),
    edge('c', 'join'),
    edge('d', 'join'),
    edge('join', 'child'),
    edge('child', 'fails'),
  ],
)
const child = documentOf('child', { x: undo(), y: undo() }, [edge('x', 'y')])

/** What undoes its second step fails for good: tried again, which fails too, then passed over. */
const stuck = documentOf('stuck', { a: undo(), b: undo({ failTimes: 99 }, { maxAttempts: 2 }), fails }, [
  edge('a', 'b'),
  edge('b', 'fails'),
])

/** It is cancelled while a step runs whose effect nobody knows. */
const halted = documentOf('halted', { a: undo(), b: undo(), never: step() }, [
  edge('a', 'b'),
  edge('b', 'never'),
])

/** By name. */
export const undoScenarios: readonly CrashScenario[] = [
  { name: 'undoing', document: undoing, cancelAt: null, status: 'COMPENSATED', workflows: { child } },
  { name: 'stuck', document: stuck, cancelAt: null, status: 'COMPENSATED', operator: 'answersUndo' },
  { name: 'halted', document: halted, cancelAt: 'b', status: 'COMPENSATED' },
]
