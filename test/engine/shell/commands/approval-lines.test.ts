/** What a terminal says of a question: also whether people were told of it. */

import { expect, test } from 'vitest'
import type { ApprovalNotice } from '../../../../src-engine/model/approval.ts'
import { definitionHash, invocationId, nodeId, runId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { ApprovalView } from '../../../../src-engine/protocol/approvals.ts'
import { linesOfQuestion } from '../../../../src-engine/shell/commands/approval-lines.ts'

const entry: ApprovalView = {
  ...{ kind: 'approval', for: 'node', hash: 'h', revision: 1, title: 'Pay?', message: '', details: null },
  ...{ runId: runId('run_1'), invocationId: invocationId('run_1/ask'), nodeId: nodeId('ask'), path: '' },
  ...{ taskKind: 'approval', workflowId: workflowId('wf'), workflowTitle: 'Orders', nodeTitle: 'ask' },
  ...{ definitionHash: definitionHash('d'), tenant: 'local', startedBy: null, form: null, approvers: [] },
  ...{ otherPerson: false, answers: ['approve', 'reject'], requestedAt: 0, expiresAt: null },
  ...{ onExpiry: 'reject', escalateAt: null, escalatedAt: null, policy: null, blocked: null, decided: null },
  notices: [],
}
const notice: ApprovalNotice = {
  ...{ occasion: 'asked', at: 0, to: 'ada@example.com', tries: 1, error: null, isOver: true },
}
const mailLines = (...notices: readonly ApprovalNotice[]) =>
  linesOfQuestion({ ...entry, notices }).filter((line) => line.startsWith('  mail'))

test('a question says to whom a mail went, and why one didn’t', () => {
  const error = { code: 'connection_failed', message: 'Nobody is there.', hint: '' }
  expect(mailLines()).toEqual([])
  expect(mailLines(notice, { ...notice, occasion: 'escalated', error })).toEqual([
    '  mail      to ada@example.com, 1970-01-01T00:00:00.000Z',
    '  mail      not sent to ada@example.com, urgent: Nobody is there.',
  ])
  expect(mailLines({ ...notice, to: '', error, isOver: false })).toEqual([
    '  mail      not sent: Nobody is there. It is tried again.',
  ])
})
