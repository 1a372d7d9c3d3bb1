/** A workflow rehearsed: each step goes wrong in each way, and what becomes of the run is told. */

import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { FailureMode, Rehearsal, RehearsalCell } from '../../../../src-engine/protocol/rehearsal.ts'
import { createExpressionService } from '../../../../src-engine/runtime/expressions/expression-service.ts'
import { nodeMocksOf } from '../../../../src-engine/runtime/mocked-host.ts'
import { rehearse } from '../../../../src-engine/runtime/rehearsal/rehearse.ts'
import { noWorkflows } from '../../../../src-engine/runtime/sub-workflows/workflow-source.ts'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { taskMocksByKind } from '../../../../src-engine/tasks/mocks.ts'
import { createTaskRuns } from '../../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'

const expressions = createExpressionService({ clock: systemClock })
afterAll(() => expressions.close())

const runs = createTaskRuns({
  sandbox: { open: () => Promise.reject(new Error('no sandbox here')) },
  environment: {},
  lookup: () => Promise.reject(new Error('no network here')),
} as never)

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

async function rehearsalOf(parts: JsonObject, told: RehearsalCell[] = []): Promise<Rehearsal> {
  const document = documentOf(parts)
  return rehearse({
    document,
    input: {},
    baseDirectory: null,
    host: {
      specsByKind: taskSpecsByKind,
      runOf: (kind) => runs.get(kind) ?? null,
      resolver: expressions,
      echoService: async () => '',
    },
    mocking: { nodes: nodeMocksOf(document, null), kinds: taskMocksByKind },
    validation: {},
    workflows: noWorkflows,
    log: quiet,
    random: { next: () => 0.5 },
    clock: systemClock,
    told: (cell) => told.push(cell),
    signal: new AbortController().signal,
  })
}

const cellIn = ({ cells }: Rehearsal, nodeId: string, mode: FailureMode) =>
  cells.find((cell) => cell.nodeId === nodeId && cell.mode === mode)

const writes: JsonObject = { kind: 'write-file', parameters: { path: '/nowhere/paid', content: 'yes' } }
const undone: JsonObject = { ...writes, compensation: { task: { kind: 'noop', parameters: {} } } }
const unsafe: JsonObject = { ...undone, sideEffect: 'unsafe' }

describe('a chain of two effects that can be undone, one that can’t, and a last step', () => {
  const nodes = {
    pay: { ...undone, retry: { maxAttempts: 3, delayMs: 60_000 } },
    mail: { ...writes, compensation: { impossible: 'it was read' } },
    book: unsafe,
    last: { kind: 'noop' },
  }
  const edges = edgesOf('pay>mail', 'mail>book', 'book>last')

  test('says for each step and each way to fail how the run ends, what is undone and what stays', async () => {
    const told: RehearsalCell[] = []
    const rehearsal = await rehearsalOf({ nodes, edges }, told)
    expect(told).toEqual(rehearsal.cells)
    expect(rehearsal.violations).toBe(0)
    expect(rehearsal.unreached).toEqual([])
    expect(rehearsal.mocked).toEqual(['pay', 'mail', 'book'])
    expect(cellIn(rehearsal, 'last', 'fails')).toMatchObject({
      status: 'COMPENSATED',
      undone: ['book', 'pay'],
      stays: ['mail'],
      error: { code: 'task_failed' },
    })
    expect(cellIn(rehearsal, 'last', 'times-out')).toMatchObject({
      status: 'COMPENSATED',
      undone: ['book', 'pay'],
      error: { code: 'task_timeout' },
    })
    expect(cellIn(rehearsal, 'pay', 'fails')).toMatchObject({ undone: [], stays: [] })
  })

  test('whose worker dies is done again; what must not be done twice waits for a person', async () => {
    const rehearsal = await rehearsalOf({ nodes, edges })
    expect(cellIn(rehearsal, 'pay', 'crashes')).toMatchObject({ status: 'SUCCEEDED', undone: [], stays: [] })
    expect(cellIn(rehearsal, 'book', 'crashes')).toMatchObject({ asks: ['book'] })
  })

  test('whose undoing fails is parked, with what stays', async () => {
    const rehearsal = await rehearsalOf({ nodes, edges })
    expect(cellIn(rehearsal, 'book', 'undo-fails')).toMatchObject({
      status: 'COMPENSATION_FAILED',
      undone: [],
      stays: ['pay', 'mail', 'book'],
    })
    expect(cellIn(rehearsal, 'pay', 'undo-fails')).toMatchObject({
      status: 'COMPENSATION_FAILED',
      undone: ['book'],
      stays: ['pay', 'mail'],
    })
  })
})

test('steps that no run comes to with this input are named, and nothing is claimed of them', async () => {
  const nodes = { ask: { kind: 'if', parameters: { condition: 'false' } }, yes: undone, no: undone }
  const rehearsal = await rehearsalOf({ nodes, edges: edgesOf('ask:true>yes', 'ask:false>no') })
  expect(rehearsal.unreached).toEqual(['yes'])
  expect(cellIn(rehearsal, 'yes', 'fails')).toMatchObject({ reached: false, status: null })
  expect(cellIn(rehearsal, 'no', 'fails')).toMatchObject({ reached: true, violations: [] })
})

test('what an error port takes up ends well', async () => {
  const nodes = { pay: undone, risky: writes, calm: { kind: 'noop' } }
  const rehearsal = await rehearsalOf({ nodes, edges: edgesOf('pay>risky', 'risky:error>calm') })
  expect(cellIn(rehearsal, 'risky', 'fails')).toMatchObject({ status: 'SUCCEEDED', undone: [], stays: [] })
})

test('a workflow that fails by itself is rehearsed up to there, and says so', async () => {
  const nodes = { pay: undone, bad: { kind: 'stop', parameters: { status: 'failed', message: 'Never.' } } }
  const rehearsal = await rehearsalOf({ nodes, edges: edgesOf('pay>bad') })
  expect(rehearsal.calm).toMatchObject({ status: 'COMPENSATED', undone: ['pay'] })
  expect(rehearsal.calm.error?.message).toContain('Never.')
  expect(cellIn(rehearsal, 'pay', 'fails')).toMatchObject({ reached: true, undone: [] })
})

test('a parallel group is undone together', async () => {
  const nodes = { a: undone, b: undone, last: { kind: 'noop' } }
  const sagaScopes = { both: { nodes: ['a', 'b'], order: 'parallel' } }
  const rehearsal = await rehearsalOf({ nodes, edges: edgesOf('a>b', 'b>last'), sagaScopes })
  const cell = cellIn(rehearsal, 'last', 'fails')
  expect(cell).toMatchObject({ status: 'COMPENSATED', violations: [] })
  expect([...(cell?.undone ?? [])].sort()).toEqual(['a', 'b'])
})
