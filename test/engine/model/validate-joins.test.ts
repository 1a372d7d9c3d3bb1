/** Joins that wait only so long: for whom, and how long. Steps that steer runs: whom they mean. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isRunnable, validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from './workflow-fixture.ts'

const problemsOf = (parameters: JsonObject, ways: readonly string[]) => {
  const nodes = { a: { kind: 'noop' }, b: { kind: 'noop' }, j: { kind: 'join', parameters } }
  return validateWorkflow(documentOf({ nodes, edges: edgesOf(...ways) }), taskSpecsByKind)
}

test('a time that nobody could be late for is a warning', () => {
  const problems = problemsOf({ onTimeout: 'port' }, ['a>j'])
  expect(problems).toMatchObject([{ code: 'join_of_one', severity: 'warning', nodeId: 'j' }])
  expect(isRunnable(problems)).toBe(true)
  expect(problemsOf({ onTimeout: 'port' }, ['a>j', 'b>j'])).toEqual([])
  expect(problemsOf({ onTimeout: 'wait' }, ['a>j'])).toEqual([])
})

test('a time that is longer than timers go keeps it from running', () => {
  const problems = problemsOf({ onTimeout: 'fail', amount: 4_000, unit: 'days' }, ['a>j', 'b>j'])
  expect(problems).toMatchObject([{ code: 'join_too_long', field: 'parameters.amount' }])
  expect(isRunnable(problems)).toBe(false)
  expect(problemsOf({ onTimeout: 'fail', amount: 3_000, unit: 'days' }, ['a>j', 'b>j'])).toEqual([])
})

test('a step that steers runs says which, and what it signals', () => {
  const codes = (parameters: JsonObject) =>
    validateWorkflow(documentOf({ nodes: { a: { kind: 'steer-runs', parameters } } }), taskSpecsByKind).map(
      ({ code, field }) => [code, field],
    )
  expect(codes({})).toEqual([['no_runs_meant', 'parameters.runs']])
  expect(codes({ which: 'filter' })).toEqual([])
  expect(codes({ action: 'signal', runs: 'input' })).toEqual([['signal_without_name', 'parameters.name']])
  expect(codes({ action: 'signal', runs: 'input', name: 'go' })).toEqual([])
})
