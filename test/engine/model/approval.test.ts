/** What an approval is bound to. */

import { describe, expect, test } from 'vitest'
import type { ApprovalShown, ApprovalSubject } from '../../../src-engine/model/approval.ts'
import { approvalHash, revisedHash } from '../../../src-engine/model/approval.ts'
import { definitionHash, nodeId, runId } from '../../../src-engine/model/ids.ts'

const subject: ApprovalSubject = {
  runId: runId('run_1'),
  generation: 0,
  nodeId: nodeId('pay'),
  path: '',
  definitionHash: definitionHash('w1_a'),
  parameters: { to: 'ada', amount: 3 },
}
const shown: ApprovalShown = { title: 'Pay?', message: '', details: { a: 1, b: [2, { c: 3 }] }, form: null }
const hash = approvalHash(subject, shown)

describe('the hash of an approval', () => {
  test('is the same however its JSON is written, and whatever else lies beside it [C26]', () => {
    const reordered = { b: [2, { c: 3 }], a: 1 }
    expect(approvalHash(subject, { form: null, details: reordered, message: '', title: 'Pay?' })).toBe(hash)
    const parsed = JSON.parse(JSON.stringify({ ...shown, note: 'not shown' })) as ApprovalShown
    expect(approvalHash({ ...subject, parameters: { amount: 3, to: 'ada' } }, parsed)).toBe(hash)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test.for([
    { with: { ...subject, parameters: { to: 'ada', amount: 4 } } },
    { with: { ...subject, nodeId: nodeId('other') } },
    { with: { ...subject, runId: runId('run_2') } },
    { with: { ...subject, generation: 1 } },
    { with: { ...subject, path: 'each:1' } },
    { with: { ...subject, definitionHash: definitionHash('w1_b') } },
    { show: { ...shown, title: 'Pay!' } },
    { show: { ...shown, message: 'now' } },
    { show: { ...shown, details: { a: 1, b: [2, { c: 4 }] } } },
    { show: { ...shown, form: {} } },
  ])('is another for anything else that is meant: %j [C26]', ({ with: other = subject, show = shown }) => {
    expect(approvalHash(other, show)).not.toBe(hash)
  })

  test('is another for each time that the same is asked [C24]', () => {
    expect(revisedHash(hash, 1)).toBe(hash)
    expect(new Set([hash, revisedHash(hash, 2), revisedHash(hash, 3)]).size).toBe(3)
  })
})
