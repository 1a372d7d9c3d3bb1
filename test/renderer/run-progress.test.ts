import { expect, test } from 'vitest'
import { progressPart, progressWords } from '../../src-renderer/panels/runs/run-progress.ts'

const counts = { total: 7, done: 3, failed: 0 }

test('a run that went well has come to its end, whatever it didn’t need', () => {
  expect(progressWords('SUCCEEDED', counts)).toBe('3 of 7 done, 4 not needed')
  expect(progressPart('SUCCEEDED', counts)).toBe(1)
  expect(progressWords('SUCCEEDED', { ...counts, done: 7 })).toBe('7 of 7 done')
  expect(progressWords('SUCCEEDED', { ...counts, done: 5, failed: 1 })).toBe(
    '5 of 7 done, 1 failed, 1 not needed',
  )
})

test('any other has come as far as its steps are done', () => {
  expect(progressWords('RUNNING', counts)).toBe('3 of 7 done')
  expect(progressPart('RUNNING', counts)).toBeCloseTo(3 / 7)
  expect(progressWords('FAILED', { ...counts, failed: 1 })).toBe('3 of 7 done, 1 failed')
  expect(progressPart('RUNNING', { total: 0, done: 0, failed: 0 })).toBe(0)
})
