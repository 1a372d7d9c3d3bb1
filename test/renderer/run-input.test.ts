/** What the form of a run's input says of what was refused. */

import { expect, test } from 'vitest'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { inputProblems } from '../../src-renderer/state/run-input.ts'

const problem = { code: 'missing_field', severity: 'error', nodeId: null, edgeId: null, field: 'customer' }
const refused = (code: string, details: ErrorRecord['details']): ErrorRecord => ({
  ...{ code, message: 'refused', hint: '', details, retryable: false },
})

test('an input that doesn’t fit names its fields, any other refusal none', () => {
  expect(inputProblems(refused('input_invalid', { count: 1, problems: [problem] }))).toEqual([problem])
  expect(inputProblems(refused('input_invalid', {}))).toEqual([])
  expect(inputProblems(refused('not_startable', { problems: [problem] }))).toEqual([])
  expect(inputProblems(null)).toEqual([])
})
