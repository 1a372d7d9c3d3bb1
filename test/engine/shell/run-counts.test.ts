/** The numbers in a row of the list of runs. */

import { expect, test } from 'vitest'
import { definitionHash, runId } from '../../../src-engine/model/ids.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { Engine } from '../../../src-engine/runtime/engine.ts'
import { createRunCounts } from '../../../src-engine/shell/run-counts.ts'

test('the step that evaluates the run’s output is not counted among the drawn ones', async () => {
  const invocations = [
    { nodeId: 'a', status: 'SUCCESS' },
    { nodeId: 'b', status: 'FAILED' },
    { nodeId: '$start', status: 'SUCCESS' },
    { nodeId: '$output', status: 'SUCCESS' },
  ]
  // Only what the counter asks for.
  const engine = {
    version: async () => ({ document: JSON.stringify({ nodes: { a: {}, b: {} } }) }),
    store: { load: async () => invocations },
  } as unknown as Engine
  const run = {
    id: runId('run_1'),
    version: 1,
    partition: 0,
    generation: 0,
    status: 'FAILED',
    definitionHash: definitionHash('w1_x'),
  } as RunRecord
  expect(await createRunCounts(engine)(run)).toEqual({ done: 1, active: 0, failed: 1, total: 2 })
})

test('what was done again counts once, as it came out last', async () => {
  const invocations = [
    { nodeId: 'a', path: '', role: 'forward', generation: 0, status: 'SUCCESS' },
    { nodeId: 'b', path: '', role: 'forward', generation: 0, status: 'FAILED' },
    { nodeId: 'b', path: '', role: 'forward', generation: 1, status: 'SUCCESS' },
  ]
  const engine = {
    version: async () => ({ document: JSON.stringify({ nodes: { a: {}, b: {} } }) }),
    store: { load: async () => invocations },
  } as unknown as Engine
  const run = {
    id: runId('run_1'),
    version: 9,
    partition: 0,
    generation: 1,
    status: 'SUCCEEDED',
    definitionHash: definitionHash('w1_x'),
  } as RunRecord
  expect(await createRunCounts(engine)(run)).toEqual({ done: 2, active: 0, failed: 0, total: 2 })
})

test('a step that a map ran several times counts once, as what still is to be looked at', async () => {
  const invocations = [
    { nodeId: 'map', path: '', role: 'forward', generation: 0, status: 'WAITING' },
    { nodeId: 'done', path: 'map[0]', role: 'forward', generation: 0, status: 'SUCCESS' },
    { nodeId: 'done', path: 'map[1]', role: 'forward', generation: 0, status: 'SUCCESS' },
    { nodeId: 'busy', path: 'map[0]', role: 'forward', generation: 0, status: 'FAILED' },
    { nodeId: 'busy', path: 'map[1]', role: 'forward', generation: 0, status: 'RUNNING' },
    { nodeId: 'broken', path: 'map[0]', role: 'forward', generation: 0, status: 'FAILED' },
    { nodeId: 'broken', path: 'map[1]', role: 'forward', generation: 0, status: 'SUCCESS' },
  ]
  const nodes = { map: {}, done: {}, busy: {}, broken: {}, later: {} }
  const engine = {
    version: async () => ({ document: JSON.stringify({ nodes }) }),
    store: { load: async () => invocations },
  } as unknown as Engine
  const run = {
    id: runId('run_1'),
    version: 3,
    partition: 0,
    generation: 0,
    status: 'RUNNING',
    definitionHash: definitionHash('w1_x'),
  } as RunRecord
  expect(await createRunCounts(engine)(run)).toEqual({ done: 1, active: 2, failed: 1, total: 5 })
})
