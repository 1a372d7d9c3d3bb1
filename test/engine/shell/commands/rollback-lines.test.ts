/** A rollback as people read it, and what they may not say about one. */

import { expect, test } from 'vitest'
import { invocationId, nodeId, runId } from '../../../../src-engine/model/ids.ts'
import type { LeftBehind, SagaEntry, SagaView } from '../../../../src-engine/protocol/saga.ts'
import type { CommandContext } from '../../../../src-engine/shell/commands/command.ts'
import { printRollback } from '../../../../src-engine/shell/commands/rollback-lines.ts'
import { undoAction } from '../../../../src-engine/shell/commands/runs-undo.ts'
import type { Terminal } from '../../../../src-engine/shell/terminal.ts'

const plain = (text: string): string => text
const colors = { bold: plain, dim: plain, yellow: plain, green: plain, red: plain, blue: plain }

function linesOf(view: Partial<SagaView>): readonly string[] {
  const lines: string[] = []
  const terminal = { colors, line: (text: string) => lines.push(text) } as unknown as Terminal
  const none = { runId: runId('run-1'), entries: [], undone: [], leftBehind: [], actions: [] } as const
  printRollback(terminal, { ...none, status: 'COMPENSATED', hasBegun: true, ...view }, (id) => `<${id}>`)
  return lines
}

const entry = (node: string, set: Partial<SagaEntry> = {}): SagaEntry => ({
  id: invocationId(`run-1/${node}~undo`),
  of: invocationId(`run-1/${node}`),
  nodeId: nodeId(node),
  ...{ path: '', taskKind: 'noop', startedAt: null, finishedAt: null, place: 1 },
  ...{ state: 'done', uncertain: false, attempts: 1, error: null },
  ...set,
})

const left = (node: string, set: Partial<LeftBehind>): LeftBehind => ({
  ...{ of: invocationId(`run-1/${node}`), nodeId: nodeId(node), path: '', reason: 'skipped' },
  ...{ message: '', by: null },
  ...set,
})

test('each step says where it stands, and what stays says why and who wanted that', () => {
  const entries = [
    entry('pay', { state: 'skipped', attempts: 3 }),
    entry('book', { uncertain: true, path: 'each:2' }),
    entry('note', { state: 'recorded' }),
  ]
  const leftBehind = [
    left('pay', { message: 'Refunded by phone.', by: 'ada' }),
    left('mail', { reason: 'impossible', message: 'it was read' }),
    left('log', { reason: 'no_compensation', message: 'Nothing undoes it.', by: 'policy' }),
  ]
  expect(linesOf({ entries, leftBehind })).toEqual([
    '\nRollback',
    '- <pay>  passed over (3 attempts)',
    '↩ <book>  undone, though nobody knows whether it had its effect  [each:2]',
    '• <note>  recorded',
    'Left behind',
    '! <pay>  skipped: Refunded by phone. (ada)',
    '! <mail>  impossible: it was read',
    '! <log>  no compensation: Nothing undoes it.',
  ])
})

test('what may be done is told as the command that does it', () => {
  const error = { code: 'file_not_found', message: 'No receipt.', hint: '', details: {}, retryable: false }
  const failed = entry('pay', { state: 'failed', error })
  expect(linesOf({ entries: [failed], actions: ['retry', 'skip', 'abandon'] })).toEqual([
    '\nRollback',
    '✗ <pay>  could not be undone: No receipt. [file_not_found]',
    '→ Decide: sagasmith runs undo run-1 retry|skip|abandon [--step STEP]',
  ])
  const recorded = entry('pay', { state: 'recorded' })
  expect(linesOf({ entries: [recorded], hasBegun: false, actions: ['compensate'] })).toEqual([
    '\nCan be undone',
    '• <pay>  recorded',
    '→ Undo it all: sagasmith runs compensate run-1',
  ])
  expect(linesOf({})).toEqual([])
})

test.for([
  [['run-1', 'maybe'], {}, 'There is no “runs undo … maybe”.'],
  [['run-1'], {}, 'There is no “runs undo … ”.'],
  [['run-1', 'abandon'], { step: 'pay' }, 'A rollback is abandoned as a whole.'],
] as const)('“runs undo %j” is refused with words', async ([words, flags, message]) => {
  await expect(undoAction({ flags } as unknown as CommandContext, words)).rejects.toMatchObject({ message })
})
