import { expect, test } from 'vitest'
import type { AttemptWork } from '../../../src-engine/runtime/attempt-work.ts'
import { skipRuleOf } from '../../../src-engine/runtime/skip-condition.ts'

const skip = { condition: 'true', handsOn: false }

/** What of an attempt's work counts here. */
const work = (parts: { onLost?: string; error?: string; wait?: object; undo?: object } = {}): AttemptWork =>
  ({
    node: { skip, onLost: parts.onLost ?? 'retry' },
    record: { wait: parts.wait ?? null, error: parts.error === undefined ? null : { code: parts.error } },
    undo: parts.undo ?? null,
  }) as unknown as AttemptWork

test('a condition is asked of a step that may begin, and not of one that has begun or undoes', () => {
  expect(skipRuleOf(work())).toBe(skip)
  expect(skipRuleOf(work({ error: 'task_failed', onLost: 'verify' }))).toBe(skip)
  expect(skipRuleOf(work({ wait: { kind: 'turn' } }))).toBeNull()
  expect(skipRuleOf(work({ undo: {} }))).toBeNull()
  // It is to find out whether it happened: it can't be left out any more.
  expect(skipRuleOf(work({ error: 'indeterminate_effect', onLost: 'verify' }))).toBeNull()
})
