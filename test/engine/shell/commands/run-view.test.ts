/** A step as it ended, in a line. */

import { expect, test } from 'vitest'
import { invocationId, nodeId, runId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { newInvocation } from '../../../../src-engine/model/new-records.ts'
import { stepLine } from '../../../../src-engine/shell/commands/run-view.ts'
import type { Terminal } from '../../../../src-engine/shell/terminal.ts'

const plain = (text: string): string => text
const terminal = { colors: { dim: plain, yellow: plain, green: plain, red: plain } } as unknown as Terminal

const lineOf = (changes: Partial<InvocationRecord>): string => {
  const record = newInvocation({
    id: invocationId('run-1/pay'),
    runId: runId('run-1'),
    nodeId: nodeId('pay'),
    taskKind: 'noop',
    registeredAt: 0,
    cause: { kind: 'upstream', by: null, detail: null },
  })
  return stepLine(terminal, { ...record, startedAt: 0, finishedAt: 52, ...changes }, 'Pay')
}

test('what undid a step doesn’t read as the step once more', () => {
  expect(lineOf({ status: 'SUCCESS' })).toBe('✓ Pay  52 ms')
  expect(lineOf({ status: 'SUCCESS', role: 'compensation' })).toBe('↶ Pay  undone in 52 ms')
  const error = { code: 'task_failed', message: 'No van.', hint: 'Rent one.' } as InvocationRecord['error']
  expect(lineOf({ status: 'FAILED', error })).toBe('✗ Pay  failed: No van.\n  → Rent one.')
  expect(lineOf({ status: 'FAILED', error, role: 'compensation' })).toBe(
    '✗ Pay  could not be undone: No van.\n  → Rent one.',
  )
})
