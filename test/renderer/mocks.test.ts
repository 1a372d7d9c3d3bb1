import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { NodeMock, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Edit } from '../../src-renderer/commands/edit.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import {
  addMockSet,
  isMockSetName,
  mockSetsOf,
  recordMocks,
  removeMockSet,
  setMock,
  withMocksOf,
} from '../../src-renderer/commands/mocks.ts'
import { mockOfEnd } from '../../src-renderer/state/record-mocks.ts'
import { chain, invocationRecord } from './factories.ts'

const after = (document: WorkflowDocument, ...edits: readonly Edit[]): WorkflowDocument =>
  edits.reduce((before, edit) => applyEdit(before, edit).document, document)
const a = nodeId('a')
const b = nodeId('b')

describe('sets of mocks', () => {
  test('a step has at most one mock in each of several sets', () => {
    const document = after(
      chain('a', 'b'),
      addMockSet('happy'),
      setMock({ id: a, set: 'happy' }, { output: 1 }),
      setMock({ id: a, set: 'gone' }, { error: { code: 'task_failed', message: 'no' } }),
      setMock({ id: a, set: 'happy' }, { output: { x: [2] } }),
    )
    expect(document.nodes[a]?.mocks).toEqual({
      happy: { output: { x: [2] } },
      gone: { error: { code: 'task_failed', message: 'no' } },
    })
    expect(mockSetsOf(document)).toEqual(['gone', 'happy'])
  })

  test('a chosen set is all that goes along to a run; steps without one in it have none', () => {
    const document = after(
      chain('a', 'b'),
      setMock({ id: a, set: 'cheap' }, { output: 1 }),
      setMock({ id: a, set: 'dear' }, { output: 2 }),
      setMock({ id: b, set: 'dear' }, { output: 3 }),
    )
    const { nodes } = withMocksOf(document, 'cheap')
    expect(nodes[a]?.mocks).toEqual({ cheap: { output: 1 } })
    expect(nodes[b]).toEqual(chain('a', 'b').nodes[b])
    expect(document.nodes[b]?.mocks).toEqual({ dear: { output: 3 } })
  })

  test('what is taken away leaves nothing behind, in one step', () => {
    const before = chain('a', 'b')
    const full = after(
      before,
      setMock({ id: a, set: 'happy' }, { output: 1 }),
      setMock({ id: b, set: 'happy' }, { output: 2 }),
    )
    expect(after(full, removeMockSet('happy'))).toEqual(before)
    expect(after(full, setMock({ id: a, set: 'happy' }, null)).nodes[a]).toEqual(before.nodes[a])
  })

  test('a recording is one step, and leaves the mocks of other steps and sets alone', () => {
    const before = after(
      chain('a', 'b'),
      setMock({ id: a, set: 'other' }, { output: 0 }),
      setMock({ id: b, set: 'run' }, { output: 9 }),
    )
    const mocks = new Map<typeof a, NodeMock>([[a, { output: 1 }]])
    const { document, step } = applyEdit(before, recordMocks('run', mocks))
    expect(document.nodes[a]?.mocks).toEqual({ other: { output: 0 }, run: { output: 1 } })
    expect(document.nodes[b]?.mocks).toEqual({ run: { output: 9 } })
    expect(step).not.toBeNull()
  })

  test('sets that only steps mention are known, too; names are plain', () => {
    const document = chain('a')
    const nodes = { ...document.nodes, a: { kind: 'noop', mocks: { old: {} } } }
    expect(mockSetsOf({ ...document, nodes })).toEqual(['old'])
    expect(['fine', 'a-1', '', '1a', 'no space'].map(isMockSetName)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a mock out of a run', () => {
  test('an output, with the port where it is not the usual one', () => {
    const ended = invocationRecord('a', { status: 'SUCCESS', ports: ['out'] })
    expect(mockOfEnd(ended, { x: 1 })).toEqual({ output: { x: 1 } })
    expect(mockOfEnd({ ...ended, ports: ['true'] }, 1)).toEqual({ output: 1, port: 'true' })
    expect(mockOfEnd({ ...ended, ports: null }, null)).toEqual({ output: null })
  })

  test('a failure fails with its kind; what hasn’t ended gives nothing', () => {
    const error = { code: 'http_status', message: '503', hint: '', details: {}, retryable: true }
    const failed = invocationRecord('a', { status: 'FAILED', error })
    expect(mockOfEnd(failed, null)).toEqual({ error: { code: 'http_status', message: '503' } })
    expect(mockOfEnd(invocationRecord('a', { status: 'RUNNING' }), null)).toBeNull()
    expect(mockOfEnd(invocationRecord('a', { status: 'CANCELLED' }), null)).toBeNull()
  })
})
