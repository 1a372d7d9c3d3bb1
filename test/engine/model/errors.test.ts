import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../src-engine/model/error-codes.ts'
import { errorCatalogue } from '../../../src-engine/model/error-codes.ts'
import {
  errorOfRecord,
  errorRecord,
  recordOfThrown,
  SagasmithError,
  toErrorRecord,
} from '../../../src-engine/model/errors.ts'

const entries = Object.entries(errorCatalogue) as [ErrorCode, (typeof errorCatalogue)[ErrorCode]][]

describe('the catalogue', () => {
  test('is there', () => {
    expect(entries.length).toBeGreaterThan(40)
  })

  test.for(entries)('%s says what happened and what to do next', ([code, entry]) => {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(entry.title).toMatch(/^[A-Z].{8,}\.$/)
    // A sentence, or a command to type after a colon.
    expect(entry.hint).toMatch(/^[A-Z].{8,}(?:\.|: \S+ \S+)$/)
    expect(entry.hint).not.toBe(entry.title)
  })

  test('no two codes say the same', () => {
    expect(new Set(entries.map(([, entry]) => entry.title)).size).toBe(entries.length)
  })
})

test('an error takes from the catalogue what it is not given', () => {
  const bare = new SagasmithError('run_not_found')
  expect(toErrorRecord(bare)).toEqual({
    code: 'run_not_found',
    message: 'There is no such run.',
    hint: 'List the runs with `sagasmith runs list`.',
    details: {},
    retryable: false,
  })
  const cause = new Error('socket')
  const full = new SagasmithError('http_status', {
    message: 'No.',
    hint: 'Wait.',
    details: { a: 1 },
    retryable: false,
    cause,
  })
  expect(full.cause).toBe(cause)
  expect(toErrorRecord(full)).toEqual(
    errorRecord('http_status', { message: 'No.', hint: 'Wait.', details: { a: 1 }, retryable: false }),
  )
})

test('an error survives the way through data [S56]', () => {
  const record = errorRecord('payload_too_large', { details: { bytes: 60_000_000 } })
  expect(toErrorRecord(errorOfRecord(record))).toEqual(record)
  expect(recordOfThrown(errorOfRecord(record))).toEqual(record)
})

test('whatever else is thrown is internal, and its stack stays out [S56]', () => {
  expect(recordOfThrown(new TypeError('x is not a function'))).toMatchObject({
    code: 'internal',
    message: 'x is not a function',
  })
  expect(recordOfThrown('text')).toMatchObject({ code: 'internal', message: 'text' })
  expect(errorOfRecord({ ...errorRecord('internal'), code: 'from_the_future' }).code).toBe('internal')
  expect(JSON.stringify(recordOfThrown(new Error('x')))).not.toContain('.ts')
})
